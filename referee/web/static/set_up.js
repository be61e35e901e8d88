import { change, fetchJson, make, words } from "./live.js";

const at = (id) => document.getElementById(id);
const done = at("done");
let names = [];
let asking = [];
let taps = [];

function nameOf(index) {
  return names[index]?.trim() || words.su_player.replace("{count}", index + 1);
}

function drawPlayers() {
  at("players").replaceChildren(...names.map((name, index) => {
    const label = words.su_player.replace("{count}", index + 1);
    const field = make("input", { type: "text", maxlength: "24", value: name, "aria-label": label, placeholder: label, oninput: (event) => {
      names[index] = event.target.value;
      drawDealers();
      drawUno({});
    } });
    const remove = make("button", { type: "button", "aria-label": `${words.su_remove} ${label}`, onclick: () => {
      names.splice(index, 1);
      drawPlayers();
    } }, "−");
    return make("li", {}, field, names.length > 2 ? remove : null);
  }));
  at("add").disabled = names.length >= 10;
  drawDealers();
  drawUno({});
}

function drawDealers(wanted = at("dealer").value) {
  at("dealer").replaceChildren(...names.map((_, index) => make("option", { value: `P${index + 1}` }, nameOf(index))));
  at("dealer").value = names.some((_, index) => `P${index + 1}` === wanted) ? wanted : `P${names.length}`;
}

// What was heard of a player, and by what the player is known from now on.
function heardOf(seat, state) {
  const result = state.uno?.[seat];
  const known = (state.known?.[seat] ?? []).map((way) => words[`su_by_${way}`]);
  if (result === "heard" && state.voices.learn && !state.known[seat]?.includes("voice")) known.push(words.su_once_more);
  return [...(result ? [words[`su_${result}`]] : []), ...known].join(", ");
}

function drawUno(state) {
  at("uno").replaceChildren(...names.map((_, index) => {
    const seat = `P${index + 1}`;
    const button = make("button", { type: "button", onclick: () => change(`/uno/${seat}`) }, words.su_say.replace("{name}", nameOf(index)));
    return make("li", {}, button, make("span", { role: "status" }, heardOf(seat, state)));
  }));
}

async function showDifferences() {
  const found = await fetchJson(`/rules/${encodeURIComponent(at("profile").value)}`);
  at("differences").replaceChildren(...(found.length ? found : [words.su_same]).map((text) => make("li", {}, text)));
}

// House rules in plain questions, each answered at first as the chosen rules do.
let base = "";
let values = [];

async function askQuestions() {
  const chosen = at("profile").value;
  base = chosen.endsWith(".toml") ? base || "classic-108" : chosen;
  const found = await fetchJson(`/questions/${encodeURIComponent(chosen)}`);
  values = found.map((one) => one.value);
  at("asked").replaceChildren(...found.map((one, index) => {
    const choice = make("select", { onchange: (event) => { values[index] = one.answers[event.target.selectedIndex].value; } }, ...one.answers.map((answer) => make("option", { selected: answer.value === one.value }, answer.says)));
    choice.dataset.option = one.option;
    return make("label", { class: "field" }, make("span", {}, one.question), choice);
  }));
}

async function answer() {
  const answers = Object.fromEntries([...at("asked").querySelectorAll("select")].map((choice, index) => [choice.dataset.option, values[index]]));
  if (!(await change("/house-rules", { base, answers }))) return;
  const state = await refresh();
  drawRules(state.rules, state.settings.table.profile);
  done.textContent = words.su_saved;
}

function drawRules(rules, chosen) {
  at("profile").replaceChildren(...rules.map((rule) => make("option", { value: rule.name }, rule.name.endsWith(".toml") ? rule.title : `${rule.title} (${rule.name})`)));
  at("profile").value = chosen;
  showDifferences();
  askQuestions();
}

async function save() {
  const players = names.map((name, index) => name.trim() || `P${index + 1}`);
  const table = { players, dealer: at("dealer").value, profile: at("profile").value, language: at("language").value, strictness: at("strictness").value };
  if (await change("/settings", { table })) done.textContent = words.su_saved;
  done.scrollIntoView({ block: "nearest" });
}

