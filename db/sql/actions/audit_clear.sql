-- audit_clear(before) ->
-- Deletes what was done before a time.
DELETE FROM dray_audit WHERE created_at < :before;
