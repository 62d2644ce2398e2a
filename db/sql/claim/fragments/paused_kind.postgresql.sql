-- What is paused: 0 = nothing, 1 = queues by name, 2 = patterns, 3 = classes or refused jobs, whatever else is, too.
CASE WHEN EXISTS (SELECT FROM dray_pauses k WHERE k.kind IN ('class', 'refused')) THEN 3
	WHEN EXISTS (SELECT FROM dray_pauses t WHERE t.kind = 'pattern') THEN 2
	WHEN EXISTS (SELECT FROM solid_queue_pauses) THEN 1 ELSE 0 END
