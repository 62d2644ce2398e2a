-- slots_find_holders(keys, now) ->
-- Gives each job that runs or is ready with one of these keys and has no slot of ours (Solid
-- Queue let it in) a slot row from now on. It looks at all ready jobs, so it is only for keys
-- that do not add up.

-- @mysql
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

-- @postgresql
INSERT INTO dray_slots (concurrency_key, job_id, class_name, position, created_at)
SELECT j.concurrency_key, j.id, j.class_name, 0, :now::timestamp
FROM (SELECT job_id FROM solid_queue_claimed_executions
	UNION SELECT job_id FROM solid_queue_ready_executions) e
{include:job_of e.job_id}
WHERE j.concurrency_key IN (SELECT k.key FROM json_to_recordset(:keys::json) AS k(key text))
	AND NOT EXISTS (SELECT 1 FROM dray_slots s WHERE s.job_id = j.id)
ON CONFLICT (concurrency_key, job_id) DO NOTHING;
INSERT INTO dray_slots (concurrency_key, job_id, class_name, position, created_at)
SELECT n.concurrency_key, j.id, j.class_name, n.position, :now::timestamp
FROM (SELECT job_id, position, concurrency_key FROM dray_keys
	WHERE concurrency_key = ANY (ARRAY(
		SELECT k.key FROM json_to_recordset(:keys::json) AS k(key text)))) n
{include:job_of n.job_id}
WHERE COALESCE(
	(SELECT c.job_id FROM solid_queue_claimed_executions c WHERE c.job_id = n.job_id),
	(SELECT r.job_id FROM solid_queue_ready_executions r WHERE r.job_id = n.job_id)) IS NOT NULL
ON CONFLICT (concurrency_key, job_id) DO NOTHING;

-- @sqlite
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
