-- clear_jobs(jobs, audit) -> job_id
-- Deletes these jobs, as long as they are finished. `audit` is the line of the audit trail that counts
-- them.

-- @mysql
SELECT JSON_ARRAYAGG(j.id) INTO @dray_old FROM (
	SELECT j.id FROM {include:distinct_ids :jobs} d
	STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = d.id
	WHERE j.finished_at IS NOT NULL
	FOR UPDATE) j;
DELETE j
FROM {include:ids @dray_old} x
STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = x.id;
-- rows
SELECT x.id FROM {include:ids @dray_old} x;
UPDATE dray_audit SET count = count + COALESCE(JSON_LENGTH(@dray_old), 0) WHERE id = :audit;

-- @postgresql
-- rows
WITH gone AS (
	DELETE FROM solid_queue_jobs WHERE id {in:jobs}
		AND CASE WHEN finished_at IS NULL THEN false ELSE true END
	RETURNING id
), counted AS (
	UPDATE dray_audit SET count = count + (SELECT count(*) FROM gone) WHERE id = :audit
)
SELECT id FROM gone;

-- @sqlite
-- rows
DELETE FROM solid_queue_jobs WHERE id {in:jobs} AND +finished_at IS NOT NULL RETURNING id;
UPDATE dray_audit SET count = count + changes() WHERE id = :audit;
