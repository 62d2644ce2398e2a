-- audit_add(audit, count) ->
-- So many more were done by what is under way.
UPDATE dray_audit SET count = count + :count WHERE id = :audit;
