-- slots_examine(after, limit) -> key, class_name, value, live, stale, slots, waiting, expires_at, position, semaphore_id
-- Looks at some keys above `after` ('' = all, the empty key among them), in their order. For
-- each: a class that uses it, its semaphore's value and end (null = no row), how many jobs hold
-- a slot of it and run or are ready, how many hold one and do neither, how many slots the class
-- may have (null = undeclared), whether any job is blocked by it, and which of the class's
-- limits it is.
-- read
-- rows
WITH RECURSIVE waiting (name, place) AS (
	SELECT min(b.concurrency_key), 1 FROM solid_queue_blocked_executions b
		{index:index_solid_queue_blocked_executions_for_release}
	WHERE b.concurrency_key > :after
	UNION ALL
	SELECT (SELECT min(b.concurrency_key) FROM solid_queue_blocked_executions b
			{index:index_solid_queue_blocked_executions_for_release}
		WHERE b.concurrency_key > waiting.name), waiting.place + 1
	FROM waiting WHERE waiting.name IS NOT NULL AND waiting.place < :limit
), names AS (
	SELECT u.name FROM (
		SELECT waiting.name FROM waiting WHERE waiting.name IS NOT NULL
		UNION
		SELECT n.name FROM (SELECT b.concurrency_key AS name FROM solid_queue_blocked_executions b
				{index:index_solid_queue_blocked_executions_for_release}
			WHERE :after = '' AND b.concurrency_key = '' LIMIT 1) n
		UNION
		SELECT q.name FROM (SELECT s.{name:key} AS name FROM solid_queue_semaphores s
				{index:index_solid_queue_semaphores_on_key}
			WHERE s.{name:key} > :after ORDER BY s.{name:key} LIMIT :limit) q
		UNION
		SELECT p.name FROM (SELECT DISTINCT h.concurrency_key AS name FROM dray_slots h {index:PRIMARY}
			WHERE h.concurrency_key > :after ORDER BY h.concurrency_key LIMIT :limit) p) u
	ORDER BY u.name LIMIT :limit
), facts AS (
	SELECT names.name, (
			SELECT j.class_name FROM solid_queue_blocked_executions b
				{index:index_solid_queue_blocked_executions_for_release}
			{join} solid_queue_jobs j {index:PRIMARY} ON j.id = b.job_id
			WHERE b.concurrency_key = names.name
			ORDER BY b.concurrency_key, b.priority, b.job_id LIMIT 1) AS waiting_class,
		(
			SELECT COALESCE((SELECT k.position FROM dray_keys k {index:PRIMARY}
				WHERE k.job_id = b.job_id AND k.concurrency_key = names.name), 0)
			FROM solid_queue_blocked_executions b
				{index:index_solid_queue_blocked_executions_for_release}
			WHERE b.concurrency_key = names.name
			ORDER BY b.concurrency_key, b.priority, b.job_id LIMIT 1) AS waiting_position,
		(SELECT h.position FROM dray_slots h {index:PRIMARY} WHERE h.concurrency_key = names.name
			ORDER BY h.class_name, h.job_id LIMIT 1) AS holding_position,
		(SELECT min(h.class_name) FROM dray_slots h {index:PRIMARY}
			WHERE h.concurrency_key = names.name) AS holding_class,
		(SELECT count(*) FROM dray_slots h {index:PRIMARY} WHERE h.concurrency_key = names.name) AS total,
		(SELECT {include:slots_in_use names.name}) AS live
	FROM names
)
SELECT f.name, COALESCE(f.waiting_class, f.holding_class), s.value, f.live, f.total - f.live,
	l.slots, CASE WHEN f.waiting_class IS NULL THEN 0 ELSE 1 END, s.expires_at,
	COALESCE(f.waiting_position, f.holding_position, 0), s.id
FROM facts f
LEFT JOIN solid_queue_semaphores s {index:index_solid_queue_semaphores_on_key}
	ON s.{name:key} = f.name
LEFT JOIN dray_classes l {index:PRIMARY}
	ON l.class_name = COALESCE(f.waiting_class, f.holding_class)
	AND l.position = COALESCE(f.waiting_position, f.holding_position)
ORDER BY f.name;
