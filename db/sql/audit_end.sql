-- audit_end(id, count, state) ->
-- What has come of an action that was begun.
-- guard
UPDATE dray_audit SET count = :count, state = :state WHERE id = :id;
