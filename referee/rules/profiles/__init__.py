"""Rule profiles: what one table plays by, with the document line behind every option."""

from referee.rules.profiles.options import CardValues, CustomRule, Profile

__all__ = ["CardValues", "CustomRule", "Profile"]
