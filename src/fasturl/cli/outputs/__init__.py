"""From columns to files: text and tables, and the sinks they go to."""
