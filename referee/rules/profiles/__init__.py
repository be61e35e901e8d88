"""Rule profiles: what one table plays by, with the document line behind every option."""

from referee.rules.profiles.loader import ProfileFault, load_profile, preset_names
from referee.rules.profiles.options import CardValues, CustomRule, Profile

__all__ = ["CardValues", "CustomRule", "Profile", "ProfileFault", "load_profile", "preset_names"]
