-- The schema, where it is missing; a user who may not create one must not need to.

-- @postgresql
SET LOCAL dray.schema = {schema};
DO $$
BEGIN
	IF to_regnamespace(quote_ident(current_setting('dray.schema'))) IS NULL THEN
		EXECUTE format('CREATE SCHEMA %I', current_setting('dray.schema'));
	END IF;
END
$$;
