-- Finishes the jobs of those of the lost runs that are discarded.
UPDATE {include:unfinished_runs}
SET j.finished_at = :now, j.updated_at = :now
WHERE x.outcome = 'discarded'
