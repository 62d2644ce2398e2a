-- Of the jobs of the lost runs: how many run again, and how many have ended.
count(*) FILTER (WHERE {include:lost_outcome} IN ('lost', 'retried')),
	count(*) FILTER (WHERE {include:lost_outcome} IN ('failed', 'discarded'))
FROM {include:lost_runs {include:lost_outcome}}
