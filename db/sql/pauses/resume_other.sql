-- resume_other(kind, name, target, reason, who, host, now) ->
-- A class, a process or a pattern again; changing no row means that it was not paused.
-- guard
DELETE FROM dray_pauses WHERE kind = :kind AND name = :name;
INSERT INTO dray_audit (action, target, reason, who, host, count, state, created_at)
VALUES ('resume', :target, :reason, :who, :host, 1, 'done', :now);
