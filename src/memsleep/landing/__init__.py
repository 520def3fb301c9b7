"""From a plan to files that changed, and back: re-fold, sinks, journal, runs, undo."""
