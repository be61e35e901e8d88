import { follow, make, words } from "./live.js";

const at = (id) => document.getElementById(id);
let board = null;
let cameAt = 0;

/** `{ago_s: 75}` as `1 min`, counted on since the board came; empty where nobody knows since when. */
function since(one) {
  if (one.ago_s == null) return "";
  const seconds = one.ago_s + (performance.now() - cameAt) / 1000;
  if (seconds < 60) return `${Math.floor(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

function fill(text, values) {
  return text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}

/** A time that counts on by itself: see `tick`. */
function timer(one) {
  const element = make("span", { class: "since" }, since(one));
  element.timed = one;
  return element;
}

function needItem(need) {
  const part = words[`hall_part_${need.part}`] ?? need.part;
  return make("li", { class: "need" }, make("b", {}, fill(words[`hall_need_${need.code}`], { part })), timer(need));
}

function statusText(table) {
  if (table.status === "online") return table.phase ? words[`hall_phase_${table.phase}`] : "…";
  return fill(words[`hall_${table.status}`], { count: table.instances });
}

function playerItem(player) {
  const name = make("span", { class: "who" }, player.name, player.won ? make("b", { class: "won" }, ` ${words.hall_won}`) : null);
  return make("li", {}, name, make("span", { class: "points" }, String(player.points)));
}

function rulingItem(ruling) {
  const kind = `${words[ruling.kind]} · ${words[ruling.certainty]}${ruling.standing ? "" : ` · ${words.withdrawn}`}`;
  return make("li", { class: `${ruling.kind}${ruling.standing ? "" : " withdrawn"}` }, make("span", { class: "kind" }, kind), make("p", { class: "text" }, ruling.text));
}

function clockNote(table) {
  const direction = table.clock_off_s > 0 ? words.hall_clock_ahead : words.hall_clock_behind;
  return make("p", { class: "small" }, fill(direction, { count: Math.abs(table.clock_off_s) }));
}

function tableItem(table) {
  const urgent = table.needs.length > 0 || table.status === "same_name";
  const round = table.round ? make("span", { class: "round" }, `${words.round} ${table.round}`) : null;
  const away = table.status !== "online";
  const state = make("p", { class: "state" }, make("span", { class: "lamp", "aria-hidden": "true" }), make("span", {}, statusText(table)), away && table.ago_s != null ? timer(table) : null);
  const said = table.needs.length > 0 && ["asking", "out_of_step"].includes(table.phase);  // the need says it
  const list = (name, items) => (items.length ? make("ul", { class: name }, ...items) : null);
  return make(
    "li",
    { class: `table is-${table.status}${urgent ? " urgent" : ""}` },
    make("div", { class: "head" }, make("h3", {}, table.name), round),
    list("needs", table.needs.map(needItem)),
    said ? null : state,
    list("players", (table.players ?? []).map(playerItem)),
    list("told", (table.rulings ?? []).slice(0, urgent ? 2 : 1).map(rulingItem)),
    table.clock_off_s == null ? null : clockNote(table),
  );
}

function count(number, text, kind) {
  return make("li", { class: number ? kind : "" }, make("strong", {}, String(number)), text);
}

function noteItem(fault) {
  return make("li", { class: "warning" }, fill(words[`hall_fault_${fault.kind}`], fault), make("span", { class: "small" }, ` ${fault.why}`));
}

function group(part, id, tables) {
  if (part) at(part).hidden = tables.length === 0;
  at(id).replaceChildren(...tables.map(tableItem));
}

function show() {
  const urgent = board.tables.filter((table) => table.needs.length || table.status === "same_name");
  const away = board.tables.filter((table) => ["offline", "stale"].includes(table.status));
  const ended = board.tables.filter((table) => table.status === "ended");
  const playing = board.tables.filter((table) => table.status === "online" && !table.needs.length);
  at("counts").replaceChildren(
    count(board.tables.length, words.hall_count_tables, ""),
    count(urgent.length, words.hall_count_needs, "ask"),
    count(away.length, words.hall_count_away, "bad"),
  );
  group("needs-part", "needs", urgent);
  group("away-part", "away", away);
  group(null, "playing", playing);
  group("ended-part", "ended", ended);
  at("none").hidden = playing.length > 0;
  at("none").textContent = board.tables.length ? words.hall_all_shown : words.hall_none;
  const broker = at("broker");
  broker.hidden = board.broker.state === "running";
  const text = board.broker.state === "refused" ? words.hall_broker_refused : words.hall_broker_lost;
  broker.replaceChildren(make("b", {}, fill(text, board.broker)), " ", timer(board.broker));
  const notes = board.faults.map(noteItem);
  if (board.fault) notes.push(make("li", { class: "warning" }, board.fault));
  if (board.left_out) notes.push(make("li", { class: "warning" }, fill(words.hall_left_out, { count: board.left_out })));
  at("notes").replaceChildren(...notes);
  at("overall-part").hidden = board.standings.length === 0;
  at("overall").replaceChildren(
    ...board.standings.map((one) =>
      make("tr", {}, make("td", {}, String(one.place)), make("th", { scope: "row" }, one.name), make("td", {}, one.match_points), make("td", {}, String(one.card_points))),
    ),
  );
}

function tick() {
  for (const element of document.querySelectorAll(".since")) if (element.timed) element.textContent = since(element.timed);
}

follow((came) => {
  board = came;
  cameAt = performance.now();
  show();
});
setInterval(tick, 1000);
