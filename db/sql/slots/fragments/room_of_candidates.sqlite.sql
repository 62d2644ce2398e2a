-- The jobs that are next under each of :keys, each with every key that it needs and the room
-- under that key.
candidate AS MATERIALIZED (
	SELECT b.job_id, b.priority AS rank, j.class_name, j.concurrency_key
	FROM solid_queue_semaphores s
	CROSS JOIN solid_queue_blocked_executions b ON b.job_id IN (
		SELECT f.job_id FROM solid_queue_blocked_executions f
		WHERE f.concurrency_key = s.key AND {include:blocked_exists f}
		ORDER BY f.priority, f.job_id LIMIT min(100 + :more, 200))
	CROSS JOIN solid_queue_jobs j ON j.id = b.job_id
	WHERE s.key IN (SELECT value ->> 'key' FROM json_each(:keys)) AND s.value > 0
), need AS (
	SELECT job_id, rank, class_name, concurrency_key AS key, 0 AS position FROM candidate
	UNION ALL
	SELECT w.job_id, w.rank, w.class_name, k.concurrency_key, k.position
	FROM candidate w CROSS JOIN dray_keys k ON k.job_id = w.job_id
), known AS MATERIALIZED (
	SELECT s.key, s.value, (
		SELECT {include:slots_in_use s.key}) AS held
	FROM solid_queue_semaphores s
	WHERE s.key IN (SELECT value ->> 'key' FROM json_each(:keys))
), room AS (
	SELECT need.*, min(known.value, COALESCE(l.slots - known.held, known.value)) AS room
	FROM need
	LEFT JOIN known ON known.key = need.key
	LEFT JOIN dray_classes l
		ON l.class_name = need.class_name AND l.position = need.position
)
