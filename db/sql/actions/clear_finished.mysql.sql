-- clear_finished(before, class_name, queue, limit, audit) -> job_id
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
