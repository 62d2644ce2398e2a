-- slots_conflict(keys, now) -> job_id
-- Does what on_conflict says about jobs that were blocked at this time and still are: deletes
-- the new ones (discard), or the older ones of their key and class (replace). A job that was tried
-- before is neither deleted nor replaces another. The deleted jobs are returned.
-- rows
WITH waiting AS (
	{include:conflicting}
)
DELETE FROM solid_queue_jobs WHERE id = ANY (ARRAY(
	SELECT w.job_id FROM waiting w
	WHERE NOT {include:was_tried w.job_id} AND ((w.on_conflict = 'discard' AND w.created_at = :now::timestamp)
		OR (w.on_conflict = 'replace' AND EXISTS (SELECT 1 FROM waiting newer
			WHERE newer.concurrency_key = w.concurrency_key
				AND newer.class_name = w.class_name AND newer.created_at = :now
				AND newer.id > w.id AND NOT {include:was_tried newer.job_id})))
	ORDER BY w.job_id))
RETURNING id;
