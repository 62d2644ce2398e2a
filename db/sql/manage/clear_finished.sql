-- clear_finished(before, class_name, queue, limit, audit) -> job_id
-- Deletes the oldest finished jobs, at most `limit`, and at most as many whose time of finishing is none
-- (clearable). `audit` is the line of the audit trail that counts them.

-- @mysql
SELECT JSON_ARRAYAGG(j.id) INTO @dray_old FROM (
	{include:clearable}) j;
DELETE j
FROM {include:ids @dray_old} x
STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = x.id;
-- rows
SELECT x.id FROM {include:ids @dray_old} x;
UPDATE dray_audit SET count = count + COALESCE(JSON_LENGTH(@dray_old), 0) WHERE id = :audit;

-- @postgresql
-- rows
WITH gone AS (
	DELETE FROM solid_queue_jobs WHERE id = ANY (ARRAY(
		{include:clearable}) || ARRAY(
		{include:clearable_odd}))
	RETURNING id
), counted AS (
	UPDATE dray_audit SET count = count + (SELECT count(*) FROM gone) WHERE id = :audit
)
SELECT id FROM gone;

-- @sqlite
-- rows
DELETE FROM solid_queue_jobs WHERE id IN (
	SELECT old.id FROM ({include:clearable}) old
	UNION ALL
	SELECT odd.id FROM ({include:clearable_odd}) odd)
RETURNING id;
UPDATE dray_audit SET count = count + changes() WHERE id = :audit;
