-- Of the lost jobs that judge_lost has judged: how many are ready again, and how many have failed.
count(*) FILTER (WHERE NOT fails), count(*) FILTER (WHERE fails)
FROM judged
