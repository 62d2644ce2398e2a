-- slots_find_holders(keys, now) ->
-- Gives each job that runs or is ready with one of these keys and has no slot of ours (Solid
-- Queue let it in) a slot row from now on. It looks at all ready jobs, so it is only for keys
-- that do not add up.
INSERT INTO dray_slots (concurrency_key, job_id, class_name, position, created_at)
SELECT j.concurrency_key, j.id, j.class_name, 0, :now
FROM (SELECT job_id FROM solid_queue_claimed_executions
	UNION SELECT job_id FROM solid_queue_ready_executions) e
STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = e.job_id
STRAIGHT_JOIN {include:distinct_keys :keys} k ON k.name = j.concurrency_key
LEFT JOIN dray_slots s FORCE INDEX (index_dray_slots_on_job_id) ON s.job_id = j.id
WHERE s.job_id IS NULL
{include:unless_there dray_slots};
INSERT INTO dray_slots (concurrency_key, job_id, class_name, position, created_at)
SELECT n.concurrency_key, j.id, j.class_name, n.position, :now
FROM {include:distinct_keys :keys} k
STRAIGHT_JOIN dray_keys n FORCE INDEX (index_dray_keys_on_concurrency_key)
	ON n.concurrency_key = k.name
STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = n.job_id
LEFT JOIN dray_slots s FORCE INDEX (PRIMARY)
	ON s.concurrency_key = n.concurrency_key AND s.job_id = j.id
{include:claim_and_ready_row j.id}
WHERE s.job_id IS NULL AND (c.id IS NOT NULL OR r.id IS NOT NULL)
{include:unless_there dray_slots};
