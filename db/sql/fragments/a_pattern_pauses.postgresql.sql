-- A pattern pauses the queue of that name. What `dray resume QUEUE` took out is a pause of its own kind.
EXISTS (SELECT FROM dray_pauses t WHERE t.kind = 'pattern'
	AND left({it}, length(t.name) - 1) = left(t.name, -1)
	AND NOT EXISTS (SELECT FROM dray_pauses e WHERE e.kind = 'queue' AND e.name = {it}))
