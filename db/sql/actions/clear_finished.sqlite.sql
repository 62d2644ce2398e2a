-- clear_finished(before, class_name, queue, limit, audit) -> job_id
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
