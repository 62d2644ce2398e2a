-- slots_adopt_several(jobs, now) ->
-- Does what slots_adopt does for the further keys of jobs that have several.
INSERT INTO dray_slots (concurrency_key, job_id, class_name, position, created_at)
SELECT k.concurrency_key, j.id, j.class_name, k.position, :now
FROM dray_keys k JOIN solid_queue_jobs j ON j.id = k.job_id
WHERE k.job_id {in:jobs}
	AND {include:runs_or_is_ready j.id}
ON CONFLICT (concurrency_key, job_id) DO NOTHING;
