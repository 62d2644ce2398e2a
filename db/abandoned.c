#include "db/abandoned.h"

#include <stdio.h>
#include <string.h>

#include "common/clock.h"

#define UNNAMED_WAIT (2 * CLOCK_SECOND) /* for a server to read what it was sent */

void abandoned_add(struct abandoned *abandoned, const struct connection *connection)
{
	size_t length = strlen(abandoned->names);
	size_t room = sizeof(abandoned->names) - length;

	if (!connection->driver->sessions_over)
		return;
	abandoned->at = clock_monotonic();
	if (!*connection->session || strlen(connection->session) + 2 > room) {
		abandoned->unnamed = true;
		return;
	}
	(void)snprintf(abandoned->names + length, room, "%s%s", length > 0 ? "," : "",
		       connection->session);
}

bool abandoned_any(const struct abandoned *abandoned)
{
	return abandoned->unnamed || *abandoned->names;
}

/* A server that does not report its sessions: only time can tell. */
static enum status name_over(struct abandoned *abandoned, struct connection *connection, bool *over,
			     struct error *error)
{
	enum status status =
		connection->driver->sessions_over(connection, abandoned->names, over, error);

	if (status == STATUS_OK || connection->broken || status == STATUS_RETRY)
		return status;
	abandoned->unnamed = true;
	*over = true;
	return STATUS_OK;
}

enum status abandoned_settle(struct abandoned *abandoned, struct connection *connection,
			     struct error *error)
{
	bool over = true;
	enum status status = STATUS_OK;

	if (*abandoned->names)
		status = name_over(abandoned, connection, &over, error);
	if (status != STATUS_OK)
		return status;
	if (!over)
		return error_set(error, STATUS_UNCERTAIN,
				 "the session of the lost connection is still open");
	abandoned->names[0] = '\0';
	if (abandoned->unnamed && clock_monotonic() - abandoned->at < UNNAMED_WAIT)
		return error_set(error, STATUS_UNCERTAIN,
				 "the session of the lost connection may still be open");
	*abandoned = (struct abandoned){ 0 };
	return STATUS_OK;
}
