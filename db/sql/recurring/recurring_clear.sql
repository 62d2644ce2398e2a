-- recurring_clear(before, limit) ->
-- Deletes some of the occurrences decided on before this time: nobody looks back so far.

-- @mysql
DELETE FROM dray_recurring_runs WHERE created_at < :before ORDER BY created_at LIMIT :limit;

-- @postgresql
DELETE FROM dray_recurring_runs WHERE ctid = ANY (ARRAY(
	SELECT ctid FROM dray_recurring_runs
	WHERE created_at < :before ORDER BY created_at LIMIT :limit {skip_locked}));

-- @sqlite
DELETE FROM dray_recurring_runs WHERE (task_key, run_at) IN (
	SELECT task_key, run_at FROM dray_recurring_runs
	WHERE created_at < :before ORDER BY created_at LIMIT :limit);
