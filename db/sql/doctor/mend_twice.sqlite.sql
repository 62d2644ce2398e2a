-- mend_twice(jobs) ->
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
