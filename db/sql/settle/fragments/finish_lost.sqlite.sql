-- Finishes the jobs of those of the lost runs that are discarded.
UPDATE solid_queue_jobs SET finished_at = :now, updated_at = :now WHERE id IN (
	SELECT j.id FROM {include:unfinished_runs}
	WHERE f.value ->> 'outcome' = 'discarded')
