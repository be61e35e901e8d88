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

function draw(marks, ratio) {
  const svg = at("marks");
  svg.setAttribute("viewBox", `0 0 ${ratio} 1`);
  svg.setAttribute("preserveAspectRatio", "none");
  const drawn = [];
  for (const mark of marks) {
    const points = mark.quad.map(([x, y]) => `${(x * ratio).toFixed(4)},${y.toFixed(4)}`).join(" ");
    if (mark.zone) drawn.push(shape("polygon", { points, class: "zone" }));
    else drawn.push(shape("polygon", { points, class: "outline" }), shape("polygon", { points, class: "outline over" }));
    const [x, y] = mark.quad[0];
    const label = mark.label.startsWith(":") ? words[mark.label.slice(1)] : mark.label;
    drawn.push(shape("text", { x: x * ratio, y: Math.max(0.035, y - 0.01), class: mark.zone ? "tag zone-tag" : "tag" }, label));
  }
  svg.replaceChildren(...drawn);
  at("seen").replaceChildren(...marks.filter((mark) => !mark.zone).map((mark) => make("li", {}, mark.label)));
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
    ...Object.entries(board.health).map(([part, state]) => make("li", { class: BAD.has(state) ? "bad" : "" }, `${part}: ${state}`)),
  );
});
refresh();
