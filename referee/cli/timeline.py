"""The story of a session on the screen: what was seen, heard and ruled, with times."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from referee.cards import Card, Colour, Seat
from referee.fusion.desk import Judged, Question
from referee.fusion.readings import SURE
from referee.observations import CallHeard, Observation
from referee.rules import entries as e
from referee.rules.messages import card_words, colour_word
from referee.rules.ruling import Incident
from referee.rules.scoring import SheetLine
from referee.session.plan import SessionPlan
from referee.session.telling import Entered, Ruled, Scored, Told
from referee.session.times import clock

_KIND_STYLE = {"foul": "bold white on red", "question": "bold black on yellow", "note": "bold white on blue"}


class Timeline:
    """Writes one line for each thing that happened, and a block for each ruling."""

    def __init__(self, out: Console, plan: SessionPlan, language: str) -> None:
        self._out = out
        self._plan = plan
        self._language = language

    def told(self, told: Told) -> None:
        """Whatever the referee tells."""
        match told:
            case Observation():
                self.heard(told)
            case Entered(judged=judged, confidence=confidence):
                self.entry(judged, confidence)
            case Ruled(incident=incident, picture=picture):
                self.ruling(incident, str(picture) if picture else None)
            case Question():
                self.question(told)
            case Scored():
                pass

    def heard(self, observation: Observation) -> None:
        """A call, as soon as it is known; other observations speak through the entries they lead to."""
        if not isinstance(observation, CallHeard):
            return
        if observation.phase == "confirmed" and observation.certainty == "sure":
            word = self._call(observation.call)
            self._line(observation.t_s, "heard", f"[cyan]{escape(word)}[/]", f"{observation.confidence:.0%}")

    def entry(self, judged: Judged, confidence: float | None = None) -> None:
        """An entry in plain words; `confidence` of what was seen, where it was seen."""
        words = self._words(judged.entry)
        if words:
            sure = "" if confidence is None else f"{confidence:.0%}"
            self._line(judged.t_s, self._who(judged.entry), words, sure)

    def ruling(self, incident: Incident, picture: str | None = None) -> None:
        """What was wrong, what to do, the rule behind it, and where the picture lies."""
        mark = Text(f" {incident.kind.upper()} ", style=_KIND_STYLE[incident.kind])
        self._out.print(Text("          ").append_text(mark).append(f" {incident.say(self._language)}", style="bold"))
        details = [f"certainty: {incident.certainty}"]
        if incident.rule:
            details.append(f"rule: {incident.rule}")
        if picture:
            details.append(f"picture: {picture}")
        for detail in details:
            self._out.print(f"          {escape(detail)}", style="dim", soft_wrap=True)

    def question(self, question: Question) -> None:
        """Something to ask the table."""
        mark = Text(" QUESTION ", style=_KIND_STYLE["question"])
        self._out.print(Text("          ").append_text(mark).append(f" {question.text}"))

    def summary(self, standing: Sequence[Incident], sheet: Sequence[SheetLine]) -> None:
        """The rulings that stand, and the score table."""
        fouls = [incident for incident in standing if incident.kind == "foul"]
        asked = sum(incident.kind == "question" for incident in standing)
        self._out.print()
        self._out.print(f"[bold]{_counted(len(fouls), 'foul')}[/bold], {_counted(asked, 'open question')}.")
        for incident in fouls:
            self._out.print(f"  • {escape(incident.say(self._language))}")
        if not sheet:
            self._out.print("No round was finished: there is no score.")
            return
        seats = tuple(self._plan.players)
        grid = Table("round", "won by", *(f"{s} {self._plan.players[s]}".strip() for s in seats), title="Score")
        for line in sheet:
            gained = line.score.points
            cells = [f"{line.totals.get(s, 0)}" + (f" (+{gained[s]})" if gained.get(s) else "") for s in seats]
            grid.add_row(str(line.number), self._plan.name(line.score.winner), *cells)
        self._out.print(grid)
        hands = ", ".join(f"{self._plan.name(seat)} {points}" for seat, points in sheet[-1].score.hands.items())
        self._out.print(f"[dim]Hands counted in the last round: {escape(hands)}[/]")

    def _line(self, t_s: float, who: str, what: str, sure: str) -> None:
        self._out.print(f"[dim]{clock(t_s):>8}[/]  {escape(who):<14} {what}" + (f"  [dim]{sure}[/]" if sure else ""))

    def _who(self, entry: e.Entry | e.Result) -> str:
        subject = entry.winner if isinstance(entry, e.Result) else entry.subject
        if isinstance(subject, Seat):
            name = self._plan.name(subject)
            return str(subject) if name == str(subject) else f"{subject} {name}"
        return str(subject or "table")

    def _call(self, call: str) -> str:
        kind, _, letter = call.partition(":")
        if kind == "colour":
            return f'"{colour_word(_COLOURS[letter], self._language)}!"'
        return _SAID.get(call, f'"{call}"')

    def _words(self, entry: e.Entry | e.Result) -> str:
        if isinstance(entry, e.Result):
            return "[bold green]wins the round[/]"
        return ", ".join(words for event in entry.events if (words := self._event(event)))

    def _event(self, event: e.Event) -> str:
        say = self._language
        match event:
            case e.Play(readings=cards, colour=colour, confidence=doubt):
                named = f" and names {colour_word(colour, say)}" if isinstance(colour, Colour) else ""
                others = f" (or {' or '.join(card_words(c, say) for c in cards[1:])})" if len(cards) > 1 else ""
                unsure = " [yellow]perhaps[/]" if doubt is not None and doubt < SURE else ""
                return f"lays{unsure} {self._card(cards[0])}{others}{named}"
            case e.Opening(card=card):
                return f"first card: {self._card(card)}"
            case e.Draw(count=count, cause=cause, most=most):
                why = "" if cause is None or cause == "turn" else f" ({_CAUSES[cause]})"
                return f"draws {count if most is None else f'{count} to {most}'}{why}"
            case e.Pass():
                return "passes"
            case e.TakeBack(card=card):
                return f"takes back {self._card(card)}"
            case e.Show(cards=cards):
                return "shows " + ", ".join(self._card(card) for card in cards)
            case e.ColourCall(colour=Colour() as colour):
                return f"names {colour_word(colour, say)}"
            case e.SayUno():
                return 'calls [cyan]"UNO!"[/]'
            case e.Catch(seat=seat):
                return f"catches {self._plan.name(seat)}: no UNO call"
            case e.Challenge():
                return "challenges the Wild Draw Four"
            case e.Verdict(word=word):
                return f"rules: {word}"
            case _:
                return ""

    def _card(self, card: Card) -> str:
        style = {"R": "red", "Y": "yellow", "G": "green", "B": "blue"}.get(str(card.colour), "magenta")
        return f"[{style}]{escape(card_words(card, self._language))}[/]"


def _counted(number: int, noun: str) -> str:
    return f"{number or 'no'} {noun}{'' if number == 1 else 's'}"


_SAID = {"uno": '"UNO!"', "catch": '"You didn\'t say UNO!"', "challenge": '"I challenge!"'}
_COLOURS = {colour.value: colour for colour in Colour}
_CAUSES = {
    "d2": "Draw Two",
    "w4": "Wild Draw Four",
    "uno": "missed UNO call",
    "bluff": "challenge lost",
    "doubt": "challenge failed",
    "foul": "penalty",
    "tip": "advice",
    "house": "house rule",
    "start": "first card",
}
