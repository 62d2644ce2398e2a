-- The time {it} does not mean what comparing it comes to: it is infinite.
NOT isfinite({it})
