-- cancel_running(jobs, audit, requested_by, reason, now) -> job_id, pid, hostname, known_since, known_by
-- Notes for those of these jobs that a process of ours runs that they are cancelled, by whom and
-- why, and tells where they run; of what was noted before, since when and by whom. Nobody but ours
-- looks at it, so a run of other software is left. `audit` is the line of the audit trail that counts
-- those that are new.
-- rows
SELECT c.job_id, p.pid, p.hostname, k.requested_at, k.requested_by
FROM {include:running_ours} AND c.job_id {in:jobs};
UPDATE dray_audit SET count = count + (
	SELECT count(*) FROM {include:running_ours} AND c.job_id {in:jobs} AND k.job_id IS NULL)
WHERE id = :audit;
INSERT INTO dray_cancellations (job_id, claim_id, process_id, requested_at, requested_by, reason)
SELECT c.job_id, c.id, c.process_id, :now, :requested_by, :reason
FROM {include:running_ours} AND c.job_id {in:jobs} AND k.job_id IS NULL
{include:note_again};
