-- The job j of jobs_named is one of these.
j.id {in:jobs}
