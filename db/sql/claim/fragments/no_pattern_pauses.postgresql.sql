-- No pattern pauses the queue {it}, unless something is said of it by name: that comes first.
NOT EXISTS (SELECT FROM dray_pauses t WHERE t.kind = 'pattern'
	AND left({it}, length(t.name) - 1) = left(t.name, -1)
	AND NOT EXISTS (SELECT FROM dray_pauses e WHERE e.kind = 'queue' AND e.name = {it}))
