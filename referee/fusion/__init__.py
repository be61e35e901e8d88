"""From observations to game entries: who did what. Sees no device and no library of the senses."""
