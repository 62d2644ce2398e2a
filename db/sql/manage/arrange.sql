-- arrange(jobs, queue, priority, now, audit) -> job_id
-- Moves waiting jobs (ready, scheduled, blocked, failed) to another queue, gives them another
-- priority, or both; NULL leaves what is there. The execution rows come first, so a job that is
-- claimed or dispatched meanwhile stays as it is. `audit` is the line of the audit trail that
-- counts them.

-- @mysql
SELECT JSON_ARRAYAGG(e.id) INTO @dray_moved FROM (
	SELECT d.id
	FROM {include:distinct_ids :jobs} d
	LEFT JOIN solid_queue_ready_executions r
		FORCE INDEX (index_solid_queue_ready_executions_on_job_id) ON r.job_id = d.id
	LEFT JOIN solid_queue_scheduled_executions s
		FORCE INDEX (index_solid_queue_scheduled_executions_on_job_id) ON s.job_id = d.id
	LEFT JOIN solid_queue_blocked_executions b
		FORCE INDEX (index_solid_queue_blocked_executions_on_job_id) ON b.job_id = d.id
	LEFT JOIN solid_queue_failed_executions f
		FORCE INDEX (index_solid_queue_failed_executions_on_job_id) ON f.job_id = d.id
	WHERE COALESCE(r.id, s.id, b.id, f.id) IS NOT NULL
	FOR UPDATE) e;
UPDATE {include:ids @dray_moved} x
STRAIGHT_JOIN {include:executions ready}
SET {include:arranged e};
UPDATE {include:ids @dray_moved} x
STRAIGHT_JOIN {include:executions scheduled}
SET {include:arranged e};
UPDATE {include:ids @dray_moved} x
STRAIGHT_JOIN {include:executions blocked}
SET {include:arranged e};
UPDATE {include:ids @dray_moved} x
STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = x.id
SET {include:arranged j}, j.updated_at = :now;
-- rows
SELECT x.id FROM {include:ids @dray_moved} x;
UPDATE dray_audit SET count = count + COALESCE(JSON_LENGTH(@dray_moved), 0) WHERE id = :audit;

-- @postgresql
-- rows
WITH ready AS (
	UPDATE solid_queue_ready_executions SET {include:arranged}
	WHERE job_id = ANY (:jobs::bigint[])
	RETURNING job_id
), scheduled AS (
	UPDATE solid_queue_scheduled_executions SET {include:arranged}
	WHERE job_id = ANY (:jobs::bigint[])
	RETURNING job_id
), blocked AS (
	UPDATE solid_queue_blocked_executions SET {include:arranged}
	WHERE job_id = ANY (:jobs::bigint[])
	RETURNING job_id
), failed AS (
	SELECT job_id FROM solid_queue_failed_executions WHERE job_id = ANY (:jobs::bigint[])
	FOR UPDATE
), moved AS (
	UPDATE solid_queue_jobs SET {include:arranged}, updated_at = :now
	WHERE id = ANY (ARRAY(SELECT job_id FROM ready UNION ALL SELECT job_id FROM scheduled
		UNION ALL SELECT job_id FROM blocked UNION ALL SELECT job_id FROM failed))
	RETURNING id
), counted AS (
	UPDATE dray_audit SET count = count + (SELECT count(*) FROM moved) WHERE id = :audit
)
SELECT id FROM moved;

-- @sqlite
UPDATE solid_queue_ready_executions SET {include:arranged}
WHERE job_id {in:jobs};
UPDATE solid_queue_scheduled_executions SET {include:arranged}
WHERE job_id {in:jobs};
UPDATE solid_queue_blocked_executions SET {include:arranged}
WHERE job_id {in:jobs};
-- rows
UPDATE solid_queue_jobs SET {include:arranged}, updated_at = :now
WHERE id IN (
	SELECT job_id FROM solid_queue_ready_executions WHERE job_id {in:jobs}
	UNION ALL SELECT job_id FROM solid_queue_scheduled_executions WHERE job_id {in:jobs}
	UNION ALL SELECT job_id FROM solid_queue_blocked_executions WHERE job_id {in:jobs}
	UNION ALL SELECT job_id FROM solid_queue_failed_executions WHERE job_id {in:jobs})
RETURNING id;
UPDATE dray_audit SET count = count + changes() WHERE id = :audit;
