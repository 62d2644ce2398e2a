-- slots_admit_several(keys, now, more) -> admitted, undecided
-- Does what slots_admit does where jobs may need several keys: a job gets a slot of each of its
-- keys, and then is ready, or none. One that finds a key full waits under that key from now on,
-- so that whatever frees it will look at the job again. Of each key, the jobs that are looked at
-- are as many as it has free slots and `more`, 200 at most. A job that is next for one of its
-- keys and not for another stays where it is. undecided: how many jobs of several keys still stand
-- under a key that has a free slot.
WITH locked AS (
	SELECT DISTINCT k.key FROM json_to_recordset(:keys::json) AS k(key text)
), candidate AS (
	SELECT b.id, b.job_id, b.priority AS rank, j.queue_name, j.class_name, j.priority,
		j.concurrency_key
	FROM locked JOIN solid_queue_semaphores s ON s.key = locked.key AND s.value > 0
	CROSS JOIN LATERAL (
		SELECT id, job_id, priority FROM solid_queue_blocked_executions e
		WHERE concurrency_key = s.key AND {include:blocked_exists e} ORDER BY priority, job_id
		LIMIT LEAST(s.value + :more, 200) {skip_locked}) b
	{include:job_of b.job_id}
), need AS (
	SELECT id, job_id, rank, class_name, concurrency_key AS key, 0 AS position FROM candidate
	UNION ALL
	SELECT c.id, c.job_id, c.rank, c.class_name, k.concurrency_key, k.position
	FROM candidate c CROSS JOIN LATERAL (
		SELECT concurrency_key, position FROM dray_keys WHERE job_id = c.job_id OFFSET 0) k
), known AS (
	SELECT s.key, s.value, (SELECT {include:slots_in_use s.key}) AS held
	FROM locked JOIN solid_queue_semaphores s ON s.key = locked.key
	WHERE s.key IN (SELECT key FROM need)
), room AS (
	SELECT need.*, LEAST(known.value, l.slots - known.held) AS room,
		COALESCE(l.duration_ms, 180000) AS duration_ms
	FROM need
	LEFT JOIN known ON known.key = need.key
	LEFT JOIN dray_classes l ON l.class_name = need.class_name AND l.position = need.position
), blocking AS (
	SELECT DISTINCT ON (id) id, key FROM room WHERE room <= 0 ORDER BY id, position
), ranked AS (
	SELECT *, row_number() OVER (PARTITION BY key ORDER BY rank, job_id) AS place
	FROM room WHERE id NOT IN (SELECT id FROM blocking)
), admitted AS (
	SELECT id FROM ranked GROUP BY id HAVING bool_and(COALESCE(place <= room, false))
), moved AS (
	UPDATE solid_queue_blocked_executions b SET concurrency_key = blocking.key
	FROM blocking
	WHERE b.id = ANY (ARRAY(SELECT id FROM blocking)) AND b.id = blocking.id
		AND b.concurrency_key <> blocking.key
), gone AS (
	DELETE FROM solid_queue_blocked_executions WHERE id = ANY (ARRAY(SELECT id FROM admitted))
), ready AS (
	INSERT INTO solid_queue_ready_executions (job_id, queue_name, priority, created_at)
	SELECT job_id, queue_name, priority, :now::timestamp FROM candidate
	WHERE id IN (SELECT id FROM admitted)
	{include:unless_there}
), held AS (
	INSERT INTO dray_slots (concurrency_key, job_id, class_name, position, created_at)
	SELECT key, job_id, class_name, position, :now FROM ranked
	WHERE id IN (SELECT id FROM admitted)
	ON CONFLICT (concurrency_key, job_id) DO UPDATE SET created_at = excluded.created_at
)
UPDATE solid_queue_semaphores s SET value = s.value - t.count,
	expires_at = {include:after_now t.duration_ms}
FROM (SELECT key, count(*) AS count, max(duration_ms) AS duration_ms FROM ranked
	WHERE id IN (SELECT id FROM admitted) GROUP BY key) t
WHERE s.key = t.key;
-- rows
SELECT (SELECT count(DISTINCT h.job_id) FROM dray_slots h
		WHERE h.concurrency_key = ANY (ARRAY(SELECT k.key
				FROM json_to_recordset(:keys::json) AS k(key text)))
			AND h.created_at = :now),
	(SELECT count(*) FROM solid_queue_semaphores s
		CROSS JOIN LATERAL (
			SELECT job_id FROM solid_queue_blocked_executions
			WHERE concurrency_key = s.key ORDER BY priority, job_id LIMIT 200) b
		WHERE s.key = ANY (ARRAY(SELECT k.key
				FROM json_to_recordset(:keys::json) AS k(key text)))
			AND s.value > 0 AND (SELECT k.job_id FROM dray_keys k
				WHERE k.job_id = b.job_id LIMIT 1) IS NOT NULL);
