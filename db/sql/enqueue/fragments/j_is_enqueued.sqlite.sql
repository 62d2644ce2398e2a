-- The job j is one of those that were inserted just now: as one transaction writes at a time, they
-- have the highest numbers.
j.id > (SELECT max(id) FROM solid_queue_jobs) - json_array_length(:jobs)
