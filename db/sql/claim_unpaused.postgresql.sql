-- claim_unpaused(process_id, limit, from_priority, from_job, depth, window, now) -> paused, more, claim_id, job
-- What claim does, while something is paused: takes the next ready jobs of queues and classes that
-- are not, from a place in the order by priority and age. Looks at so many (window) only, because
-- there may be any number of paused ones; more: it got less than it wanted, and more than that many
-- (depth) stand there. Always one row at least, for its first columns. The window is read once,
-- without locks, and only so far as there are not enough; its rows are locked one by one, in its
-- order.
-- rows
WITH front AS MATERIALIZED (
	SELECT id, job_id, queue_name FROM solid_queue_ready_executions
	WHERE (priority, job_id) >= (:from_priority, :from_job)
	ORDER BY priority, job_id LIMIT :window
), taken AS (
	DELETE FROM solid_queue_ready_executions WHERE id = ANY (ARRAY(
		SELECT l.id
		FROM front w CROSS JOIN LATERAL (
			SELECT r.id FROM solid_queue_ready_executions r WHERE r.id = w.id {skip_locked}) l
		WHERE w.queue_name <> ALL (ARRAY(SELECT queue_name FROM solid_queue_pauses))
			AND NOT EXISTS (SELECT FROM dray_pauses t WHERE t.kind = 'pattern'
				AND left(w.queue_name, length(t.name) - 1) = left(t.name, -1)
				AND NOT EXISTS (SELECT FROM dray_pauses e WHERE e.kind = 'queue' AND e.name = w.queue_name))
			AND (NOT EXISTS (SELECT FROM dray_pauses k WHERE k.kind = 'class')
				OR (SELECT j.class_name FROM solid_queue_jobs j WHERE j.id = w.job_id)
					<> ALL (ARRAY(SELECT k.name FROM dray_pauses k WHERE k.kind = 'class')))
			AND NOT EXISTS (SELECT FROM dray_pauses d WHERE d.process_id = :process_id)
			AND EXISTS (SELECT FROM solid_queue_processes WHERE id = :process_id)
		LIMIT :limit))
	RETURNING job_id
), claimed AS (
	INSERT INTO solid_queue_claimed_executions (job_id, process_id, created_at)
	SELECT job_id, :process_id, :now FROM taken
	ON CONFLICT (job_id) DO NOTHING
	RETURNING id, job_id
)
SELECT p.paused, CASE WHEN (SELECT count(*) FROM claimed) < :limit
	THEN (SELECT count(*) FROM front) > :depth ELSE false END AS more, c.*
FROM (SELECT CASE WHEN EXISTS (SELECT FROM dray_pauses k WHERE k.kind = 'class') THEN 2
	WHEN EXISTS (SELECT FROM solid_queue_pauses)
		OR EXISTS (SELECT FROM dray_pauses t WHERE t.kind = 'pattern') THEN 1 ELSE 0 END AS paused) p
LEFT JOIN (
	SELECT claimed.id AS claim_id, j.*
	FROM claimed CROSS JOIN LATERAL (
		SELECT j.id, j.queue_name, j.class_name, j.arguments, j.priority, j.active_job_id, j.concurrency_key, j.scheduled_at, j.created_at,
			(SELECT l.losses FROM dray_losses l WHERE l.job_id = j.id) AS losses
		FROM solid_queue_jobs j WHERE j.id = claimed.job_id OFFSET 0) j
) c ON true
ORDER BY c.priority, c.id;
