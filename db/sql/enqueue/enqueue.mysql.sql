-- enqueue(jobs, now) -> job_id
-- Inserts jobs (a JSON array) in order; due ones become ready, later ones scheduled. The new rows
-- are found again by active_job_id and created_at, because several enqueuers' ids may interleave:
-- once, since reading that JSON costs as much as inserting a row. The others use the ids. Two jobs
-- may have the same active_job_id: one of an earlier call in this transaction is found, too.
{include:insert_jobs};
{include:find_enqueued};
INSERT INTO solid_queue_ready_executions (job_id, queue_name, priority, created_at)
SELECT j.id, j.queue_name, j.priority, :now
FROM JSON_TABLE(@dray_jobs, '$[*]' COLUMNS (id bigint PATH '$')) x
STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = x.id
WHERE j.scheduled_at <= :now
ON DUPLICATE KEY UPDATE job_id = VALUES(job_id);
{include:schedule_enqueued};
-- rows
SELECT x.id FROM JSON_TABLE(@dray_jobs, '$[*]' COLUMNS (id bigint PATH '$')) x ORDER BY x.id;
