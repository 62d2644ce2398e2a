-- The time {it} does not mean what comparing it comes to: it does not have the form that Rails
-- writes.
{it} IS NOT NULL AND NOT (
	datetime(substr({it}, 1, 19)) IS substr({it}, 1, 19)
	AND substr({it}, 20) NOT GLOB '*[^0-9.]*')
