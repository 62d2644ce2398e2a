-- The job {it} is not set aside because the database refused it (queue/refused).
{it} NOT IN (SELECT CAST(f.name AS integer) FROM dray_pauses f WHERE f.kind = 'refused')
