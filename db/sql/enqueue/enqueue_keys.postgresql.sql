-- enqueue_keys(keys, now) ->
-- Inserts the further keys ([{"active_job_id", "position", "key"}]) of jobs that were enqueued
-- with `now`.
INSERT INTO dray_keys (job_id, position, concurrency_key)
SELECT j.id, x.position, x.key
FROM json_to_recordset(:keys::json) AS x(active_job_id text, position integer, key text)
CROSS JOIN LATERAL (
	SELECT id FROM solid_queue_jobs
	WHERE active_job_id = x.active_job_id AND created_at = :now::timestamp OFFSET 0) j
ON CONFLICT (job_id, position) DO NOTHING;
