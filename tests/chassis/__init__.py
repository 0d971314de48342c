"""The chassis, through real gRPC on real ports, with the tiny game."""
