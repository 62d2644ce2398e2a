-- mend_twice(jobs) ->

-- @mysql
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

-- @postgresql
-- Leaves jobs that are in several tables in one of them: claimed before failed before ready
-- before blocked before scheduled, which is how far a job has come. The row that stays is locked
-- before another is deleted: whatever moves a job locks its row first, so the row is there when
-- this commits.
WITH {include:keep claimed}, failed AS (
	{include:drop_kept failed}
), ready AS (
	{include:drop_kept ready}
), blocked AS (
	{include:drop_kept blocked}
)
{include:drop_kept scheduled};
WITH {include:keep failed}, ready AS (
	{include:drop_kept ready}
), blocked AS (
	{include:drop_kept blocked}
)
{include:drop_kept scheduled};
WITH {include:keep ready}, blocked AS (
	{include:drop_kept blocked}
)
{include:drop_kept scheduled};
WITH {include:keep blocked}
{include:drop_kept scheduled};

-- @sqlite
-- Leaves jobs that are in several tables in one of them: claimed before failed before ready
-- before blocked before scheduled, which is how far a job has come.
DELETE FROM solid_queue_failed_executions AS e WHERE e.job_id {in:jobs} AND (
	{include:further_on claimed});
DELETE FROM solid_queue_ready_executions AS e WHERE e.job_id {in:jobs} AND (
	{include:further_on claimed}
	OR {include:further_on failed});
DELETE FROM solid_queue_blocked_executions AS e WHERE e.job_id {in:jobs} AND (
	{include:further_on claimed}
	OR {include:further_on failed}
	OR {include:further_on ready});
DELETE FROM solid_queue_scheduled_executions AS e WHERE e.job_id {in:jobs} AND (
	{include:further_on claimed}
	OR {include:further_on failed}
	OR {include:further_on ready}
	OR {include:further_on blocked});
