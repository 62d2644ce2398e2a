-- What several operations of settle/ share (db/scripts/dialect.h).
-- list claim_row(id, job_id, process_id, created_at)
-- list run_row(id, job_id, process_id, created_at, attempt, began_at, ended_at, due, outcome, payload, error, error_group, cpu_us, peak_memory)

-- @fragment add_attempts
-- @mysql
-- Writes into the history that these runs ended as {it}.
INSERT INTO dray_attempts (job_id, attempt, claim_id, process_name, hostname, began_at, ended_at,
	outcome, error, cpu_us, peak_memory, error_group)
SELECT c.job_id, x.attempt, c.id, p.name, p.hostname, x.began_at, x.ended_at, {it}, x.error,
	x.cpu_us, x.peak_memory, x.error_group
FROM {include:run_ends}
LEFT JOIN solid_queue_processes p FORCE INDEX (PRIMARY) ON p.id = c.process_id

-- @postgresql
-- Writes into the history that the runs in `ends` ended as {it}; :keep attempts of a job are kept.
{include:forget_attempts ends}, attempted AS (
	INSERT INTO dray_attempts (job_id, attempt, claim_id, process_name, hostname, began_at,
		ended_at, outcome, error, cpu_us, peak_memory, error_group)
	SELECT ends.job_id, ends.attempt, ends.claim_id, p.name, p.hostname, ends.began_at,
		ends.ended_at, {it}, ends.error, ends.cpu_us, ends.peak_memory, ends.error_group
	FROM ends LEFT JOIN solid_queue_processes p ON p.id = ends.process_id
)

-- @sqlite
-- Writes into the history that these runs ended as {it}.
INSERT INTO dray_attempts (job_id, attempt, claim_id, process_name, hostname, began_at, ended_at,
	outcome, error, cpu_us, peak_memory, error_group)
SELECT c.job_id, f.value ->> 'attempt', c.id, p.name, p.hostname, f.value ->> 'began_at',
	f.value ->> 'ended_at', {it}, f.value ->> 'error',
	f.value ->> 'cpu_us', f.value ->> 'peak_memory', f.value ->> 'error_group'
FROM {include:run_ends}
LEFT JOIN solid_queue_processes p ON p.id = c.process_id

-- @fragment add_lost
-- Writes the lost runs into the history; {it}: the name and the host of their process.

-- @mysql
INSERT INTO dray_attempts (job_id, attempt, claim_id, process_name, hostname, began_at, ended_at,
	outcome, error, error_group)
SELECT c.job_id, x.attempt, c.id, {it}, x.began_at, x.ended_at, x.outcome, x.error,
	x.error_group
FROM {include:unfinished_runs}

-- @sqlite
INSERT INTO dray_attempts (job_id, attempt, claim_id, process_name, hostname, began_at, ended_at,
	outcome, error, error_group)
SELECT c.job_id, f.value ->> 'attempt', c.id, {it}, f.value ->> 'began_at', f.value ->> 'ended_at',
	f.value ->> 'outcome', f.value ->> 'error', f.value ->> 'error_group'
FROM {include:unfinished_runs}

-- @fragment claim_is_named
-- The claim c is one that :claims names by all that cannot come back: number, job, process and
-- time.

-- @sqlite
c.id IN (SELECT value ->> 'id' FROM json_each(:claims))
	AND (c.id, c.job_id, COALESCE(c.process_id, 0), c.created_at) IN (
		SELECT value ->> 'id', value ->> 'job_id', value ->> 'process_id',
			value ->> 'created_at'
		FROM json_each(:claims))

-- @fragment claim_of_x
-- Joins the claim c that x names by all that cannot come back: number, job, process and time.

-- @mysql
STRAIGHT_JOIN solid_queue_claimed_executions c FORCE INDEX (PRIMARY) ON c.id = x.id
	AND c.job_id = x.job_id AND COALESCE(c.process_id, 0) = x.process_id
	AND c.created_at = x.created_at

