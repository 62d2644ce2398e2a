#include "queue/manage/cancel.h"

#include "common/process.h"
#include "queue/payload/payload.h"

#define LONG_ERROR 65535

const char *cancel_error(struct arena *arena, const char *reason)
{
	char who[USERNAME_SIZE];
	char host[HOSTNAME_SIZE];

	process_user(who);
	process_hostname(host);
	const char *message = arena_printf(arena, "cancelled by %s@%s%s%s", who, host,
					   reason ? ": " : "", reason ? reason : "");
	/* the column's character set may not have all that a reason has */
	return payload_error_ascii(
		arena, payload_error(arena, CANCEL_ERROR, message, NULL, LONG_ERROR), LONG_ERROR);
}
