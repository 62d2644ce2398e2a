/* What connecting needs besides a driver. */
#include "common/clock.h"
#include "db/driver.h"

struct db_options db_options_copy(struct arena *arena, const struct db_options *options,
				  const struct db_url *url)
{
	struct db_options own = { 0 };

	if (options)
		own = *options;
	own.schema = own.schema ? arena_strdup(arena, own.schema) : url_schema(arena, url);
	if (own.password_file)
		own.password_file = arena_strdup(arena, own.password_file);
	if (own.connect_timeout <= 0)
		own.connect_timeout = 5 * CLOCK_SECOND;
	if (own.call_timeout <= 0)
		own.call_timeout = 30 * CLOCK_SECOND;
	if (own.retry_for == 0)
		own.retry_for = 10 * CLOCK_SECOND;
	return own;
}

enum status db_away(enum status status, struct error *error)
{
	if (status != STATUS_INVALID && status != STATUS_FATAL)
		return status;
	if (error)
		error->status = STATUS_DOWN;
	return STATUS_DOWN;
}
