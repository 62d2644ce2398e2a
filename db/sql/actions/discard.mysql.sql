-- discard(jobs, audit) -> job_id
-- Deletes these jobs unless they are in progress or finished. The execution rows go first: whoever
-- deletes a ready row, this or a worker's claim, decides what happens to the job. `audit` is the line of the audit trail that counts
-- them.
DELETE e
FROM {include:ids :jobs} x
STRAIGHT_JOIN solid_queue_ready_executions e
	FORCE INDEX (index_solid_queue_ready_executions_on_job_id) ON e.job_id = x.id;
DELETE e
FROM {include:ids :jobs} x
STRAIGHT_JOIN solid_queue_scheduled_executions e
	FORCE INDEX (index_solid_queue_scheduled_executions_on_job_id) ON e.job_id = x.id;
DELETE e
FROM {include:ids :jobs} x
STRAIGHT_JOIN solid_queue_blocked_executions e
	FORCE INDEX (index_solid_queue_blocked_executions_on_job_id) ON e.job_id = x.id;
DELETE e
FROM {include:ids :jobs} x
STRAIGHT_JOIN solid_queue_failed_executions e
	FORCE INDEX (index_solid_queue_failed_executions_on_job_id) ON e.job_id = x.id;
-- rows
SELECT j.id
FROM {include:distinct_ids :jobs} d
STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = d.id
WHERE j.finished_at IS NULL AND (
	SELECT c.id FROM solid_queue_claimed_executions c WHERE c.job_id = j.id) IS NULL
FOR UPDATE;
UPDATE dray_audit SET count = count + (
	SELECT COUNT(*)
	FROM {include:distinct_ids :jobs} d
	STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = d.id
	WHERE j.finished_at IS NULL AND (
		SELECT c.id FROM solid_queue_claimed_executions c WHERE c.job_id = j.id) IS NULL)
WHERE id = :audit;
DELETE j
FROM {include:ids :jobs} x
STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = x.id
WHERE j.finished_at IS NULL AND (
	SELECT c.id FROM solid_queue_claimed_executions c WHERE c.job_id = j.id) IS NULL;
