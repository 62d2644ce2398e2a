-- mend_strays(jobs) ->
-- Deletes the execution rows of jobs that do not exist or are finished. Neither is ever undone, so
-- what was seen still holds; a worker that runs such a job finds its claim lost.
DELETE e
FROM {include:ids :jobs} x
STRAIGHT_JOIN solid_queue_ready_executions e
	FORCE INDEX (index_solid_queue_ready_executions_on_job_id) ON e.job_id = x.id
WHERE (SELECT j.id FROM solid_queue_jobs j WHERE j.id = e.job_id AND j.finished_at IS NULL) IS NULL;
DELETE e
FROM {include:ids :jobs} x
STRAIGHT_JOIN solid_queue_scheduled_executions e
	FORCE INDEX (index_solid_queue_scheduled_executions_on_job_id) ON e.job_id = x.id
WHERE (SELECT j.id FROM solid_queue_jobs j WHERE j.id = e.job_id AND j.finished_at IS NULL) IS NULL;
DELETE e
FROM {include:ids :jobs} x
STRAIGHT_JOIN solid_queue_claimed_executions e
	FORCE INDEX (index_solid_queue_claimed_executions_on_job_id) ON e.job_id = x.id
WHERE (SELECT j.id FROM solid_queue_jobs j WHERE j.id = e.job_id AND j.finished_at IS NULL) IS NULL;
DELETE e
FROM {include:ids :jobs} x
STRAIGHT_JOIN solid_queue_blocked_executions e
	FORCE INDEX (index_solid_queue_blocked_executions_on_job_id) ON e.job_id = x.id
WHERE (SELECT j.id FROM solid_queue_jobs j WHERE j.id = e.job_id AND j.finished_at IS NULL) IS NULL;
DELETE e
FROM {include:ids :jobs} x
STRAIGHT_JOIN solid_queue_failed_executions e
	FORCE INDEX (index_solid_queue_failed_executions_on_job_id) ON e.job_id = x.id
WHERE (SELECT j.id FROM solid_queue_jobs j WHERE j.id = e.job_id AND j.finished_at IS NULL) IS NULL;
