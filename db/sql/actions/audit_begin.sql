-- audit_begin(action, target, reason, who, host, now) -> audit_id
-- An action that is about to be done.
-- rows
INSERT INTO dray_audit (action, target, reason, who, host, count, state, created_at)
VALUES (:action, :target, :reason, :who, :host, 0, 'begun', :now) RETURNING id;
