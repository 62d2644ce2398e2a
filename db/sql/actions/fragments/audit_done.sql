-- The line of the audit trail that says that {it} was done, once.
INSERT INTO dray_audit (action, target, reason, who, host, count, state, created_at)
VALUES ({it}, :target, :reason, :who, :host, 1, 'done', :now)
