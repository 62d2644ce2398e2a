-- The claims that :claims names, by number, job, process and time, are dropped.
DELETE c FROM {include:named_claims}
