-- The hour that the time {it} is in.
substr({it}, 1, 13)
