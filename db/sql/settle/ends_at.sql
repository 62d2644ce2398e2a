-- ends_at(jobs, now) -> job_id, outcome, attempt, error, error_group
-- Lists those of these jobs whose runs ended at this time, with what the history says of it; of those that
-- were only lost it says nothing.
-- read

-- @mysql
-- rows
SELECT a.job_id, a.outcome, a.attempt, a.error, a.error_group
FROM {include:ids :jobs} x
STRAIGHT_JOIN dray_attempts a FORCE INDEX (index_dray_attempts_on_job_id_and_id) ON a.job_id = x.id
WHERE a.ended_at = :now AND a.outcome <> 'lost';

-- @postgresql @sqlite
-- rows
SELECT a.job_id, a.outcome, a.attempt, a.error, a.error_group FROM dray_attempts a
WHERE a.job_id {in:jobs}
	AND CASE WHEN a.ended_at = :now AND a.outcome <> 'lost' THEN 1 ELSE 0 END = 1;
