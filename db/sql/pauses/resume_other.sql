-- resume_other(kind, name, target, reason, who, host, now) ->
-- Resumes a class, a process or a pattern. Changing no row means that it was not paused.
-- guard
DELETE FROM dray_pauses WHERE kind = :kind AND name = :name;
{include:audit_done 'resume'};
