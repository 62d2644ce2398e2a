-- enqueue_keys(keys, now) ->
-- Inserts the further keys ([{"active_job_id", "position", "key"}]) of jobs that were enqueued
-- with `now`.

-- @mysql
INSERT INTO dray_keys (job_id, position, concurrency_key)
SELECT j.id, x.position, x.name
FROM JSON_TABLE(:keys, '$[*]' COLUMNS (
	active_job_id varchar(255) {as_jobs} PATH '$.active_job_id',
	position int PATH '$.position',
	name varchar(255) CHARACTER SET utf8mb4 PATH '$.key')) x
STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (index_solid_queue_jobs_on_active_job_id)
	ON j.active_job_id = x.active_job_id
WHERE j.created_at = :now
ON DUPLICATE KEY UPDATE position = VALUES(position);

-- @postgresql
INSERT INTO dray_keys (job_id, position, concurrency_key)
SELECT j.id, x.position, x.key
FROM json_to_recordset(:keys::json) AS x(active_job_id text, position integer, key text)
CROSS JOIN LATERAL (
	SELECT id FROM solid_queue_jobs
	WHERE active_job_id = x.active_job_id AND created_at = :now::timestamp OFFSET 0) j
ON CONFLICT (job_id, position) DO NOTHING;

-- @sqlite
INSERT INTO dray_keys (job_id, position, concurrency_key)
SELECT j.id, x.value ->> 'position', x.value ->> 'key'
FROM json_each(:keys) x
CROSS JOIN solid_queue_jobs j ON j.active_job_id = (x.value ->> 'active_job_id')
WHERE j.created_at = :now
ON CONFLICT (job_id, position) DO NOTHING;
