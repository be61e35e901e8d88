"""Opens eye and ear for a plan: zones and card models for the picture, phrase pack and speech model for the sound."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from referee.capture.media import MediaFacts, probe, sound_chunks
from referee.cards import Seat
from referee.faults import InputFault
from referee.hearing.direction import alike
from referee.hearing.ear import open_listener
from referee.hearing.listener import Listener
from referee.hearing.speakers import SpeakerEar
from referee.hearing.voiceprint import MEND, VoiceEncoder, VoicePrint, voice_encoder
from referee.hearing.vosk_recogniser import HearingUnavailable
from referee.session.plan import SessionPlan
from referee.session.voiceprints import known_voices
from referee.vision.reader import CardReader, open_reader
from referee.vision.steady import SteadyEye, require_same_camera, steady_eye
from referee.vision.zones import TableZones


@dataclass(frozen=True, slots=True)
class Senses:
    """What the pipeline needs. ear None: nothing can be heard; `remarks` say what is missing, one line each."""

    eye: SteadyEye
    ear: Listener | SpeakerEar | None
    zones: TableZones
    facts: MediaFacts
    remarks: tuple[str, ...]


def open_senses(
    plan: SessionPlan,
    *,
    reader: CardReader | None = None,
    speech_model: Path | None = None,
    facts: MediaFacts | None = None,
) -> Senses:
    """Eye and ear for the recording of `plan`, or for a live table that gives what `facts` say.

    Raises InputFault when the recording holds no picture or cannot be read, when the zones or the card models are
    faulty, or when a speech model that was asked for is. A recording without sound is judged without hearing.
    """
    facts = facts or _facts(plan)
    remarks: list[str] = []
    if plan.calibration:
        zones = TableZones.from_toml(plan.calibration)
        require_same_camera(zones, (facts.width_px, facts.height_px), plan.calibration)
    else:
        zones = TableZones.whole_frame_guess(facts.width_px, facts.height_px, len(plan.players))
        remarks.append("no calibration: piles and seats are guessed from the whole frame")
    if not facts.has_audio:
        remarks.append("the recording has no sound: calls are not judged")
        ear = None
    else:
        ear = _ear(plan, speech_model, remarks)
    return Senses(steady_eye(zones, reader or open_reader(deck=plan.deck)), ear, zones, facts, tuple(remarks))


def _ear(plan: SessionPlan, speech_model: Path | None, remarks: list[str]) -> Listener | SpeakerEar | None:
    try:
        ear = open_listener(plan.language, speech_model, words=plan.words, told=remarks.append)
    except HearingUnavailable as fault:  # no Vosk for this system: the table is judged by sight (V7)
        remarks.append(str(fault))
        return None
    voices, encoder = _voices(plan, remarks)
    if not plan.voices and encoder is None:
        return ear
    for one, other in alike(plan.voices or {}):
        remarks.append(f"{plan.name(one)} and {plan.name(other)} sound alike to these microphones: turn or move them")
    return SpeakerEar(ear, plan.voices or {}, voices, encoder)


def _voices(plan: SessionPlan, remarks: list[str]) -> tuple[dict[Seat, VoicePrint], VoiceEncoder | None]:
    """The learnt voices of these players, with what knows them. They are a hint: a fault of theirs is a remark."""
    try:
        voices = known_voices({seat: name for seat, name in plan.players.items() if name})
        encoder = voice_encoder() if voices else None
    except InputFault as fault:
        remarks.append(f"players' voices are not known: {fault}")
        return {}, None
    if voices and encoder is None:
        remarks.append(f"players' voices were learnt, and the encoder that knows them is missing: {MEND}")
    return voices, encoder


def _facts(plan: SessionPlan) -> MediaFacts:
    """What the first recording that holds a picture holds."""
    fault: InputFault | None = None
    for media in plan.media:
        try:
            facts = probe(media)
        except InputFault as unreadable:  # a recorder that was killed may leave an empty piece
            if not plan.recorded:
                raise
            fault = fault or unreadable
            continue
        if facts.has_video:
            return replace(facts, has_audio=facts.has_audio and _sounds(media))
    if fault:
        raise fault
    where = str(plan.media[0] if plan.media else plan.folder)
    mend = "give a video of the table" if plan.media else "its media were deleted: judge it with --from-log"
    raise InputFault("holds no picture", where=where, mend=mend)


def _sounds(media: Path) -> bool:
    """A recorder without a microphone may leave an empty track: that is no sound either."""
    try:
        return next(sound_chunks(media), None) is not None
    except InputFault:
        return False
