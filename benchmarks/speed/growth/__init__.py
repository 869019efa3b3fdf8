"""What a query costs as the graph around it grows, and as threads share the work."""
