-- slots_adopt_several(jobs, now) ->
-- Does what slots_adopt does for the further keys of jobs that have several.

-- @mysql
INSERT INTO dray_slots (concurrency_key, job_id, class_name, position, created_at)
SELECT k.concurrency_key, j.id, j.class_name, k.position, :now
FROM {include:ids :jobs} x
STRAIGHT_JOIN dray_keys k FORCE INDEX (PRIMARY) ON k.job_id = x.id
STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = k.job_id
LEFT JOIN dray_slots s FORCE INDEX (PRIMARY)
	ON s.concurrency_key = k.concurrency_key AND s.job_id = j.id
{include:claim_and_ready_row j.id}
WHERE s.job_id IS NULL AND (c.id IS NOT NULL OR r.id IS NOT NULL)
{include:unless_there dray_slots};

-- @postgresql @sqlite
INSERT INTO dray_slots (concurrency_key, job_id, class_name, position, created_at)
SELECT k.concurrency_key, j.id, j.class_name, k.position, :now
FROM dray_keys k JOIN solid_queue_jobs j ON j.id = k.job_id
WHERE k.job_id {in:jobs}
	AND {include:runs_or_is_ready j.id}
ON CONFLICT (concurrency_key, job_id) DO NOTHING;
