-- Of the lost jobs that judge_lost has judged: how many run again, and how many have ended.
count(*) FILTER (WHERE outcome IN ('lost', 'retried')),
	count(*) FILTER (WHERE outcome IN ('failed', 'discarded'))
FROM judged
