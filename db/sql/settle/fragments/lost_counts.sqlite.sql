-- Of the jobs of the lost runs: how many run again, and how many have ended.
count(*) FILTER (WHERE f.value ->> 'outcome' IN ('lost', 'retried')),
	count(*) FILTER (WHERE f.value ->> 'outcome' IN ('failed', 'discarded'))
FROM {include:unfinished_runs}
