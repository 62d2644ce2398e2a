-- enqueue_keys(keys, now) ->
-- Inserts the further keys ([{"active_job_id", "position", "key"}]) of jobs that were enqueued
-- with `now`.
INSERT INTO dray_keys (job_id, position, concurrency_key)
SELECT j.id, x.value ->> 'position', x.value ->> 'key'
FROM json_each(:keys) x
CROSS JOIN solid_queue_jobs j ON j.active_job_id = (x.value ->> 'active_job_id')
WHERE j.created_at = :now
ON CONFLICT (job_id, position) DO NOTHING;
