// Answers one JSON request a line about uno-engine:
//   {op: "version"}                          -> {version}
//   {op: "scores", cards}                    -> {scores: {card: points}}
//   {op: "matches", cards, top}              -> {matches: {card: true or false}}
//   {op: "position", hands, top, turn}       -> {plays: {card: state or null}}, each card of the hand laid afresh;
//                                               null where the engine refuses it
//   {op: "deal", seed}                       -> state of a new round of two
//   {op: "lay", card} {op: "draw"} {op: "pass"} -> state of that round after it
// Cards are written R5, GS, BD, YR, and a wild with its colour: W>B, W4>R. A state is
// {turn, hands, top, unseen, over, score}; players are 0 and 1.
"use strict";
const readline = require("node:readline");
const { Card, Color, Game, Value } = require("uno-engine");

const COLOURS = { R: Color.RED, B: Color.BLUE, G: Color.GREEN, Y: Color.YELLOW };
const ACTIONS = { D: Value.DRAW_TWO, R: Value.REVERSE, S: Value.SKIP };
const NAMES = ["0", "1"];

// The engine deals by Math.random: a seeded one makes its rounds the same every time (a linear congruential
// generator with the constants of Numerical Recipes).
let state = 1;
Math.random = () => {
  state = (Math.imul(1664525, state) + 1013904223) >>> 0;
  return state / 2 ** 32;
};

function cardOf(code) {
  const [face, colour] = code.split(">");
  if (face === "W") return new Card(Value.WILD, COLOURS[colour]);
  if (face === "W4") return new Card(Value.WILD_DRAW_FOUR, COLOURS[colour]);
  const symbol = face[1];
  return new Card(symbol in ACTIONS ? ACTIONS[symbol] : Number(symbol), COLOURS[face[0]]);
}

function codeOf(card) {
  if (card.isWildCard()) return card.value === Value.WILD ? "W" : "W4";
  const symbol = Object.keys(ACTIONS).find((name) => ACTIONS[name] === card.value);
  return Object.keys(COLOURS).find((name) => COLOURS[name] === card.color) + (symbol || card.value);
}

function newRound() {
  const round = { game: new Game(NAMES), over: false, score: null };
  round.game.on("end", (event) => {
    round.over = true;
    round.score = event.score;
  });
  return round;
}

function stateOf({ game, over, score }) {
  return {
    turn: Number(game.currentPlayer.name),
    hands: NAMES.map((name) => game.getPlayer(name).hand.map(codeOf)),
    top: codeOf(game.discardedCard),
    unseen: game.deck.length,
    over,
    score,
  };
}

function layIn(round, code) {
  const wanted = cardOf(code);
  const held = round.game.currentPlayer.hand.find((card) => codeOf(card) === codeOf(wanted));
  if (held.isWildCard()) held.color = wanted.color;
  round.game.play(held);
}

function roundAt({ hands, top, turn }) {
  const round = newRound();
  NAMES.forEach((name, player) => {
    round.game.getPlayer(name).hand = hands[player].map(cardOf);
  });
  round.game.discardedCard = cardOf(top);
  round.game.currentPlayer = round.game.getPlayer(NAMES[turn]);
  return round;
}

function laid(request, code) {
  const round = roundAt(request);
  try {
    layIn(round, code);
  } catch (refusal) {
    if (!/does not match/.test(refusal.message)) throw refusal;
    return null;
  }
  return stateOf(round);
}

const each = (codes, found) => Object.fromEntries(codes.map((code) => [code, found(code)]));
let current = null;

const ANSWERS = {
  version: () => ({ version: require("uno-engine/package.json").version }),
  scores: ({ cards }) => ({ scores: each(cards, (code) => cardOf(code).score) }),
  matches: ({ cards, top }) => ({ matches: each(cards, (code) => cardOf(code).matches(cardOf(top))) }),
  position: (request) => ({ plays: each(request.hands[request.turn], (code) => laid(request, code)) }),
  deal: ({ seed }) => {
    state = seed;
    current = newRound();
    return stateOf(current);
  },
  lay: ({ card }) => {
    layIn(current, card);
    return stateOf(current);
  },
  draw: () => {
    current.game.draw();
    return stateOf(current);
  },
  pass: () => {
    current.game.pass();
    return stateOf(current);
  },
};

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const request = JSON.parse(line);
  process.stdout.write(JSON.stringify(ANSWERS[request.op](request)) + "\n");
});
