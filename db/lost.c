#include "db/lost.h"

#include <stdio.h>
#include <string.h>

#include "common/clock.h"

#define UNNAMED_WAIT (2 * CLOCK_SECOND) /* for a server to read what it was sent */

void lost_add(struct lost *lost, const struct connection *connection)
{
	size_t length = strlen(lost->names);
	size_t room = sizeof(lost->names) - length;

	if (!connection->driver->sessions_over)
		return;
	lost->at = clock_monotonic();
	if (!*connection->session || strlen(connection->session) + 2 > room) {
		lost->unnamed = true;
		return;
	}
	(void)snprintf(lost->names + length, room, "%s%s", length > 0 ? "," : "",
		       connection->session);
}

bool lost_any(const struct lost *lost)
{
	return lost->unnamed || *lost->names;
}

/* A server that does not report its sessions: only time can tell. */
static enum status name_over(struct lost *lost, struct connection *connection, bool *over,
			     struct error *error)
{
	enum status status =
		connection->driver->sessions_over(connection, lost->names, over, error);

	if (status == STATUS_OK || connection->broken || status == STATUS_RETRY)
		return status;
	lost->unnamed = true;
	*over = true;
	return STATUS_OK;
}

enum status lost_settle(struct lost *lost, struct connection *connection, struct error *error)
{
	bool over = true;
	enum status status = STATUS_OK;

	if (*lost->names)
		status = name_over(lost, connection, &over, error);
	if (status != STATUS_OK)
		return status;
	if (!over)
		return error_set(error, STATUS_UNCERTAIN,
				 "the session of the lost connection is still open");
	lost->names[0] = '\0';
	if (lost->unnamed && clock_monotonic() - lost->at < UNNAMED_WAIT)
		return error_set(error, STATUS_UNCERTAIN,
				 "the session of the lost connection may still be open");
	*lost = (struct lost){ 0 };
	return STATUS_OK;
}
