-- audit_clear(before) ->
-- Deletes what is recorded of actions before a time.
DELETE FROM dray_audit WHERE created_at < :before;
