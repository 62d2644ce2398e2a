-- Of the jobs of the lost runs in `lost`: how many run again, and how many have ended.
count(*) FILTER (WHERE outcome IN ('lost', 'retried')),
	count(*) FILTER (WHERE outcome IN ('failed', 'discarded'))
FROM lost