-- @fragment claimed_jobs
-- @mysql
-- The claims c of {it}, each with its job j, but for those of finished jobs, which just go.
{it}
STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = c.job_id AND j.finished_at IS NULL

-- @sqlite
-- The claims c, each with its job j, but for those of finished jobs, which just go. The + keeps
-- SQLite from starting at the index on finished_at.
solid_queue_claimed_executions c
JOIN solid_queue_jobs j ON j.id = c.job_id AND +j.finished_at IS NULL

-- @fragment count_interruptions
-- @mysql
-- Counts an interruption for each unfinished job of the claims that :claims names.
INSERT INTO dray_losses (job_id, losses, last_lost_at, interruptions)
SELECT j.id, 0, :now, 1
FROM {include:claimed_jobs {include:named_claims}}
ON DUPLICATE KEY UPDATE interruptions = dray_losses.interruptions + 1

-- @postgresql
-- Counts an interruption for each unfinished job of `done`.
interrupted AS (
	INSERT INTO dray_losses AS known (job_id, losses, last_lost_at, interruptions)
	SELECT j.id, 0, :now, 1
	FROM done {include:job_of done.job_id AND finished_at IS NULL}
	ON CONFLICT (job_id) DO UPDATE SET interruptions = known.interruptions + 1
)

-- @sqlite
-- Counts an interruption for each unfinished job of the claims that :claims names.
INSERT INTO dray_losses (job_id, losses, last_lost_at, interruptions)
SELECT j.id, 0, :now, 1
FROM {include:claimed_jobs}
WHERE {include:claim_is_named}
ON CONFLICT (job_id) DO UPDATE SET interruptions = interruptions + 1

-- @fragment count_losses
-- Counts a loss for each unfinished job of the lost runs. One that is retried counts as an execution, too, so
-- that it is one run less beside these.

-- @mysql
INSERT INTO dray_losses (job_id, losses, runs_before, last_lost_at)
SELECT j.id, 1, IF(x.outcome = 'retried', -1, 0), :now
FROM {include:unfinished_runs}
ON DUPLICATE KEY UPDATE losses = dray_losses.losses + 1,
	runs_before = dray_losses.runs_before + VALUES(runs_before), last_lost_at = VALUES(last_lost_at)

-- @sqlite
INSERT INTO dray_losses (job_id, losses, runs_before, last_lost_at)
SELECT j.id, 1, iif(f.value ->> 'outcome' = 'retried', -1, 0), :now
FROM {include:unfinished_runs}
WHERE true
ON CONFLICT (job_id) DO UPDATE SET losses = losses + 1,
	runs_before = runs_before + excluded.runs_before, last_lost_at = excluded.last_lost_at

-- @fragment distinct_claims
-- The claims c that :claims names, each once.

-- @mysql
(SELECT DISTINCT x.id, x.job_id, x.process_id, x.created_at
	FROM JSON_TABLE(:claims, '$[*]' COLUMNS (id bigint PATH '$.id',
		job_id bigint PATH '$.job_id', process_id bigint PATH '$.process_id',
		created_at datetime(6) PATH '$.created_at')) x) x
{include:claim_of_x}

-- @fragment drop_claims
-- @mysql
-- Drops the claims that :claims names, by number, job, process and time.
DELETE c FROM {include:named_claims}

-- @postgresql
-- Drops the claims that :claims names, by number, job, process and time; they are in `done`
-- then.
named AS MATERIALIZED (
	SELECT x.* FROM json_to_recordset(:claims::json) AS x(
		id bigint, job_id bigint, process_id bigint, created_at timestamp)
), done AS (
	DELETE FROM solid_queue_claimed_executions c WHERE c.id = ANY (ARRAY(SELECT id FROM named))
		AND CASE WHEN (c.id, c.job_id, COALESCE(c.process_id, 0), c.created_at)
			IN (SELECT id, job_id, process_id, created_at FROM named)
			THEN true ELSE false END
	RETURNING id, job_id, process_id, created_at
)

-- @sqlite
-- Drops the claims that :claims names, by number, job, process and time.
DELETE FROM solid_queue_claimed_executions AS c WHERE {include:claim_is_named}

