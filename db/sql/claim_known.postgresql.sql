-- claim_known(process_id, queue, from_priority, from_job, priority, classes, others, max_losses, bounds, limit, now) -> claim_id, job
-- What claim_queue does for a worker of some classes (a JSON array; null = of all) or not of others
-- (another; null = none), or while a class is paused: takes the next ready jobs of them that are not
-- paused, from a place in the queue's order (first_known tells it) down to a priority. Unless max_losses
-- is null, jobs are passed that have been lost so often (bounds: [{"class_name", "max_losses"}] for classes that differ).
-- rows
WITH taken AS (
	DELETE FROM solid_queue_ready_executions WHERE id = ANY (ARRAY(
		SELECT r.id FROM solid_queue_ready_executions r
		WHERE r.queue_name = :queue AND r.priority <= :priority
			AND (r.priority, r.job_id) >= (:from_priority, :from_job)
			AND NOT EXISTS (SELECT FROM solid_queue_pauses WHERE queue_name = :queue)
			AND NOT EXISTS (SELECT FROM dray_pauses t WHERE t.kind = 'pattern'
				AND left(:queue, length(t.name) - 1) = left(t.name, -1)
				AND NOT EXISTS (SELECT FROM dray_pauses e WHERE e.kind = 'queue' AND e.name = :queue))
			AND NOT EXISTS (SELECT FROM dray_pauses d WHERE d.process_id = :process_id)
			AND EXISTS (SELECT FROM solid_queue_processes WHERE id = :process_id)
			AND (:classes::json IS NULL OR (SELECT j.class_name FROM solid_queue_jobs j WHERE j.id = r.job_id
				) = ANY (ARRAY(SELECT json_array_elements_text(:classes::json))))
			AND (:others::json IS NULL OR (SELECT j.class_name FROM solid_queue_jobs j WHERE j.id = r.job_id
				) <> ALL (ARRAY(SELECT json_array_elements_text(:others::json))))
			AND (NOT EXISTS (SELECT FROM dray_pauses k WHERE k.kind = 'class')
				OR (SELECT j.class_name FROM solid_queue_jobs j WHERE j.id = r.job_id)
					<> ALL (ARRAY(SELECT k.name FROM dray_pauses k WHERE k.kind = 'class')))
			AND (:max_losses::integer IS NULL OR (SELECT lost.job_id FROM dray_losses lost WHERE lost.job_id = r.job_id
				AND lost.losses >= GREATEST(1, COALESCE((
					SELECT x.max_losses FROM json_to_recordset(:bounds::json)
						AS x(class_name text, max_losses integer)
					WHERE x.class_name = (SELECT j.class_name FROM solid_queue_jobs j WHERE j.id = lost.job_id)),
					:max_losses::integer))) IS NULL)
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
