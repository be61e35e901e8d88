import { clock, coloured, follow, language, make, nameOf, phaseWords, words } from "./live.js";

const at = (id) => document.getElementById(id);
const VOICES = { en: "en", pt: "pt", es: "es", ro: "ro" };
let speaking = false;
let spoken = null;

function cardsText(seat) {
  if (!seat.cards) return words.cards_unknown;
  const [least, most] = seat.cards;
  if (least !== most) return `${least}–${most} ${words.cards}`;
  return `${least} ${least === 1 ? words.card : words.cards}`;
}

function seatItem(board, seat) {
  const facts = [cardsText(seat)];
  if (seat.owes) facts.push(words.owes.replace("{count}", seat.owes));
  if (seat.uno === "open") facts.push(words.uno_open);
  if (seat.uno === "called") facts.push(words.uno_called);
  const turn = board.turn === seat.seat;
  const name = make("span", { class: "name" }, seat.name);
  const points = make("span", { class: "points" }, String(seat.points), make("small", {}, words.points));
  const line = make("span", { class: "facts" }, turn ? make("b", {}, `${words.turn} · `) : null, facts.join(" · "));
  return make("li", { class: turn ? "turn" : "" }, name, points, line);
}

function rulingItem(said) {
  const kind = `${words[said.kind]} · ${words[said.certainty]}${said.standing ? "" : ` · ${words.withdrawn}`}`;
  return make(
    "li",
    { class: `${said.kind}${said.standing ? "" : " withdrawn"}` },
    make("span", { class: "kind" }, kind),
    make("span", { class: "soft" }, ` ${clock(said.t_s)}`),
    make("p", { class: "text" }, said.text),
  );
}

// Speaks what is new, once; what was said before this page was opened, or has been taken back, is not spoken.
function speak(board) {
  const sure = board.said.filter((said) => said.standing && said.kind !== "note");
  const newest = sure.at(-1);
  const key = newest ? `${newest.t_s} ${newest.text}` : "";
  if (spoken !== null && key && key !== spoken && speaking && "speechSynthesis" in window) {
    const saying = new SpeechSynthesisUtterance(newest.text);
    saying.lang = VOICES[language] ?? "en";
    speechSynthesis.cancel();
    speechSynthesis.speak(saying);
  }
  spoken = key;
}

at("voice").addEventListener("click", () => {
  speaking = !speaking;
  at("voice").setAttribute("aria-pressed", String(speaking));
  at("voice").textContent = speaking ? words.mute : words.unmute;
  if (!speaking && "speechSynthesis" in window) speechSynthesis.cancel();
});

follow((board) => {
  at("phase").textContent = `${words.round} ${board.round} · ${phaseWords(board)}`;
  at("top").replaceChildren(board.top ? coloured(board.top.code, board.top.words) : "–");
  at("colour").replaceChildren(board.colour ? coloured(board.colour.code, board.colour.words) : "–");
  at("turn").textContent = board.turn ? nameOf(board, board.turn) : "–";
  at("direction").textContent = board.turn ? (board.direction > 0 ? `↻ ${words.direction_right}` : `↺ ${words.direction_left}`) : "";
  const open = board.uno_window;
  at("uno").textContent = open ? `${nameOf(board, open.seat)} ${words.uno_open}` : "";
  at("uno").classList.toggle("open", Boolean(open));
  at("hears").hidden = board.calls_judged || board.phase === "ended";
  at("seats").replaceChildren(...board.seats.map((seat) => seatItem(board, seat)));
  const rulings = board.said.filter((said) => said.kind !== "note").reverse();
  at("rulings").replaceChildren(...(rulings.length ? rulings.map(rulingItem) : [make("li", { class: "none" }, words.no_rulings)]));
  speak(board);
});
