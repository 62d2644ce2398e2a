-- cancelled_at(jobs, now) -> job_id, error
-- Lists those of these jobs that were cancelled at this time, with what the history says of it.
-- read

-- @mysql
-- rows
SELECT a.job_id, a.error
FROM {include:ids :jobs} x
STRAIGHT_JOIN dray_attempts a FORCE INDEX (index_dray_attempts_on_job_id_and_id) ON a.job_id = x.id
WHERE a.ended_at = :now AND a.outcome = 'cancelled';

-- @postgresql @sqlite
-- rows
SELECT a.job_id, a.error FROM dray_attempts a
WHERE a.job_id {in:jobs}
	AND CASE WHEN a.ended_at = :now AND a.outcome = 'cancelled' THEN 1 ELSE 0 END = 1;