-- @fragment end_claims
-- Drops the claims that :claims names, and returns them.

-- @sqlite
-- rows
{include:drop_claims}
RETURNING id, job_id, process_id, created_at

-- @fragment end_lost
-- Counts the jobs of the lost runs, finishes those that are discarded, and drops the claims.

-- @mysql @sqlite
-- rows
SELECT {include:lost_counts};
{include:finish_lost};
{include:drop_claims}

-- @fragment end_runs
-- Writes into the history that these runs ended as {it}, and drops their claims.

-- @mysql
{include:forget_attempts {include:run_ends}};
{include:add_attempts {it}};
{include:drop_claims}

-- @sqlite
{include:forget_attempts {include:run_ends}};
{include:add_attempts {it}};
{include:end_claims}

-- @fragment fail_lost
-- Fails the jobs of those of the lost runs whose outcome is that.

-- @mysql
INSERT INTO solid_queue_failed_executions (job_id, error, created_at)
SELECT c.job_id, x.error, :now
FROM {include:unfinished_runs}
WHERE x.outcome = 'failed'
{include:unless_there solid_queue_failed_executions}, error = VALUES(error)

-- @sqlite
INSERT INTO solid_queue_failed_executions (job_id, error, created_at)
SELECT j.id, f.value ->> 'error', :now
FROM {include:unfinished_runs}
WHERE f.value ->> 'outcome' = 'failed'
ON CONFLICT (job_id) DO UPDATE SET error = excluded.error

-- @fragment finish_as
-- Finishes the jobs of the claims that :claims names, writes into the history that their runs, whose ends
-- :failures tells, ended as {it}, and drops the claims.

-- @mysql
-- guard
-- rows
{include:lock_claims};
{include:finish_jobs};
{include:end_runs {it}}

-- @postgresql
-- rows
WITH {include:drop_claims}, {include:run_ends}, {include:add_attempts {it}}, finished AS (
	{include:finish_jobs}
)
SELECT id, job_id, process_id, created_at FROM done

-- @sqlite
{include:finish_jobs};
{include:end_runs {it}}

-- @fragment finish_jobs
-- @mysql
-- Finishes the jobs of the claims that :claims names.
UPDATE {include:named_claims}
STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = c.job_id
SET j.finished_at = :now, j.updated_at = :now

-- @postgresql
-- Finishes the jobs of the claims in `done`.
UPDATE solid_queue_jobs SET finished_at = :now, updated_at = :now
WHERE id = ANY (ARRAY(SELECT job_id FROM done))

-- @sqlite
-- Finishes the jobs of the claims that :claims names.
UPDATE solid_queue_jobs SET finished_at = :now, updated_at = :now WHERE id IN (
	SELECT c.job_id FROM solid_queue_claimed_executions c
	WHERE {include:claim_is_named})

-- @fragment finish_lost
-- Finishes the jobs of those of the lost runs that are discarded.

-- @mysql
UPDATE {include:unfinished_runs}
SET j.finished_at = :now, j.updated_at = :now
WHERE x.outcome = 'discarded'

-- @sqlite
UPDATE solid_queue_jobs SET finished_at = :now, updated_at = :now WHERE id IN (
	SELECT j.id FROM {include:unfinished_runs}
	WHERE f.value ->> 'outcome' = 'discarded')

-- @fragment forget_attempts
-- @mysql
-- Makes room in the history of the jobs of the runs {it}: with the runs to be added it has :keep of each.
-- A retry by hand takes no room, and goes with the run after it. What is no failure gives way first: a job that
-- puts itself off all day keeps its errors.
DELETE a
FROM (SELECT r.id FROM (
		SELECT h.id, SUM(h.outcome <> 'retried_by_hand') OVER (
			PARTITION BY h.job_id ORDER BY {include:is_no_failure h}, h.id DESC) AS place
		FROM {it}
		STRAIGHT_JOIN dray_attempts h FORCE INDEX (index_dray_attempts_on_job_id_and_id)
			ON h.job_id = c.job_id) r
	WHERE r.place >= :keep) old
