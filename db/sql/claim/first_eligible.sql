-- first_eligible(process_id, queue, classes, others, max_losses, from_priority, from_job) -> last, priority, job_id, paused
-- Where the first eligible job of a queue stands (as claim_eligible says which are), at or behind a
-- place in its order; and where the queue's last job stands (last = 1).
-- No row for what there is not. paused: is any class? Nothing of a queue that is paused, nor for a
-- paused process.

-- @mysql
-- read
-- rows
SELECT 0, k.priority, k.job_id, EXISTS (SELECT 1 FROM dray_pauses c WHERE c.kind IN ('class', 'refused')) FROM (
	SELECT r.priority, r.job_id
	FROM solid_queue_ready_executions r FORCE INDEX (index_solid_queue_poll_by_queue)
	WHERE r.queue_name = :queue AND (r.priority > :from_priority
			OR (r.priority = :from_priority AND r.job_id >= :from_job))
		AND {include:is_eligible}
		AND {include:queue_is_not_paused :queue}
		AND NOT EXISTS (SELECT 1 FROM dray_pauses o WHERE o.process_id = :process_id)
	ORDER BY r.priority, r.job_id LIMIT 1) k
UNION ALL
SELECT 1, l.priority, l.job_id, EXISTS (SELECT 1 FROM dray_pauses c WHERE c.kind IN ('class', 'refused')) FROM (
	SELECT r.priority, r.job_id
	FROM solid_queue_ready_executions r FORCE INDEX (index_solid_queue_poll_by_queue)
	WHERE r.queue_name = :queue
		AND {include:queue_is_not_paused :queue}
		AND NOT EXISTS (SELECT 1 FROM dray_pauses o WHERE o.process_id = :process_id)
	ORDER BY r.queue_name DESC, r.priority DESC, r.job_id DESC LIMIT 1) l;

-- @postgresql
-- read
-- rows
SELECT 0, k.*, EXISTS (SELECT FROM dray_pauses c WHERE c.kind IN ('class', 'refused')) FROM (
	SELECT r.priority, r.job_id FROM solid_queue_ready_executions r
	WHERE r.queue_name = :queue AND (r.priority, r.job_id) >= (:from_priority, :from_job)
		AND {include:is_eligible}
		AND {include:queue_is_not_paused :queue}
		AND NOT EXISTS (SELECT FROM dray_pauses d WHERE d.process_id = :process_id)
	ORDER BY r.priority, r.job_id LIMIT 1) k
UNION ALL
SELECT 1, l.*, EXISTS (SELECT FROM dray_pauses c WHERE c.kind IN ('class', 'refused')) FROM (
	SELECT r.priority, r.job_id FROM solid_queue_ready_executions r
	WHERE r.queue_name = :queue
		AND {include:queue_is_not_paused :queue}
		AND NOT EXISTS (SELECT FROM dray_pauses d WHERE d.process_id = :process_id)
	ORDER BY r.priority DESC, r.job_id DESC LIMIT 1) l;

-- @sqlite
-- The conditions that hold for no job or for all stand in LIMIT, because a WHERE that is false would
-- be asked for every row.
-- read
-- rows
SELECT 0, k.*, EXISTS (SELECT 1 FROM dray_pauses c WHERE c.kind IN ('class', 'refused')) FROM (
	SELECT r.priority, r.job_id FROM solid_queue_ready_executions r
	WHERE r.queue_name = :queue AND (r.priority, r.job_id) >= (:from_priority, :from_job)
		AND {include:is_eligible}
	ORDER BY r.priority, r.job_id
	LIMIT {include:queue_is_not_paused :queue}
		AND NOT EXISTS (SELECT 1 FROM dray_pauses o WHERE o.process_id = :process_id)) k
UNION ALL
SELECT 1, l.*, EXISTS (SELECT 1 FROM dray_pauses c WHERE c.kind IN ('class', 'refused')) FROM (
	SELECT r.priority, r.job_id FROM solid_queue_ready_executions r
	WHERE r.queue_name = :queue
	ORDER BY r.priority DESC, r.job_id DESC
	LIMIT {include:queue_is_not_paused :queue}
		AND NOT EXISTS (SELECT 1 FROM dray_pauses o WHERE o.process_id = :process_id)) l;
