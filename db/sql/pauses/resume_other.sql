-- resume_other(kind, name, target, reason, who, host, now) ->
-- A class, a process or a pattern again; changing no row means that it was not paused.
-- guard
DELETE FROM dray_pauses WHERE kind = :kind AND name = :name;
{include:audit_done 'resume'};
