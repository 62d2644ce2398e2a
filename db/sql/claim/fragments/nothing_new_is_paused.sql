-- No queue was paused after the pause with the number :newest, and no pattern or class is paused;
-- never mind when :newest is null.
((COALESCE((SELECT max(n.id) FROM solid_queue_pauses n), 0) <= :newest
	AND NOT EXISTS (SELECT 1 FROM dray_pauses k WHERE k.kind IN ('class', 'refused'))
	AND NOT EXISTS (SELECT 1 FROM dray_pauses t WHERE t.kind = 'pattern'))
	OR :newest IS NULL)
