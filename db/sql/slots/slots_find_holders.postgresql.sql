-- slots_find_holders(keys, now) ->
-- Gives each job that runs or is ready with one of these keys and has no slot of ours (Solid
-- Queue let it in) a slot row from now on. It looks at all ready jobs, so it is only for keys
-- that do not add up.
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
