-- Drops the told_runs: their claims, and the notes.
DELETE c, k FROM {include:told_runs}
