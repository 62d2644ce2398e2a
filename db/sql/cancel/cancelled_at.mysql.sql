-- cancelled_at(jobs, now) -> job_id, error
-- Lists those of these jobs that were cancelled at this time, with what the history says of it.
-- read
-- rows
SELECT a.job_id, a.error
FROM {include:ids :jobs} x
STRAIGHT_JOIN dray_attempts a FORCE INDEX (index_dray_attempts_on_job_id_and_id) ON a.job_id = x.id
WHERE a.ended_at = :now AND a.outcome = 'cancelled';
