-- claim(process_id, limit, now) -> paused, claim_id, job
-- Takes the next ready jobs of all queues, by priority and age; nothing while anything is paused
-- (claim_beside and claim_unpaused then do it), nor for a process that is paused or has no row: one that
-- was presumed dead, or died with this on its way.
-- paused: 0 = nothing, 1 = queues by name, 2 = patterns, 3 = classes, whatever else is, too. Always
-- one row at least, for its first column.
-- rows
WITH taken AS (
	DELETE FROM solid_queue_ready_executions WHERE id = ANY (ARRAY(
		SELECT id FROM solid_queue_ready_executions
		WHERE NOT EXISTS (SELECT FROM solid_queue_pauses)
			AND NOT EXISTS (SELECT FROM dray_pauses k WHERE k.kind = 'class')
			AND NOT EXISTS (SELECT FROM dray_pauses t WHERE t.kind = 'pattern')
			AND NOT EXISTS (SELECT FROM dray_pauses d WHERE d.process_id = :process_id)
			AND EXISTS (SELECT FROM solid_queue_processes WHERE id = :process_id)
		ORDER BY priority, job_id LIMIT :limit {skip_locked}))
	RETURNING job_id
), claimed AS (
	INSERT INTO solid_queue_claimed_executions (job_id, process_id, created_at)
	SELECT job_id, :process_id, :now FROM taken
	ON CONFLICT (job_id) DO NOTHING
	RETURNING id, job_id
)
SELECT p.paused, c.*
FROM (SELECT CASE WHEN EXISTS (SELECT FROM dray_pauses k WHERE k.kind = 'class') THEN 3
	WHEN EXISTS (SELECT FROM dray_pauses t WHERE t.kind = 'pattern') THEN 2
	WHEN EXISTS (SELECT FROM solid_queue_pauses) THEN 1 ELSE 0 END AS paused) p
LEFT JOIN (
	SELECT claimed.id AS claim_id, j.*
	FROM claimed CROSS JOIN LATERAL (
		SELECT j.id, j.queue_name, j.class_name, j.arguments, j.priority, j.active_job_id, j.concurrency_key, j.scheduled_at, j.created_at,
			(SELECT l.losses FROM dray_losses l WHERE l.job_id = j.id) AS losses,
			(SELECT l.runs_before FROM dray_losses l WHERE l.job_id = j.id) AS runs_before
		FROM solid_queue_jobs j WHERE j.id = claimed.job_id OFFSET 0) j
) c ON true
ORDER BY c.priority, c.id;
