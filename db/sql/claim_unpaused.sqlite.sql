-- claim_unpaused(process_id, limit, from_priority, from_job, depth, window, now) -> paused, more, claim_id, job
-- What claim does, while something is paused: takes the next ready jobs of queues and classes that
-- are not, from a place in the order by priority and age. Looks at so many (window) only, because
-- there may be any number of paused ones; more: it got less than it wanted, and more than that many
-- (depth) stand there still. Always one row at least, for its first columns.
INSERT INTO solid_queue_claimed_executions (job_id, process_id, created_at)
SELECT w.job_id, :process_id, :now FROM solid_queue_ready_executions w
WHERE (w.priority, w.job_id) >= (:from_priority, :from_job)
	AND (w.priority, w.job_id) < (
		SELECT * FROM (
			SELECT priority, job_id FROM solid_queue_ready_executions
			WHERE (priority, job_id) >= (:from_priority, :from_job)
			ORDER BY priority, job_id LIMIT 1 OFFSET :window)
		UNION ALL SELECT 2147483648, 0 LIMIT 1)
	AND w.queue_name NOT IN (SELECT queue_name FROM solid_queue_pauses)
	AND NOT EXISTS (SELECT 1 FROM dray_pauses t WHERE t.kind = 'pattern'
		AND substr(w.queue_name, 1, length(t.name) - 1) = substr(t.name, 1, length(t.name) - 1)
		AND NOT EXISTS (SELECT 1 FROM dray_pauses e WHERE e.kind = 'queue' AND e.name = w.queue_name))
	AND (NOT EXISTS (SELECT 1 FROM dray_pauses k WHERE k.kind = 'class')
		OR (SELECT j.class_name FROM solid_queue_jobs j WHERE j.id = w.job_id)
			NOT IN (SELECT k.name FROM dray_pauses k WHERE k.kind = 'class'))
	AND NOT EXISTS (SELECT 1 FROM solid_queue_claimed_executions c WHERE c.job_id = w.job_id)
ORDER BY w.priority, w.job_id
LIMIT CASE WHEN EXISTS (SELECT 1 FROM dray_pauses d WHERE d.process_id = :process_id)
	OR NOT EXISTS (SELECT 1 FROM solid_queue_processes o WHERE o.id = :process_id)
	THEN 0 ELSE :limit END;
DELETE FROM solid_queue_ready_executions WHERE job_id IN (
	SELECT job_id FROM solid_queue_claimed_executions
	WHERE process_id = :process_id AND created_at = :now);
-- rows
SELECT p.paused, (
	SELECT count(*) FROM solid_queue_claimed_executions
	WHERE process_id = :process_id AND created_at = :now) < :limit AND EXISTS (
		SELECT 1 FROM solid_queue_ready_executions
		WHERE (priority, job_id) >= (:from_priority, :from_job)
		ORDER BY priority, job_id LIMIT 1 OFFSET :depth) AS more,
	c.id AS claim_id, j.id, j.queue_name, j.class_name, j.arguments, j.priority, j.active_job_id, j.concurrency_key, j.scheduled_at, j.created_at,
	(SELECT l.losses FROM dray_losses l WHERE l.job_id = j.id) AS losses
FROM (SELECT CASE WHEN EXISTS (SELECT 1 FROM dray_pauses k WHERE k.kind = 'class') THEN 2
	WHEN EXISTS (SELECT 1 FROM solid_queue_pauses)
		OR EXISTS (SELECT 1 FROM dray_pauses t WHERE t.kind = 'pattern') THEN 1 ELSE 0 END AS paused) p
LEFT JOIN solid_queue_claimed_executions c ON c.process_id = :process_id AND c.created_at = :now
LEFT JOIN solid_queue_jobs j ON j.id = c.job_id
ORDER BY j.priority, j.id;
