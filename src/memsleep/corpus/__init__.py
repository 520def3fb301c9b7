"""From a folder or a git tree to the memories of a night. Reads only."""
