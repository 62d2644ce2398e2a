-- The jobs that make others of their key and class end (`latest`); begins with what waits. Where one that
-- is new waits, that is the last one that is new, which may have a slot of this time. The same goes for its
-- further keys that are full, unless it ends itself for a newer one.
waiting AS MATERIALIZED (
	{include:conflicting}
), fresh AS MATERIALIZED (
	SELECT w.concurrency_key, w.class_name, max(w.job_id) AS job_id FROM waiting w
	WHERE w.on_conflict = 'cancel_running' AND w.created_at = :now
		AND NOT {include:was_tried w.job_id}
		AND NOT {include:is_undecided w}
	GROUP BY w.concurrency_key, w.class_name
), further AS MATERIALIZED (
	{include:further_full}
), wanted AS MATERIALIZED (
	SELECT concurrency_key, class_name, job_id FROM fresh
	UNION ALL
	SELECT also.concurrency_key, also.class_name, also.job_id FROM further also
	WHERE NOT EXISTS (SELECT 1 FROM further newer
		WHERE newer.concurrency_key = also.own AND newer.class_name = also.class_name
			AND newer.job_id > also.job_id)
), latest AS MATERIALIZED (
	SELECT x.concurrency_key, x.class_name, max(x.job_id) AS job_id FROM (
		SELECT concurrency_key, class_name, job_id FROM wanted
		UNION ALL
		SELECT wanted.concurrency_key, wanted.class_name, s.job_id FROM {include:slots_like wanted}
		WHERE s.created_at = :now AND NOT {include:was_tried s.job_id}) x
	GROUP BY x.concurrency_key, x.class_name
)
