-- audit_end(id, count, state) ->
-- What has come of an action that was begun; a count of NULL leaves it.
-- guard
UPDATE dray_audit SET count = COALESCE(:count, count), state = :state WHERE id = :id;
