-- clear_finished(before, class_name, queue, limit, audit) -> job_id

-- @mysql
-- Deletes the oldest finished jobs, at most `limit`. `audit` is the line of the audit trail that
-- counts them.
SELECT JSON_ARRAYAGG(j.id) INTO @dray_old FROM (
	SELECT id FROM solid_queue_jobs FORCE INDEX (index_solid_queue_jobs_on_finished_at)
	WHERE finished_at < :before AND (class_name = :class_name OR :class_name IS NULL)
		AND (queue_name = :queue OR :queue IS NULL)
	ORDER BY finished_at LIMIT :limit {skip_locked}) j;
DELETE j
FROM {include:ids @dray_old} x
STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = x.id;
-- rows
SELECT x.id FROM {include:ids @dray_old} x;
UPDATE dray_audit SET count = count + COALESCE(JSON_LENGTH(@dray_old), 0) WHERE id = :audit;

-- @postgresql
-- Deletes the oldest finished jobs, at most `limit`, and at most as many that finished at infinity,
-- which is no time and would never come. `audit` is the line of the audit trail that counts them.
-- rows
WITH gone AS (
	DELETE FROM solid_queue_jobs WHERE id = ANY (ARRAY(
		SELECT id FROM solid_queue_jobs
		WHERE finished_at < :before AND (class_name = :class_name OR :class_name IS NULL)
			AND (queue_name = :queue OR :queue IS NULL)
		ORDER BY finished_at LIMIT :limit {skip_locked}) || ARRAY(
		SELECT id FROM solid_queue_jobs
		WHERE finished_at = 'infinity' AND (class_name = :class_name OR :class_name IS NULL)
			AND (queue_name = :queue OR :queue IS NULL)
		LIMIT :limit {skip_locked}))
	RETURNING id
), counted AS (
	UPDATE dray_audit SET count = count + (SELECT count(*) FROM gone) WHERE id = :audit
)
SELECT id FROM gone;

-- @sqlite
-- Deletes the oldest finished jobs, at most `limit`, and at most as many whose time of finishing is
-- none: a text ("never") sorts behind all times that will be, and would stay for ever. `audit` is
-- the line of the audit trail that counts them.
-- rows
DELETE FROM solid_queue_jobs WHERE id IN (
	SELECT old.id FROM (SELECT id FROM solid_queue_jobs
		WHERE finished_at < :before AND (class_name = :class_name OR :class_name IS NULL)
			AND (queue_name = :queue OR :queue IS NULL)
		ORDER BY finished_at LIMIT :limit) old
	UNION ALL
	SELECT odd.id FROM (SELECT id FROM solid_queue_jobs
		WHERE finished_at >= '2100-01-01' AND {include:time_is_odd finished_at}
			AND (class_name = :class_name OR :class_name IS NULL)
			AND (queue_name = :queue OR :queue IS NULL)
		ORDER BY finished_at LIMIT :limit) odd)
RETURNING id;
UPDATE dray_audit SET count = count + changes() WHERE id = :audit;
