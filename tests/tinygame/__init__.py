"""A made-up game for two that exists to test what serves games: hidden information, chance in both modes."""
