-- cancellations_of(jobs) -> job_id
-- Lists those of these jobs of which a run was cancelled, now or earlier.
-- read

-- @mysql
-- rows
SELECT k.job_id
FROM {include:ids :jobs} x
STRAIGHT_JOIN dray_cancellations k FORCE INDEX (PRIMARY) ON k.job_id = x.id;

-- @postgresql @sqlite
-- rows
SELECT job_id FROM dray_cancellations WHERE job_id {in:jobs};
