-- No pattern pauses the queue {it}, unless something is said of it by name: that comes first.
NOT EXISTS (SELECT 1 FROM dray_pauses t WHERE t.kind = 'pattern'
	AND substr({it}, 1, length(t.name) - 1) = substr(t.name, 1, length(t.name) - 1)
	AND NOT EXISTS (SELECT 1 FROM dray_pauses e WHERE e.kind = 'queue' AND e.name = {it}))
