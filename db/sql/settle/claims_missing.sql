-- claims_missing(jobs) -> job_id
-- Those of these jobs that are claimed and do not exist.
-- read

-- @mysql
-- rows
SELECT e.job_id
FROM {include:distinct_ids :jobs} x
STRAIGHT_JOIN {include:executions claimed}
WHERE (SELECT j.id FROM solid_queue_jobs j WHERE j.id = e.job_id) IS NULL;

-- @postgresql @sqlite
-- rows
SELECT e.job_id FROM solid_queue_claimed_executions e
WHERE e.job_id {in:jobs} AND NOT EXISTS (SELECT 1 FROM solid_queue_jobs j WHERE j.id = e.job_id);
