-- Locks the {it} executions of these jobs and adds their jobs to @dray_kept, which stay in that
-- table.
SELECT JSON_MERGE_PRESERVE(COALESCE(@dray_kept, '[]'), COALESCE(JSON_ARRAYAGG(kept.job_id), '[]'))
INTO @dray_kept FROM (
	SELECT e.job_id
	FROM {include:distinct_ids :jobs} x
	STRAIGHT_JOIN {include:executions {it}}
	FOR UPDATE) kept