STRAIGHT_JOIN dray_attempts a FORCE INDEX (PRIMARY) ON a.id = old.id

-- @postgresql
-- Makes room in the history of the jobs of the runs in {it}: with the runs to be added it has :keep of each.
-- A retry by hand takes no room, and goes with the run after it. What is no failure gives way first: a job that
-- puts itself off all day keeps its errors.
forgotten AS (
	DELETE FROM dray_attempts WHERE id = ANY (ARRAY(
		SELECT h.id FROM {it} CROSS JOIN LATERAL (
			SELECT id, count(*) FILTER (WHERE outcome <> 'retried_by_hand') OVER (
				ORDER BY {include:is_no_failure dray_attempts}, id DESC) AS place
			FROM dray_attempts WHERE job_id = {it}.job_id) h
		WHERE h.place >= :keep))
)

-- @sqlite
-- Makes room in the history of the jobs of the runs {it}: with the runs to be added it has :keep of each.
-- A retry by hand takes no room, and goes with the run after it. What is no failure gives way first: a job that
-- puts itself off all day keeps its errors.
DELETE FROM dray_attempts WHERE id IN (
	SELECT r.id FROM (
		SELECT h.id, sum(h.outcome <> 'retried_by_hand') OVER (
			PARTITION BY h.job_id ORDER BY {include:is_no_failure h}, h.id DESC) AS place
		FROM {it}
		CROSS JOIN dray_attempts h ON h.job_id = c.job_id) r
	WHERE r.place >= :keep)

-- @fragment is_no_failure
-- The run {it} was cut short, put its job off or succeeded.
({it}.outcome IN ('snoozed', 'interrupted', 'finished'))

-- @fragment later
-- Schedules the jobs of the runs in {it} again for when they are `due`, with the payload that comes with
-- them.

-- @postgresql
changed AS (
	UPDATE solid_queue_jobs j SET arguments = COALESCE({it}.payload, j.arguments),
		scheduled_at = {it}.due, updated_at = :now
	FROM {it}
	WHERE j.id = ANY (ARRAY(SELECT job_id FROM {it})) AND j.id = {it}.job_id
		AND CASE WHEN j.finished_at IS NULL THEN true ELSE false END
	RETURNING j.id, j.queue_name, j.priority, {it}.due
), waiting AS (
	INSERT INTO solid_queue_scheduled_executions (job_id, queue_name, priority, scheduled_at,
		created_at)
	SELECT id, queue_name, priority, due, :now FROM changed
	{include:unless_there}
)

-- @fragment later_job
-- Sets in the jobs of the runs {it} when they are `due`, and the payload that comes with them, if any.

-- @mysql
UPDATE {it}
SET j.arguments = COALESCE(x.payload, j.arguments), j.scheduled_at = x.due, j.updated_at = :now

-- @sqlite
UPDATE solid_queue_jobs
SET arguments = COALESCE(e.payload, arguments), scheduled_at = e.due, updated_at = :now
FROM (SELECT c.job_id, f.value ->> 'payload' AS payload, f.value ->> 'due' AS due
	FROM {it}) e
WHERE solid_queue_jobs.id = e.job_id AND +finished_at IS NULL

-- @fragment later_row
-- Schedules the jobs of the runs {it} again for when they are `due`.

-- @mysql
INSERT INTO solid_queue_scheduled_executions (job_id, queue_name, priority, scheduled_at, created_at)
SELECT j.id, j.queue_name, j.priority, x.due, :now
FROM {it}
{include:unless_there solid_queue_scheduled_executions}

-- @sqlite
INSERT INTO solid_queue_scheduled_executions (job_id, queue_name, priority, scheduled_at, created_at)
SELECT j.id, j.queue_name, j.priority, f.value ->> 'due', :now
FROM {it}
{include:unless_there}

-- @fragment lock_claims
-- Locks those of the claims that :claims names that are still there, and returns them.

-- @mysql
SELECT c.id, c.job_id, c.process_id, c.created_at
FROM {include:distinct_claims}
FOR UPDATE

