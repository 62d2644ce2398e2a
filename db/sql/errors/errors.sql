-- errors(since, limit) -> error_group, last_ended_at, first_ended_at, failures
-- Counts the failures since then by group and hour, as far as the last `limit` of them go.
-- read
-- rows
SELECT e.error_group, max(e.ended_at), min(e.ended_at), count(*)
FROM (SELECT a.error_group, a.ended_at
	FROM dray_attempts a {index:index_dray_attempts_on_ended_at_and_error_group}
	WHERE a.ended_at >= :since AND a.error_group IS NOT NULL
	ORDER BY a.ended_at DESC LIMIT :limit) e
GROUP BY e.error_group, {include:hour_of e.ended_at};
