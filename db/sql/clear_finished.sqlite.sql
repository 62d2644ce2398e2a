-- clear_finished(before, class_name, limit) ->
-- Deletes the oldest finished jobs.
DELETE FROM solid_queue_jobs WHERE id IN (
	SELECT id FROM solid_queue_jobs
	WHERE finished_at < :before AND (class_name = :class_name OR :class_name IS NULL)
	ORDER BY finished_at LIMIT :limit);
