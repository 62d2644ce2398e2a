-- audit_add(audit, count) ->
-- Adds to the count of an action that is under way.
UPDATE dray_audit SET count = count + :count WHERE id = :audit;
