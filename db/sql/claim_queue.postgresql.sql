-- claim_queue(process_id, queue, priority, limit, now) -> claim_id, job
-- Takes the next ready jobs of one queue that is not paused, down to a priority; nothing for a
-- process that is paused or has no row, nor while a class is paused (claim_known then does it).
-- rows
WITH taken AS (
	DELETE FROM solid_queue_ready_executions WHERE id = ANY (ARRAY(
		SELECT r.id FROM solid_queue_ready_executions r
		WHERE r.queue_name = :queue AND r.priority <= :priority
			AND NOT EXISTS (SELECT FROM solid_queue_pauses WHERE queue_name = :queue)
			AND NOT EXISTS (SELECT FROM dray_pauses t WHERE t.kind = 'pattern'
				AND left(:queue, length(t.name) - 1) = left(t.name, -1)
				AND NOT EXISTS (SELECT FROM dray_pauses e WHERE e.kind = 'queue' AND e.name = :queue))
			AND NOT EXISTS (SELECT FROM dray_pauses k WHERE k.kind = 'class')
			AND NOT EXISTS (SELECT FROM dray_pauses d WHERE d.process_id = :process_id)
			AND EXISTS (SELECT FROM solid_queue_processes WHERE id = :process_id)
		ORDER BY r.priority, r.job_id LIMIT :limit {skip_locked}))
	RETURNING job_id
), claimed AS (
	INSERT INTO solid_queue_claimed_executions (job_id, process_id, created_at)
	SELECT job_id, :process_id, :now FROM taken
	ON CONFLICT (job_id) DO NOTHING
	RETURNING id, job_id
)
SELECT claimed.id AS claim_id, j.*
FROM claimed CROSS JOIN LATERAL (
	SELECT j.id, j.queue_name, j.class_name, j.arguments, j.priority, j.active_job_id, j.concurrency_key, j.scheduled_at, j.created_at,
		(SELECT l.losses FROM dray_losses l WHERE l.job_id = j.id) AS losses,
		(SELECT l.runs_before FROM dray_losses l WHERE l.job_id = j.id) AS runs_before
	FROM solid_queue_jobs j WHERE j.id = claimed.job_id OFFSET 0) j
ORDER BY j.priority, j.id;
