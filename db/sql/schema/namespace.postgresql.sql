-- The schema, where it is missing; a user who may not create one must not need to.
DO $$
BEGIN
	IF to_regnamespace('"{schema}"') IS NULL THEN
		CREATE SCHEMA "{schema}";
	END IF;
END
$$;
