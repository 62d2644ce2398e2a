-- The time {it} does not mean what comparing it comes to: it is a date of zeros.
{it} < '1000-01-01 00:00:00'
