-- Of the jobs of the lost runs: how many run again, and how many have ended.
COALESCE(SUM(x.outcome IN ('lost', 'retried')), 0),
	COALESCE(SUM(x.outcome IN ('failed', 'discarded')), 0)
FROM {include:unfinished_runs}
