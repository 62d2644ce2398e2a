#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

#include "common/clock.h"
#include "db/postgresql/driver.h"

void postgresql_start(struct postgresql *pg)
{
	pg->deadline = clock_monotonic() + pg->base.call_timeout;
}

static enum status late(struct postgresql *pg, struct error *error)
{
	pg->base.broken = true;
	return error_set(error, STATUS_DOWN, "no answer from PostgreSQL in time");
}

static int milliseconds(int64_t left)
{
	int64_t rounded = (left + CLOCK_MILLISECOND - 1) / CLOCK_MILLISECOND;

	return rounded < 0 ? 0 : (int)rounded;
}

/* What has already arrived counts even if the deadline has passed: this process may have slept. */
enum status postgresql_wait(struct postgresql *pg, short events, struct error *error)
{
	struct pollfd poller = { .fd = PQsocket(pg->handle), .events = events };
	int64_t left;
	int ready;

	if (poller.fd < 0)
		return postgresql_broken(pg, "closed", error);
	do {
		left = pg->deadline - clock_monotonic();
		ready = poll(&poller, 1, milliseconds(clock_earlier(left, DRIVER_WAITS)));
		if (ready < 0 && errno != EINTR)
			return postgresql_broken(pg, strerrordesc_np(errno), error);
		if (ready <= 0)
			driver_waits(pg->base.waiting);
	} while (ready < 0 || (ready == 0 && left > 0));
	return ready == 0 ? late(pg, error) : STATUS_OK;
}

/*
 * When PQconsumeInput has failed the socket is gone, PQgetResult does not wait, and it returns what
 * the server sent before it left.
 */
enum status postgresql_result(struct postgresql *pg, PGresult **result, struct error *error)
{
	while (PQisBusy(pg->handle)) {
		short events = PQflush(pg->handle) > 0 ? POLLIN | POLLOUT : POLLIN;
		enum status status = postgresql_wait(pg, events, error);
		if (status != STATUS_OK)
			return status;
		if (PQconsumeInput(pg->handle))
			continue;
		if (PQstatus(pg->handle) != CONNECTION_BAD)
			return postgresql_broken(pg, PQerrorMessage(pg->handle), error);
		break;
	}
	*result = PQgetResult(pg->handle);
	return STATUS_OK;
}

static bool readable(const struct postgresql *pg)
{
	struct pollfd poller = { .fd = PQsocket(pg->handle), .events = POLLIN };

	return poller.fd >= 0 && poll(&poller, 1, 0) > 0;
}

enum status postgresql_alive(struct postgresql *pg, struct error *error)
{
	while (PQstatus(pg->handle) == CONNECTION_OK && readable(pg)) {
		if (!PQconsumeInput(pg->handle))
			break;
		(void)PQisBusy(pg->handle); /* processes notices and changed settings */
	}
	if (PQstatus(pg->handle) == CONNECTION_OK && !pg->base.broken)
		return STATUS_OK;
	return postgresql_broken(pg, "closed by the server while idle", error);
}
