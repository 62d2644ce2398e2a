-- clear_finished(before, class_name, queue, limit, audit) -> job_id
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
