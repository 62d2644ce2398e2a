-- What several operations of enqueue/ share (db/scripts/dialect.h).
-- list enqueued_row(position, priority, queue_name, class_name, arguments, active_job_id, scheduled_at, concurrency_key)
-- list key_row(active_job_id, position, key)
-- list found_row(active_job_id)

-- @fragment due_jobs
-- The scheduled rows s in @dray_due, each with its job j.

-- @mysql
{include:ids @dray_due} x
STRAIGHT_JOIN solid_queue_scheduled_executions s FORCE INDEX (PRIMARY) ON s.id = x.id
STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = s.job_id

-- @fragment enqueued_ids
-- The ids of the jobs enqueued now.

-- @mysql
SELECT x.id FROM {include:ids @dray_jobs} x ORDER BY x.id

-- @sqlite
SELECT j.id FROM solid_queue_jobs j WHERE {include:j_is_enqueued} ORDER BY j.id

-- @fragment enqueued_jobs
-- The jobs j that were enqueued now, as find_enqueued has found them.

-- @mysql
{include:ids @dray_jobs} x
STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = x.id

-- @fragment find_enqueued
-- Finds the rows that were inserted just now, by active_job_id and created_at, because the ids
-- of several enqueuers may interleave. Once, since reading that JSON costs as much as inserting
-- a row; the other statements use the ids. Two jobs may have the same active_job_id: one of an
-- earlier call in this transaction is found, too.

-- @mysql
SELECT JSON_ARRAYAGG(j.id) INTO @dray_jobs
FROM (SELECT DISTINCT x.active_job_id FROM JSON_TABLE(:jobs, '$[*].active_job_id' COLUMNS (
	active_job_id varchar(255) {as_jobs} PATH '$')) x) d
STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (index_solid_queue_jobs_on_active_job_id)
	ON j.active_job_id = d.active_job_id
WHERE j.created_at = :now

-- @fragment insert_jobs
-- Inserts the jobs of :jobs (a JSON array), in order.

-- @mysql
INSERT INTO solid_queue_jobs (queue_name, class_name, arguments, priority, active_job_id,
	scheduled_at, concurrency_key, created_at, updated_at)
SELECT x.queue_name, x.class_name, x.arguments, x.priority, x.active_job_id,
	x.scheduled_at, x.concurrency_key, :now, :now
FROM JSON_TABLE(:jobs, '$[*]' COLUMNS (
	position FOR ORDINALITY,
	queue_name varchar(255) CHARACTER SET utf8mb4 PATH '$.queue_name',
	class_name varchar(255) CHARACTER SET utf8mb4 PATH '$.class_name',
	arguments longtext CHARACTER SET utf8mb4 PATH '$.arguments',
	priority int PATH '$.priority',
	active_job_id varchar(255) CHARACTER SET utf8mb4 PATH '$.active_job_id',
	scheduled_at datetime(6) PATH '$.scheduled_at',
	concurrency_key varchar(255) CHARACTER SET utf8mb4 PATH '$.concurrency_key')) x
ORDER BY x.position

-- @postgresql
INSERT INTO solid_queue_jobs (queue_name, class_name, arguments, priority, active_job_id,
	scheduled_at, concurrency_key, created_at, updated_at)
SELECT x.queue_name, x.class_name, x.arguments, x.priority, x.active_job_id,
	x.scheduled_at, x.concurrency_key, :now::timestamp, :now::timestamp
FROM json_to_recordset(:jobs::json) AS x(position bigint, queue_name text, class_name text,
	arguments text, priority integer, active_job_id text, scheduled_at timestamp,
	concurrency_key text)
ORDER BY x.position

-- @sqlite
INSERT INTO solid_queue_jobs (queue_name, class_name, arguments, priority, active_job_id,
	scheduled_at, concurrency_key, created_at, updated_at)
SELECT value ->> 'queue_name', value ->> 'class_name', value ->> 'arguments',
	value ->> 'priority', value ->> 'active_job_id', value ->> 'scheduled_at',
	value ->> 'concurrency_key', :now, :now
FROM json_each(:jobs) ORDER BY key

-- @fragment is_due
-- The time {it} of a scheduled job has come, and has the form in which times are compared.

-- @sqlite
{it} <= :now AND NOT ({include:time_is_odd {it}})

-- @fragment j_is_enqueued
-- The job j is one of those that were inserted just now: as one transaction writes at a time, they
-- have the highest numbers.

-- @sqlite
j.id > (SELECT max(id) FROM solid_queue_jobs) - json_array_length(:jobs)

-- @fragment ready_enqueued
-- Makes those jobs j of the ones enqueued now ready for which {it}.

-- @mysql
{include:insert_ready}
FROM {include:enqueued_jobs}
WHERE {it}
{include:unless_there solid_queue_ready_executions}

-- @postgresql
{include:insert_ready}
FROM job j WHERE {it}

-- @sqlite
{include:insert_ready}
FROM solid_queue_jobs j
WHERE {include:j_is_enqueued} AND {it}
ORDER BY j.id

-- @fragment schedule_enqueued
-- Makes those of the jobs enqueued now that are due later scheduled.

-- @mysql
INSERT INTO solid_queue_scheduled_executions
	(job_id, queue_name, priority, scheduled_at, created_at)
SELECT j.id, j.queue_name, j.priority, j.scheduled_at, :now
FROM {include:enqueued_jobs}
WHERE j.scheduled_at > :now
{include:unless_there solid_queue_scheduled_executions}

-- @postgresql
INSERT INTO solid_queue_scheduled_executions
	(job_id, queue_name, priority, scheduled_at, created_at)
SELECT id, queue_name, priority, scheduled_at, :now FROM job WHERE scheduled_at > :now

-- @sqlite
INSERT INTO solid_queue_scheduled_executions
	(job_id, queue_name, priority, scheduled_at, created_at)
SELECT j.id, j.queue_name, j.priority, j.scheduled_at, :now
FROM solid_queue_jobs j
WHERE {include:j_is_enqueued} AND j.scheduled_at > :now
ORDER BY j.id
