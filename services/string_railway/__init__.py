"""String Railway: rules, facts and texts of a game that is played with strings on a plane (SR-1 to SR-15)."""
