-- slots_find_holders(keys, now) ->
-- Gives each job that runs or is ready with one of these keys and has no slot of ours (Solid
-- Queue let it in) a slot row from now on. It looks at all ready jobs, so it is only for keys
-- that do not add up.
INSERT INTO dray_slots (concurrency_key, job_id, class_name, position, created_at)
SELECT j.concurrency_key, j.id, j.class_name, 0, :now
FROM (SELECT job_id FROM solid_queue_claimed_executions
	UNION SELECT job_id FROM solid_queue_ready_executions) e
JOIN solid_queue_jobs j ON j.id = e.job_id
WHERE j.concurrency_key IN (SELECT value ->> 'key' FROM json_each(:keys))
	AND NOT EXISTS (SELECT 1 FROM dray_slots s WHERE s.job_id = j.id)
ON CONFLICT (concurrency_key, job_id) DO NOTHING;
INSERT INTO dray_slots (concurrency_key, job_id, class_name, position, created_at)
SELECT n.concurrency_key, j.id, j.class_name, n.position, :now
FROM dray_keys n JOIN solid_queue_jobs j ON j.id = n.job_id
WHERE n.concurrency_key IN (SELECT value ->> 'key' FROM json_each(:keys))
	AND {include:runs_or_is_ready n.job_id}
ON CONFLICT (concurrency_key, job_id) DO NOTHING;
