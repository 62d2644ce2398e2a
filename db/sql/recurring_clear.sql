-- recurring_clear(before) ->
-- Moments decided on before this time: nobody looks back so far.
DELETE FROM dray_recurring_runs WHERE created_at < :before;
