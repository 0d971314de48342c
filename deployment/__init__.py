"""How Signalbox is set up and run on one machine: bootstrap, settings and the supervisor."""
