"""The gRPC service around a game.  It knows games only as `services.chassis.game.Game`, and names none."""
