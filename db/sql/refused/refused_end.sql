-- refused_end(name) ->
-- The database no longer refuses this job.
DELETE FROM dray_pauses WHERE kind IN ('refused', 'refused_before') AND name = :name;
