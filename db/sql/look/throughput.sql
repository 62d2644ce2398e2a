-- throughput(since, until, minute, most) -> queue_name, finished, finished_in_minute, earliest
-- Counts what was finished lately, queue by queue: of the last `most` jobs that were finished
-- since then, how many, how many of them since `minute`, and when the earliest. LIMIT ends the
-- walk through the index, however many were finished. `until` leaves out what is no time, or one
-- of the future.
-- read
-- rows
SELECT f.queue_name, count(*), sum(CASE WHEN f.finished_at >= :minute THEN 1 ELSE 0 END),
	min(f.finished_at)
FROM (SELECT queue_name, finished_at FROM solid_queue_jobs
	WHERE finished_at >= :since AND finished_at < :until ORDER BY finished_at DESC LIMIT :most) f
GROUP BY f.queue_name ORDER BY f.queue_name;
