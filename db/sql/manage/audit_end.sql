-- audit_end(id, count, state) ->
-- Records what has become of an action that was begun; a count of NULL leaves the count.
-- guard
UPDATE dray_audit SET count = COALESCE(:count, count), state = :state WHERE id = :id;
