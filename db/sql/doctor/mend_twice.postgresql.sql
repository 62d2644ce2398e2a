-- mend_twice(jobs) ->
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
