"""A tournament's book: who plays, at which table each round, with what result, and who leads."""
