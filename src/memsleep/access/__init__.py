"""What use teaches: accesses, verdicts, citations. Rules are pure; the state keeps the results."""
