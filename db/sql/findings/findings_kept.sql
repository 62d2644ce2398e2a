-- findings_kept() -> id, name, subject, queue, since, said, advice, dead, began_at, away_since, ended_at, told
-- What stands against the deployment, and what has ended and was not told.
-- read
-- rows
SELECT id, name, subject, queue_name, since, said, advice, dead, began_at, away_since, ended_at, told
FROM dray_findings ORDER BY id;
