-- mend_twice(jobs) ->
-- Jobs that are in several tables stay in one: claimed before failed before ready before blocked
-- before scheduled, which is how far a job has come. The row that stays is locked before another is
-- deleted: whoever moves a job locks its row first, so it is there when we commit.
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
