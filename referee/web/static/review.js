import { change, clock, fetchJson, follow, make, referee, words } from "./live.js";

const at = (id) => document.getElementById(id);
let shown = "";

function caseItem(one) {
  const settle = async (word) => {
    if (await change(`/incidents/${one.number}/${word}`)) await load();
  };
  const rule = one.rule
    ? make("details", {}, make("summary", {}, words.rule), make("p", {}, `${one.rule.question}: ${one.rule.says}`), make("p", { class: "rule" }, `${words.source}: ${one.rule.sources.join("; ")}`))
    : null;
  const clip = make("button", { type: "button", onclick: (event) => {
    const video = make("video", { controls: true, autoplay: true, src: `/incidents/${one.number}/clip.mp4` });
    video.addEventListener("error", () => video.replaceWith(make("p", { class: "soft" }, words.no_picture)));
    event.target.replaceWith(video);
  } }, words.show_clip);
  const buttons = [clip];
  if (referee && one.state !== "gone") {
    buttons.push(
      make("button", { type: "button", "aria-pressed": String(one.state === "upheld"), onclick: () => settle("upheld") }, words.uphold),
      make("button", { type: "button", "aria-pressed": String(one.state === "overturned"), onclick: () => settle("overturned") }, words.overturn),
    );
  }
  return make(
    "li",
    { class: `${one.kind}${one.state === "gone" ? " withdrawn" : ""}` },
    make("span", { class: "kind" }, `${words[one.kind]} ${one.number} · ${words[`state_${one.state}`]}`),
    make("span", { class: "soft" }, ` ${clock(one.t_s)} · ${words[one.certainty]}`),
    make("p", { class: "text" }, one.text),
    rule,
    make("div", { class: "buttons" }, ...buttons),
  );
}

async function load() {
  const cases = await fetchJson("/incidents.json");
  const now = JSON.stringify(cases);
  if (now === shown) return;
  shown = now;
  at("none").hidden = cases.length > 0;
  at("cases").replaceChildren(...cases.reverse().map(caseItem));
}

follow(load);
