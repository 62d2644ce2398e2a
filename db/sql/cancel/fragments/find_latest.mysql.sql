-- Finds the jobs that make others of their key and class end: @dray_latest. Where one that is new waits,
-- that is the last one that is new, which may have a slot of this time. The same goes for its further keys
-- that are full, unless it ends itself for a newer one.
SELECT JSON_ARRAYAGG(JSON_OBJECT('key', found.concurrency_key, 'class_name', found.class_name,
	'job_id', found.job_id)) INTO @dray_latest FROM (
	WITH waiting AS (
		{include:conflicting}
	), fresh AS (
		SELECT w.concurrency_key, w.class_name, MAX(w.job_id) AS job_id FROM waiting w
		WHERE w.on_conflict = 'cancel_running' AND w.created_at = :now
			AND NOT {include:was_tried w.job_id}
			AND NOT {include:is_undecided w}
		GROUP BY w.concurrency_key, w.class_name
	), further AS (
		{include:further_full}
	), wanted AS (
		SELECT concurrency_key, class_name, job_id FROM fresh
		UNION ALL
		SELECT also.concurrency_key, also.class_name, also.job_id FROM further also
		WHERE NOT EXISTS (SELECT 1 FROM further newer
			WHERE newer.concurrency_key = also.own AND newer.class_name = also.class_name
				AND newer.job_id > also.job_id)
	)
	SELECT wanted.concurrency_key, wanted.class_name, GREATEST(MAX(wanted.job_id), COALESCE((
		SELECT MAX(s.job_id) FROM dray_slots s FORCE INDEX (PRIMARY)
		WHERE s.concurrency_key = wanted.concurrency_key AND s.class_name = wanted.class_name
			AND s.created_at = :now AND NOT {include:was_tried s.job_id}), 0)) AS job_id
	FROM wanted GROUP BY wanted.concurrency_key, wanted.class_name) found
HAVING COUNT(*) > 0
