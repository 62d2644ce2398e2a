-- errors(since, limit) -> error_group, ended_at
-- Lists the last failures in the history since then, the newest first: what has no group is none. They are
-- added up elsewhere: every database sorts them for that, which takes longer than to send them.
-- read
-- rows
SELECT a.error_group, a.ended_at
FROM dray_attempts a {index:index_dray_attempts_on_ended_at_and_error_group}
WHERE a.ended_at >= :since AND a.error_group IS NOT NULL
ORDER BY a.ended_at DESC LIMIT :limit;
