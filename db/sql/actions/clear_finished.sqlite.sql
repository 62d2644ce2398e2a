-- clear_finished(before, class_name, queue, limit, audit) -> job_id
-- Deletes the oldest finished jobs, at most `limit`. `audit` is the line of the audit trail that
-- counts them.
-- rows
DELETE FROM solid_queue_jobs WHERE id IN (
	SELECT id FROM solid_queue_jobs
	WHERE finished_at < :before AND (class_name = :class_name OR :class_name IS NULL)
		AND (queue_name = :queue OR :queue IS NULL)
	ORDER BY finished_at LIMIT :limit)
RETURNING id;
UPDATE dray_audit SET count = count + changes() WHERE id = :audit;
