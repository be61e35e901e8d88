import { change, fetchJson, follow, make, phaseWords, words } from "./live.js";

const at = (id) => document.getElementById(id);
const SVG = "http://www.w3.org/2000/svg";
const BAD = new Set(["lost", "restarting", "refused", "same_name", "stopped"]);

function shape(name, attributes, text) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text) element.textContent = text;
  return element;
}

function middle(points) {
  const mean = (axis) => points.reduce((sum, point) => sum + point[axis], 0) / points.length;
  return [mean(0), mean(1)];
}

function draw(marks, ratio) {
  const svg = at("marks");
  svg.setAttribute("viewBox", `0 0 ${ratio} 1`);
  svg.setAttribute("preserveAspectRatio", "none");
  const drawn = [];
  for (const mark of marks) {
    const points = mark.quad.map(([x, y]) => `${(x * ratio).toFixed(4)},${y.toFixed(4)}`).join(" ");
    if (mark.arm) drawn.push(shape("polygon", { points, class: "arm" }));
    else if (mark.zone) drawn.push(shape("polygon", { points, class: "zone" }));
    else drawn.push(shape("polygon", { points, class: "outline" }), shape("polygon", { points, class: "outline over" }));
    const label = mark.label.startsWith(":") ? words[mark.label.slice(1)].replace("{name}", mark.name) : mark.label;
    const [x, y] = mark.arm ? middle(mark.quad) : [mark.quad[0][0], mark.quad[0][1] - 0.01];
    const kind = mark.arm ? "tag arm-tag" : mark.zone ? "tag zone-tag" : "tag";
    drawn.push(shape("text", { x: x * ratio, y: Math.min(0.98, Math.max(0.035, y)), class: kind }, label));
  }
  svg.replaceChildren(...drawn);
  at("seen").replaceChildren(...marks.filter((mark) => !mark.zone && !mark.arm).map((mark) => make("li", {}, mark.label)));
}

async function refresh() {
  try {
    const picture = at("picture");
    const seen = await fetchJson("/marks.json");
    if (seen.t_s !== null) {
      const next = new Image();
      next.src = `/picture.jpg?at=${seen.t_s}`;
      await next.decode();
      picture.src = next.src;
      picture.hidden = false;
      at("no-picture").hidden = true;
      draw(seen.marks, next.naturalWidth / next.naturalHeight);
    }
  } catch { /* the table is away: the notice above says so */ }
  setTimeout(refresh, document.hidden ? 2000 : 400);
}

follow((board) => {
  at("phase").textContent = phaseWords(board);
  at("view").textContent = words[`view_${board.view.state}`] ?? board.view.reason;
  const voice = board.health.voice;
  const mute = at("mute");
  if (mute) {
    mute.hidden = voice !== "running" && voice !== "muted";
    mute.textContent = voice === "muted" ? words.unmute : words.mute;
    mute.onclick = () => change(`/voice/${voice === "muted" ? "speak" : "mute"}`);
  }
  at("health").replaceChildren(
    ...Object.entries(board.health).map(([part, state]) => make("li", { class: BAD.has(state) ? "bad" : "" }, `${words[`part_${part}`] ?? part}: ${words[`state_of_${state}`] ?? state}`)),
  );
});
refresh();
