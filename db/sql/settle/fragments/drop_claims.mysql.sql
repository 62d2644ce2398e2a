-- Drops the claims that :claims names, by number, job, process and time.
DELETE c FROM {include:named_claims}
