"""What one evaluated node costs: beside the core's peak, and beside the same network in torch."""
