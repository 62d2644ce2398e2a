-- A pattern pauses the queue {it}, of which nothing is said by name: what is said by name comes first.
EXISTS (SELECT 1 FROM dray_pauses t WHERE t.kind = 'pattern'
	AND substr({it}, 1, length(t.name) - 1) = substr(t.name, 1, length(t.name) - 1)
	AND NOT EXISTS (SELECT 1 FROM dray_pauses e WHERE e.kind = 'queue' AND e.name = {it}))
