-- Job j has the queue, class, key and age that are asked for; null = any.
(j.queue_name = :queue OR :queue IS NULL)
AND (j.class_name = :class_name OR :class_name IS NULL)
AND (j.concurrency_key = :key OR :key IS NULL)
AND (j.created_at >= :since OR :since IS NULL) AND (j.created_at < :until OR :until IS NULL)
