-- The job {it} is not set aside because the database refused it (queue/refused).
{it} <> ALL (ARRAY(SELECT f.name::bigint FROM dray_pauses f WHERE f.kind = 'refused'))
