-- audit_begin(action, target, reason, who, host, now) -> audit_id
-- Records an action that is about to be done, and returns its id.

-- @mysql
INSERT INTO dray_audit (action, target, reason, who, host, count, state, created_at)
VALUES (:action, :target, :reason, :who, :host, 0, 'begun', :now);
-- rows
SELECT LAST_INSERT_ID();

-- @postgresql @sqlite
-- rows
INSERT INTO dray_audit (action, target, reason, who, host, count, state, created_at)
VALUES (:action, :target, :reason, :who, :host, 0, 'begun', :now) RETURNING id;
