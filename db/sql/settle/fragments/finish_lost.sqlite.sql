-- Finishes those of the jobs of the lost runs that are discarded.
UPDATE solid_queue_jobs SET finished_at = :now, updated_at = :now WHERE id IN (
	SELECT j.id FROM {include:lost_runs 'discarded'})
