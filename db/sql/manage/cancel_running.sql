-- cancel_running(jobs, audit, requested_by, reason, now) -> running, known_since, known_by

-- @mysql
-- Notes for those of these jobs that a process of ours runs that they are cancelled, by whom and
-- why, and tells where they run; of what was noted before, since when and by whom. The claims are
-- locked: a run that ends at the same time has ended before, or its worker's transaction sees the
-- note. Nobody but ours looks at it, so a run of other software is left. `audit` is the line of the
-- audit trail that counts those that are new.
SELECT JSON_ARRAYAGG(e.id) INTO @dray_claims FROM (
	SELECT c.id
	FROM {include:distinct_ids :jobs} d
	STRAIGHT_JOIN solid_queue_claimed_executions c
		FORCE INDEX (index_solid_queue_claimed_executions_on_job_id) ON c.job_id = d.id
	FOR UPDATE) e;
-- rows
SELECT c.job_id, p.pid, p.hostname, k.requested_at, k.requested_by
FROM {include:running_ours};
UPDATE dray_audit SET count = count + (SELECT COUNT(*) FROM {include:running_ours} AND k.job_id IS NULL)
WHERE id = :audit;
INSERT INTO dray_cancellations (job_id, claim_id, process_id, requested_at, requested_by, reason)
SELECT c.job_id, c.id, c.process_id, :now, :requested_by, :reason
FROM {include:running_ours} AND k.job_id IS NULL
{include:note_again};

-- @postgresql
-- Notes for those of these jobs that a process of ours runs that they are cancelled, by whom and
-- why, and tells where they run; of what was noted before, since when and by whom. The claims are
-- locked: a run that ends at the same time has ended before, or its worker's transaction sees the
-- note. Nobody but ours looks at it, so a run of other software is left. `audit` is the line of the
-- audit trail that counts those that are new.
SELECT id FROM solid_queue_claimed_executions WHERE job_id {in:jobs} ORDER BY id FOR UPDATE;
-- rows
WITH held AS MATERIALIZED (
	SELECT c.id, c.job_id, c.process_id, p.pid, p.hostname, k.requested_at, k.requested_by
	FROM {include:running_ours}
		AND c.job_id {in:jobs}
), noted AS (
	INSERT INTO dray_cancellations AS known
		(job_id, claim_id, process_id, requested_at, requested_by, reason)
	SELECT job_id, id, process_id, :now, :requested_by, :reason FROM held
	WHERE requested_at IS NULL
	{include:note_again}
), counted AS (
	UPDATE dray_audit SET count = count + (SELECT count(*) FROM held WHERE requested_at IS NULL)
	WHERE id = :audit
)
SELECT job_id, pid, hostname, requested_at, requested_by FROM held;

-- @sqlite
-- Notes for those of these jobs that a process of ours runs that they are cancelled, by whom and
-- why, and tells where they run; of what was noted before, since when and by whom. Nobody but ours
-- looks at it, so a run of other software is left. `audit` is the line of the audit trail that counts
-- those that are new.
-- rows
SELECT c.job_id, p.pid, p.hostname, k.requested_at, k.requested_by
FROM {include:running_ours} AND c.job_id {in:jobs};
UPDATE dray_audit SET count = count + (
	SELECT count(*) FROM {include:running_ours} AND c.job_id {in:jobs} AND k.job_id IS NULL)
WHERE id = :audit;
INSERT INTO dray_cancellations (job_id, claim_id, process_id, requested_at, requested_by, reason)
SELECT c.job_id, c.id, c.process_id, :now, :requested_by, :reason
FROM {include:running_ours} AND c.job_id {in:jobs} AND k.job_id IS NULL
{include:note_again};
