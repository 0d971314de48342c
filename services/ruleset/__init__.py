"""Where the rules of a game and the service around them meet: plain data and one protocol.

Nothing here knows a game, a wire format, a clock or a file.  A bot trainer that imports the
rules of a game in-process needs this package and the game's `rules`, and nothing else.
"""
