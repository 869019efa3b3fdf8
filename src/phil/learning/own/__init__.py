"""Training a torch network of the user's own by PHIL's roll-outs."""
