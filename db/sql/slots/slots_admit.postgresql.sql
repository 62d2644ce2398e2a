-- slots_admit(keys, now) -> admitted, undecided
-- Gives the free slots of these keys, whose semaphores are locked, to the jobs that are blocked
-- by them, the most urgent first: at most 500 for a key at once. A blocked row that somebody
-- else has locked is for them to release. A job that needs other keys, too, is not let in, but
-- counted (undecided), and stands before the others: slots_admit_several decides.
-- rows
WITH free AS (
	SELECT s.key, s.value, (SELECT {include:slots_in_use s.key}) AS held
	FROM (SELECT DISTINCT k.key FROM json_to_recordset(:keys::json) AS k(key text)) x
	JOIN solid_queue_semaphores s ON s.key = x.key
	WHERE s.value > 0
), next AS (
	SELECT b.id, b.job_id, free.key,
		free.held + row_number() OVER (PARTITION BY free.key ORDER BY b.priority, b.job_id)
			AS place
	FROM free CROSS JOIN LATERAL (
		SELECT id, job_id, priority FROM solid_queue_blocked_executions e
		WHERE concurrency_key = free.key AND {include:blocked_exists e}
		ORDER BY priority, job_id LIMIT LEAST(free.value, 500) {skip_locked}) b
), admitted AS (
	SELECT next.id, next.key, j.id AS job_id, j.queue_name, j.class_name, j.priority,
		COALESCE(l.duration_ms, 180000) AS duration_ms
	FROM next {include:job_of next.job_id}
	{include:first_limit}
	WHERE (l.slots IS NULL OR next.place <= l.slots)
		AND (SELECT k.job_id FROM dray_keys k WHERE k.job_id = next.job_id LIMIT 1) IS NULL
), gone AS (
	DELETE FROM solid_queue_blocked_executions WHERE id = ANY (ARRAY(SELECT id FROM admitted))
), ready AS (
	INSERT INTO solid_queue_ready_executions (job_id, queue_name, priority, created_at)
	SELECT job_id, queue_name, priority, :now::timestamp FROM admitted
	{include:unless_there}
), held AS (
	INSERT INTO dray_slots (concurrency_key, job_id, class_name, position, created_at)
	SELECT key, job_id, class_name, 0, :now FROM admitted
	ON CONFLICT (concurrency_key, job_id) DO NOTHING
), taken AS (
	UPDATE solid_queue_semaphores s SET value = s.value - t.count,
		expires_at = {include:after_now t.duration_ms}
	FROM (SELECT key, count(*) AS count, max(duration_ms) AS duration_ms FROM admitted
		GROUP BY key) t
	WHERE s.key = t.key
)
SELECT count(*), (SELECT count(*) FROM next
	WHERE (SELECT k.job_id FROM dray_keys k WHERE k.job_id = next.job_id LIMIT 1) IS NOT NULL)
FROM admitted;
