-- refused_jobs() -> name, reason
-- Lists the jobs that are set aside.
-- read
-- rows
SELECT k.name, k.reason FROM dray_pauses k WHERE k.kind = 'refused' ORDER BY k.name;
