"""From what the user named to lines: opening, decompressing, cutting."""
