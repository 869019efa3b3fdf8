"""What puts it all together: one command per table, each writes JSON and a report."""
