-- job_left(id) -> state, since, due_at, queue_name, process_id, process_name
-- What is left of a job whose own row is gone: its execution rows, each with its state, since when, and
-- what a row of its kind has: when it is due, its queue, the process that has claimed it (without a
-- name: that is gone, too).
-- read
-- rows
SELECT 'scheduled', s.created_at, s.scheduled_at, s.queue_name, NULL, NULL
FROM solid_queue_scheduled_executions s WHERE s.job_id = :id
UNION ALL
SELECT 'claimed', c.created_at, NULL, NULL, c.process_id, p.name
FROM solid_queue_claimed_executions c LEFT JOIN solid_queue_processes p ON p.id = c.process_id
WHERE c.job_id = :id
UNION ALL
SELECT 'ready', r.created_at, NULL, r.queue_name, NULL, NULL
FROM solid_queue_ready_executions r WHERE r.job_id = :id
UNION ALL
SELECT 'blocked', b.created_at, NULL, b.queue_name, NULL, NULL
FROM solid_queue_blocked_executions b WHERE b.job_id = :id
UNION ALL
SELECT 'failed', f.created_at, NULL, NULL, NULL, NULL
FROM solid_queue_failed_executions f WHERE f.job_id = :id;
