-- mend_twice(jobs) ->
-- Leaves jobs that are in several tables in one of them: claimed before failed before ready
-- before blocked before scheduled, which is how far a job has come. The row that stays is locked
-- before another is deleted: whatever moves a job locks its row first, so the row is there when
-- this commits.
SELECT JSON_ARRAYAGG(kept.job_id) INTO @dray_kept FROM (
	SELECT e.job_id
	FROM {include:distinct_ids :jobs} x
	STRAIGHT_JOIN {include:executions claimed}
	FOR UPDATE) kept;
{include:drop_kept failed};
{include:keep failed};
{include:drop_kept ready};
{include:keep ready};
{include:drop_kept blocked};
{include:keep blocked};
{include:drop_kept scheduled};
