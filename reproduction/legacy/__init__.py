"""What ablations, runtime and figures still build on until they are ported to the core."""
