"""Sleep: from surprises to a few lessons that hold (behaviour: every pass is a pure function)."""