-- @fragment lose_all
-- @mysql
-- Does what becomes of the lost runs, by their outcomes, and counts a loss for each unfinished job. All go
-- into the history; {it}: the name and the host of their process. Those that are discarded are finished by
-- end_lost, which asks for unfinished ones before that.
{include:count_losses};
{include:fail_lost};
{include:ready_lost};
{include:later_row {include:unfinished_runs} AND x.outcome = 'retried'};
{include:later_job {include:unfinished_runs} AND x.outcome = 'retried'};
{include:forget_attempts {include:unfinished_runs}};
{include:add_lost {it}}

-- @sqlite
-- As for MySQL.
{include:count_losses};
{include:fail_lost};
{include:ready_lost};
{include:later_row {include:unfinished_runs} WHERE f.value ->> 'outcome' = 'retried'};
{include:later_job {include:unfinished_runs} WHERE f.value ->> 'outcome' = 'retried'};
{include:forget_attempts {include:unfinished_runs}};
{include:add_lost {it}}

-- @postgresql
-- Does what becomes of the lost runs in `ends`, by their outcomes, and counts a loss for each unfinished
-- job; these are in `lost` then. One that is retried counts as an execution, too, so that it is one run
-- less beside these. All go into the history; {it}: the name and the host of their process.
lost AS (
	SELECT ends.*, j.queue_name, j.priority
	FROM ends {include:job_of ends.job_id AND finished_at IS NULL}
), counted AS (
	INSERT INTO dray_losses AS known (job_id, losses, runs_before, last_lost_at)
	SELECT job_id, 1, CASE WHEN outcome = 'retried' THEN -1 ELSE 0 END, :now FROM lost
	ON CONFLICT (job_id) DO UPDATE SET losses = known.losses + 1,
		runs_before = known.runs_before + excluded.runs_before,
		last_lost_at = excluded.last_lost_at
), failed AS (
	INSERT INTO solid_queue_failed_executions (job_id, error, created_at)
	SELECT job_id, error, :now FROM lost WHERE outcome = 'failed'
	ON CONFLICT (job_id) DO UPDATE SET error = excluded.error
), ready AS (
	INSERT INTO solid_queue_ready_executions (job_id, queue_name, priority, created_at)
	SELECT job_id, queue_name, priority, :now FROM lost WHERE outcome = 'lost'
	{include:unless_there}
), retried AS (
	SELECT * FROM lost WHERE outcome = 'retried'
), {include:later retried}, finished AS (
	UPDATE solid_queue_jobs SET finished_at = :now, updated_at = :now
	WHERE id = ANY (ARRAY(SELECT job_id FROM lost WHERE outcome = 'discarded'))
), {include:forget_attempts lost}, attempted AS (
	INSERT INTO dray_attempts (job_id, attempt, claim_id, process_name, hostname, began_at,
		ended_at, outcome, error, error_group)
	SELECT job_id, attempt, claim_id, {it}, began_at, ended_at, outcome, error,
		error_group FROM lost
)

-- @fragment lost_counts
-- @mysql
-- Of the jobs of the lost runs: how many run again, and how many have ended.
COALESCE(SUM(x.outcome IN ('lost', 'retried')), 0),
	COALESCE(SUM(x.outcome IN ('failed', 'discarded')), 0)
FROM {include:unfinished_runs}

-- @postgresql
-- Of the jobs of the lost runs in `lost`: how many run again, and how many have ended.
count(*) FILTER (WHERE outcome IN ('lost', 'retried')),
	count(*) FILTER (WHERE outcome IN ('failed', 'discarded'))
FROM lost

-- @sqlite
-- Of the jobs of the lost runs: how many run again, and how many have ended.
count(*) FILTER (WHERE f.value ->> 'outcome' IN ('lost', 'retried')),
	count(*) FILTER (WHERE f.value ->> 'outcome' IN ('failed', 'discarded'))
FROM {include:unfinished_runs}

-- @fragment named_claims
-- The claims c that :claims names.

