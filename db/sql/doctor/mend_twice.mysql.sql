-- mend_twice(jobs) ->
-- Jobs that are in several tables stay in one: claimed before failed before ready before blocked
-- before scheduled, which is how far a job has come. The row that stays is locked before another is
-- deleted: whoever moves a job locks its row first, so it is there when we commit.
SELECT JSON_ARRAYAGG(kept.job_id) INTO @dray_kept FROM (
	SELECT e.job_id
	FROM {include:distinct_ids :jobs} d
	STRAIGHT_JOIN solid_queue_claimed_executions e
		FORCE INDEX (index_solid_queue_claimed_executions_on_job_id) ON e.job_id = d.id
	FOR UPDATE) kept;
DELETE e
FROM {include:ids @dray_kept} x
STRAIGHT_JOIN solid_queue_failed_executions e
	FORCE INDEX (index_solid_queue_failed_executions_on_job_id) ON e.job_id = x.id;
SELECT JSON_MERGE_PRESERVE(COALESCE(@dray_kept, '[]'), COALESCE(JSON_ARRAYAGG(kept.job_id), '[]'))
INTO @dray_kept FROM (
	SELECT e.job_id
	FROM {include:distinct_ids :jobs} d
	STRAIGHT_JOIN solid_queue_failed_executions e
		FORCE INDEX (index_solid_queue_failed_executions_on_job_id) ON e.job_id = d.id
	FOR UPDATE) kept;
DELETE e
FROM {include:ids @dray_kept} x
STRAIGHT_JOIN solid_queue_ready_executions e
	FORCE INDEX (index_solid_queue_ready_executions_on_job_id) ON e.job_id = x.id;
SELECT JSON_MERGE_PRESERVE(COALESCE(@dray_kept, '[]'), COALESCE(JSON_ARRAYAGG(kept.job_id), '[]'))
INTO @dray_kept FROM (
	SELECT e.job_id
	FROM {include:distinct_ids :jobs} d
	STRAIGHT_JOIN solid_queue_ready_executions e
		FORCE INDEX (index_solid_queue_ready_executions_on_job_id) ON e.job_id = d.id
	FOR UPDATE) kept;
DELETE e
FROM {include:ids @dray_kept} x
STRAIGHT_JOIN solid_queue_blocked_executions e
	FORCE INDEX (index_solid_queue_blocked_executions_on_job_id) ON e.job_id = x.id;
SELECT JSON_MERGE_PRESERVE(COALESCE(@dray_kept, '[]'), COALESCE(JSON_ARRAYAGG(kept.job_id), '[]'))
INTO @dray_kept FROM (
	SELECT e.job_id
	FROM {include:distinct_ids :jobs} d
	STRAIGHT_JOIN solid_queue_blocked_executions e
		FORCE INDEX (index_solid_queue_blocked_executions_on_job_id) ON e.job_id = d.id
	FOR UPDATE) kept;
DELETE e
FROM {include:ids @dray_kept} x
STRAIGHT_JOIN solid_queue_scheduled_executions e
	FORCE INDEX (index_solid_queue_scheduled_executions_on_job_id) ON e.job_id = x.id;
