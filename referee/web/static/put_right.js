import { change, clock, coloured, fetchJson, follow, make, referee, words } from "./live.js";

const at = (id) => document.getElementById(id);
let shown = null;
let seats = [];
let moves = [];

async function put(correction) {
  if (await change("/corrections", correction)) {
    shown = null;
    if (at("unseen")) at("unseen").open = false;
    await load();
  }
}

function button(label, correction, extra = {}) {
  return make("button", { type: "button", onclick: () => put(correction), ...extra }, label);
}

// Any card, in two taps: `correction` says what is sent for its code.
function cardButtons(correction) {
  const symbols = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "S", "R", "D"];
  const choices = make("div", { class: "buttons" });
  for (const colour of ["R", "Y", "G", "B"]) {
    choices.append(make("button", { type: "button", onclick: () => {
      choices.replaceChildren(...symbols.map((symbol) => button(coloured(colour, words[`symbol_${symbol}`] ?? symbol), correction(colour + symbol))));
      choices.querySelector("button").focus();
    } }, coloured(colour, words[`colour_${colour}`])));
  }
  choices.append(...["W", "W4"].map((code) => button(words[`symbol_${code}`], correction(code))));
  return choices;
}

function colourButtons(move) {
  const choices = cardButtons((card) => ({ what: "card", about: [move.id], card }));
  return make("details", {}, make("summary", {}, words.other_card), choices);
}

// What nobody saw: who, then which card or how many. The table puts it at this moment of the game.
function offerUnseen() {
  const next = at("unseen-next");
  const people = seats.map((seat) => make("button", { type: "button", onclick: () => {
    const counts = [1, 2, 4].map((count) => button(`${words.drew} ${count}`, { what: "drew", seat: seat.seat, count }));
    next.replaceChildren(make("span", { class: "label" }, seat.name), cardButtons((card) => ({ what: "played", seat: seat.seat, card })), make("div", { class: "buttons" }, ...counts));
    next.querySelector("button").focus();
  } }, seat.name));
  at("unseen-who").replaceChildren(...people);
  next.replaceChildren();
}

function moveItem(move) {
  const item = make("li", {});
  const who = move.name ?? "–";
  const head = { card: words.laid, drew: words.drew, call: words.said }[move.what];
  const what = { card: () => coloured(move.card.code, move.card.words), drew: () => String([...new Set(move.count)].join("–")), call: () => move.call }[move.what]();
  item.append(make("span", { class: "soft" }, `${clock(move.t_s)} `), make("p", { class: "text" }, make("b", {}, who), ` ${head} `, what));
  if (!referee) return item;
  const about = [move.id];
  const never = button(words.did_not_happen, { what: "never", about });
  if (move.what === "card") {
    const likely = move.others.map((card) => button(coloured(card.code, card.words), { what: "card", about, card: card.code }));
    item.append(make("span", { class: "label" }, words.was_it), make("div", { class: "buttons" }, ...likely, never), colourButtons(move));
    const call = button(words.call_made, { what: "call", at_s: move.t_s + 0.05, call: "uno" });
    item.append(make("div", { class: "buttons" }, call));
  }
  if (move.what === "drew") {
    const counts = [1, 2, 3, 4, 6].map((count) => button(String(count), { what: "drew", about, count }));
    item.append(make("span", { class: "label" }, words.how_many), make("div", { class: "buttons" }, ...counts, never));
  }
  if (move.what === "call") item.append(make("div", { class: "buttons" }, never));
  if (move.what !== "call") {
    const others = seats.filter((seat) => seat.seat !== move.seat);
    const people = others.map((seat) => button(seat.name, { what: "seat", about, seat: seat.seat }));
    item.append(make("details", {}, make("summary", {}, words.who_was_it), make("div", { class: "buttons" }, ...people)));
  }
  return item;
}

async function load() {
  moves = await fetchJson("/moves.json");
  const now = JSON.stringify(moves);
  // A choice that is open is not taken from under somebody's finger.
  if (now === shown || document.querySelector("#moves details[open]")) return;
  shown = now;
  at("moves").replaceChildren(...moves.map(moveItem));
  at("nothing").hidden = moves.length > 0;
  if (at("undo")) at("undo").disabled = moves.length === 0;
}

at("undo")?.addEventListener("click", () => moves[0] && put({ what: "never", about: [moves[0].id] }));

at("unseen")?.addEventListener("toggle", offerUnseen);

follow((board) => {
  seats = board.seats;
  load();
});