-- @mysql
JSON_TABLE(:claims, '$[*]' COLUMNS (id bigint PATH '$.id',
	job_id bigint PATH '$.job_id', process_id bigint PATH '$.process_id',
	created_at datetime(6) PATH '$.created_at')) x
{include:claim_of_x}

-- @fragment ready_again
-- @mysql
-- Makes the unfinished jobs of the claims {it} ready again.
{include:insert_ready}
FROM {include:claimed_jobs {it}}
{include:unless_there solid_queue_ready_executions}

-- @postgresql
-- Makes the unfinished jobs of the claims in `done` ready again.
{include:insert_ready}
FROM done {include:job_of done.job_id AND finished_at IS NULL}
{include:unless_there}

-- @sqlite
-- Makes the unfinished jobs of the claims c for which {it} ready again.
{include:insert_ready}
FROM {include:claimed_jobs}
WHERE {it}
{include:unless_there}

-- @fragment ready_lost
-- Makes the jobs of those of the lost runs ready again that are only lost.

-- @mysql
{include:insert_ready}
FROM {include:unfinished_runs}
WHERE x.outcome = 'lost'
{include:unless_there solid_queue_ready_executions}

-- @sqlite
{include:insert_ready}
FROM {include:unfinished_runs}
WHERE f.value ->> 'outcome' = 'lost'
{include:unless_there}

-- @fragment run_ends
-- @mysql
-- The ends x of runs that :failures tells, each with its claim c, as long as that is there.
JSON_TABLE(:failures, '$[*]' COLUMNS (id bigint PATH '$.id',
	job_id bigint PATH '$.job_id', process_id bigint PATH '$.process_id',
	created_at datetime(6) PATH '$.created_at', attempt int PATH '$.attempt',
	began_at datetime(6) PATH '$.began_at', ended_at datetime(6) PATH '$.ended_at',
	cpu_us bigint PATH '$.cpu_us', peak_memory bigint PATH '$.peak_memory',
	due datetime(6) PATH '$.due', outcome varchar(255) CHARACTER SET utf8mb4 PATH '$.outcome',
	payload longtext CHARACTER SET utf8mb4 PATH '$.payload',
	error longtext CHARACTER SET utf8mb4 PATH '$.error',
	error_group varchar(8) CHARACTER SET utf8mb4 PATH '$.error_group')) x
{include:claim_of_x}

-- @postgresql
-- What :failures tells of the ends of runs, of those whose claims are in `done`; it is in `ends` then.
ends AS MATERIALIZED (
	SELECT done.id AS claim_id, done.job_id, done.process_id, x.attempt, x.began_at, x.ended_at,
		x.due, x.outcome, x.payload, x.error, x.cpu_us, x.peak_memory, x.error_group
	FROM done JOIN json_to_recordset(:failures::json) AS x(
			id bigint, job_id bigint, process_id bigint, created_at timestamp,
			attempt integer, began_at timestamp, ended_at timestamp, due timestamp,
			outcome text, payload text, error text, cpu_us bigint, peak_memory bigint,
			error_group text)
		ON x.id = done.id AND x.job_id = done.job_id AND x.created_at = done.created_at
			AND x.process_id = COALESCE(done.process_id, 0)
)

-- @sqlite
-- The ends f of runs that :failures tells, each with its claim c, as long as that is there.
json_each(:failures) f
CROSS JOIN solid_queue_claimed_executions c ON c.id = (f.value ->> 'id')
	AND c.job_id = (f.value ->> 'job_id') AND COALESCE(c.process_id, 0) = (f.value ->> 'process_id')
	AND c.created_at = (f.value ->> 'created_at')

-- @fragment unfinished_runs
-- @mysql
-- The ends x of runs with their claims c, and their jobs j, but for those that are finished.
{include:run_ends}
STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = c.job_id AND j.finished_at IS NULL

-- @sqlite
-- The ends f of runs with their claims c, and their jobs j, but for those that are finished.
{include:run_ends}
JOIN solid_queue_jobs j ON j.id = c.job_id AND +j.finished_at IS NULL
