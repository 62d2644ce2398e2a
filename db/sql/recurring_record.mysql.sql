-- recurring_record(runs, now) -> job_id
-- The moments that jobs enqueued with `now` are for: runs is [{"active_job_id", "task_key",
-- "run_at"}], in the order of keys. A moment that was decided on already, by us or by Rails, keeps
-- what it has; the new job is deleted again, and returned.
INSERT INTO dray_recurring_runs (task_key, run_at, job_id, outcome, created_at)
SELECT x.task_key, x.run_at, j.id, 'enqueued', :now
FROM JSON_TABLE(:runs, '$[*]' COLUMNS (
	active_job_id varchar(255) {as_jobs} PATH '$.active_job_id',
	task_key varchar(255) {as_jobs} PATH '$.task_key',
	run_at datetime(6) PATH '$.run_at')) x
STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (index_solid_queue_jobs_on_active_job_id)
	ON j.active_job_id = x.active_job_id
WHERE j.created_at = :now
ON DUPLICATE KEY UPDATE outcome = dray_recurring_runs.outcome;
INSERT INTO solid_queue_recurring_executions (job_id, task_key, run_at, created_at)
SELECT r.job_id, r.task_key, r.run_at, :now
FROM JSON_TABLE(:runs, '$[*]' COLUMNS (
	active_job_id varchar(255) {as_jobs} PATH '$.active_job_id',
	task_key varchar(255) {as_jobs} PATH '$.task_key',
	run_at datetime(6) PATH '$.run_at')) x
STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (index_solid_queue_jobs_on_active_job_id)
	ON j.active_job_id = x.active_job_id
STRAIGHT_JOIN dray_recurring_runs r FORCE INDEX (PRIMARY)
	ON r.task_key = x.task_key AND r.run_at = x.run_at AND r.job_id = j.id
WHERE j.created_at = :now
ON DUPLICATE KEY UPDATE task_key = solid_queue_recurring_executions.task_key;
SELECT JSON_ARRAYAGG(j.id) INTO @dray_repeated
FROM JSON_TABLE(:runs, '$[*]' COLUMNS (
	active_job_id varchar(255) {as_jobs} PATH '$.active_job_id',
	task_key varchar(255) {as_jobs} PATH '$.task_key',
	run_at datetime(6) PATH '$.run_at')) x
STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (index_solid_queue_jobs_on_active_job_id)
	ON j.active_job_id = x.active_job_id
LEFT JOIN solid_queue_recurring_executions e
	FORCE INDEX (index_solid_queue_recurring_executions_on_job_id) ON e.job_id = j.id
WHERE j.created_at = :now AND e.id IS NULL;
-- rows
SELECT x.id FROM JSON_TABLE(@dray_repeated, '$[*]' COLUMNS (id bigint PATH '$')) x;
DELETE j
FROM JSON_TABLE(@dray_repeated, '$[*]' COLUMNS (id bigint PATH '$')) x
STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = x.id;
