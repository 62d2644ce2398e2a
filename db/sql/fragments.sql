-- What operations of several folders share (db/scripts/dialect.h).
-- columns pause_row(kind, name, reason, who, host, created_at, ends_at)
-- columns catalog(table, name, definition)

-- @fragment after_now
-- The time that comes {it} milliseconds after :now.

-- @mysql
DATE_ADD(:now, INTERVAL {it} * 1000 MICROSECOND)

-- @postgresql
:now::timestamp + {it} * interval '1 millisecond'

-- @sqlite
strftime('%Y-%m-%d %H:%M:%f', :now, ({it} / 1000.0) || ' seconds')

-- @fragment as_text
-- The value {it} as text.

-- @mysql
CAST({it} AS CHAR)

-- @postgresql @sqlite
CAST({it} AS TEXT)

-- @fragment delete_executions
-- Deletes the {it} executions of these jobs.

-- @mysql
DELETE e
FROM {include:ids :jobs} x
STRAIGHT_JOIN {include:executions {it}}

-- @postgresql @sqlite
DELETE FROM solid_queue_{it}_executions WHERE job_id {in:jobs}

-- @fragment distinct_ids
-- The JSON array of ids {it} as a table in which each stands once; its column is id.

-- @mysql
(SELECT DISTINCT x.id FROM {include:ids {it}} x)

-- @fragment distinct_keys
-- The concurrency keys of the JSON array {it} ([{"key"}]) as a table in which each stands once; its
-- column is name.

-- @mysql
(SELECT DISTINCT x.name FROM JSON_TABLE({it}, '$[*]' COLUMNS (
	name varchar(255) {as_jobs} PATH '$.key')) x)

-- @fragment executions
-- The rows e of the table of {it} executions of the jobs x.

-- @mysql
solid_queue_{it}_executions e
	FORCE INDEX (index_solid_queue_{it}_executions_on_job_id) ON e.job_id = x.id

-- @fragment ids
-- The JSON array of ids {it} as a table; its column is id.

-- @mysql
JSON_TABLE({it}, '$[*]' COLUMNS (id bigint PATH '$'))

-- @fragment insert_ready
-- Makes the jobs j ready; the script says which these are.
INSERT INTO solid_queue_ready_executions (job_id, queue_name, priority, created_at)
SELECT j.id, j.queue_name, j.priority, :now

-- @fragment is_named
-- The job j of jobs_named is one of these.

-- @mysql
j.id = d.id

-- @postgresql @sqlite
j.id {in:jobs}

-- @fragment job_of
-- Joins the job j whose id is {it}. OFFSET 0 makes PostgreSQL look up one job after the other by its
-- id, however many it expects.

-- @postgresql
CROSS JOIN LATERAL (
	SELECT id, queue_name, class_name, priority, concurrency_key FROM solid_queue_jobs
	WHERE solid_queue_jobs.id = {it} OFFSET 0) j

-- @fragment jobs_named
-- These jobs, as j; the condition is_named goes with it.

-- @mysql
{include:distinct_ids :jobs} d
STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = d.id

-- @postgresql @sqlite
solid_queue_jobs j

-- @fragment unless_there
-- @mysql
-- A job that has such a row in {it} already keeps it. Where the ids have come to their end, MySQL
-- finds the row of another job: that is refused.
ON DUPLICATE KEY UPDATE job_id = IF({it}.job_id = VALUES(job_id), {it}.job_id, NULL)

-- @postgresql @sqlite
-- A job that has such a row already keeps it.
ON CONFLICT (job_id) DO NOTHING
