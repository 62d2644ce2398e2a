-- doctor_beyond(jobs) -> job_id, beyond, ready
-- Finds those of these jobs that are ready or run, hold no slot of ours, and have a key with
-- more ready and running jobs than its class allows. For each it says whether the job is one too
-- many, and whether it is ready. Of the jobs without a slot the last ones are too many; running
-- jobs come before ready ones. It is one look at all tables, so that no job is counted that came
-- after another had left.
-- read
-- rows
WITH stray AS (
	SELECT j.id, j.concurrency_key AS name, l.slots,
		CASE WHEN r.job_id IS NULL THEN 0 ELSE 1 END AS ready
	FROM {include:jobs_named}
	{join} dray_classes l {index:PRIMARY}
		ON l.class_name = j.class_name AND l.position = 0
	LEFT JOIN solid_queue_ready_executions r
		{index:index_solid_queue_ready_executions_on_job_id} ON r.job_id = j.id
	LEFT JOIN solid_queue_claimed_executions c
		{index:index_solid_queue_claimed_executions_on_job_id} ON c.job_id = j.id
	WHERE {include:is_named} AND j.concurrency_key IS NOT NULL
		AND COALESCE(r.job_id, c.job_id) IS NOT NULL
		AND {include:holds_no_slot j.id}
), placed AS (
	SELECT id, name, slots, ready, row_number() OVER (PARTITION BY name ORDER BY ready, id) AS place,
		count(*) OVER (PARTITION BY name) AS total
	FROM stray
), counted AS (
	SELECT id, slots, ready, place, total, (SELECT {include:slots_in_use placed.name}) AS held
	FROM placed
)
SELECT id, CASE WHEN place + held > slots THEN 1 ELSE 0 END, ready
FROM counted WHERE total + held > slots ORDER BY id;
