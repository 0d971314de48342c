"""The rules services: one package per game, and what they share."""
