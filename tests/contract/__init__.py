"""What holds for the services of all games alike."""
