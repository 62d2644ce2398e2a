-- recurring_clear(before, limit) ->
-- Deletes some of the occurrences decided on before this time: nobody looks back so far.
DELETE FROM dray_recurring_runs WHERE created_at < :before ORDER BY created_at LIMIT :limit;
