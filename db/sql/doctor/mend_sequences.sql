-- mend_sequences(jobs) ->
-- Moves these sequences (not jobs) to the highest number there is: only PostgreSQL has any.
-- read
SELECT version FROM dray_migrations WHERE :jobs IS NULL AND version < 0;
