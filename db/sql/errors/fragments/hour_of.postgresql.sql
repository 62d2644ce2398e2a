-- The hour that the time {it} is in.
date_trunc('hour', {it})