function ask() {
  const next = asking[taps.length];
  at("ask").textContent = next ? next.text : "";
  const ratio = at("picture").naturalWidth / at("picture").naturalHeight || 1;
  const svg = at("marks");
  svg.setAttribute("viewBox", `0 0 ${ratio} 1`);
  svg.replaceChildren(...taps.map(([x, y], index) => {
    const text = document.createElementNS("http://www.w3.org/2000/svg", "text");
    text.setAttribute("x", x * ratio);
    text.setAttribute("y", y);
    text.setAttribute("class", "tag tap");
    text.textContent = asking[index].label;
    return text;
  }));
}

function begin(steps) {
  asking = steps;
  taps = [];
  ask();
  at("tapped").scrollIntoView({ block: "center" });
}

async function tapped(point) {
  if (!asking.length || taps.length >= asking.length) return;
  taps.push(point);
  ask();
  if (taps.length < asking.length) return;
  const steps = asking;
  asking = [];
  if (steps[0].name === "corner") {
    await send("/calibration/solve", { corners: taps });
    return;
  }
  const places = { seats: {} };
  steps.forEach((step, index) => {
    if (step.seat) places.seats[step.seat] = taps[index];
    else places[step.name] = taps[index];
  });
  if (await send("/calibration/place", places)) {
    at("preview").src = `/preview.png?at=${Date.now()}`;
    at("preview").hidden = false;
    done.textContent = words.su_stored;
  }
}

async function send(path, body) {
  const response = await fetch(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
  const answer = JSON.parse(await response.text().then((text) => (text.startsWith("{") ? text : JSON.stringify({ fault: text }))));
  done.classList.toggle("fault", !response.ok);
  done.textContent = response.ok ? words.su_found : answer.fault;
  at("notes").replaceChildren(...(answer.notes ?? []).map((text) => make("li", {}, text)));
  done.scrollIntoView({ block: "nearest" });
  await refresh();
  return response.ok;
}

at("tapped").addEventListener("click", (event) => {
  const box = at("picture").getBoundingClientRect();
  tapped([(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height].map((v) => Math.min(1, Math.max(0, v))));
});
at("add").addEventListener("click", () => {
  names.push("");
  drawPlayers();
});
at("save").addEventListener("click", save);
at("profile").addEventListener("change", () => {
  showDifferences();
  askQuestions();
});
at("answer").addEventListener("click", answer);
at("voices").addEventListener("change", (event) => change("/voices", { learn: event.target.checked }));
at("by-sheet").addEventListener("click", () => send("/calibration/solve", { corners: null }));
at("by-corners").addEventListener("click", () => begin([1, 2, 3, 4].map((n) => ({ name: "corner", label: String(n), text: words.su_tap_corner.replace("{count}", n) }))));
at("by-taps").addEventListener("click", () => begin([
  { name: "discard", label: words.discard_pile, text: words.su_tap_discard },
  { name: "draw", label: words.draw_pile, text: words.su_tap_draw },
  ...names.map((_, index) => ({ seat: `P${index + 1}`, label: nameOf(index), text: words.su_tap_seat.replace("{name}", nameOf(index)) })),
]));

async function refresh() {
  const state = await fetchJson("/state.json");
  at("no-sound").hidden = state.hears;
  at("level").value = state.level ? state.level.rms_dbfs : -60;
  at("calibrated").textContent = state.calibration.stored ? words.su_done : words.su_none;
  at("by-taps").hidden = !state.calibration.solved;
  at("remarks").replaceChildren(...state.remarks.map((text) => make("li", { class: "bad" }, text)));
  at("voices-row").hidden = !(state.hears && state.voices.can);
  if (document.activeElement !== at("voices")) at("voices").checked = state.voices.learn;
  [...at("uno").children].forEach((row, index) => {
    const text = heardOf(`P${index + 1}`, state);
    if (row.lastChild.textContent !== text) row.lastChild.textContent = text;
  });
  return state;
}

async function look() {
  try {
    const next = new Image();
    next.src = `/picture.jpg?at=${Date.now()}`;
    await next.decode();
    at("picture").src = next.src;
    at("picture").hidden = false;
    at("no-picture").hidden = true;
    await refresh();
  } catch { /* no picture yet */ }
  setTimeout(look, asking.length ? 2000 : 700);
}

const state = await refresh();
const table = state.settings.table;
names = table.players.length ? [...table.players] : ["", "", ""];
drawRules(state.rules, table.profile);
at("language").value = table.language;
at("strictness").value = table.strictness;
drawPlayers();
const dealer = table.players.indexOf(table.dealer);
drawDealers(dealer >= 0 ? `P${dealer + 1}` : table.dealer || undefined);
look();
