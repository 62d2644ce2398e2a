#include "process/notice.h"

#include <errno.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "common/clock.h"

#define MOST_WAITING ((int)(64 * sizeof(struct notice))) /* a quarter of a pipe */

/* While nobody reads, the rest of the pipe is reserved for messages that must not be lost. */
static bool has_room(int fd)
{
	int waiting = 0;

	return ioctl(fd, FIONREAD, &waiting) == 0 && waiting < MOST_WAITING;
}

void notice_send(int fd, enum notice_kind kind, unsigned lane, const char *text)
{
	struct notice notice = { .kind = kind, .lane = lane, .pid = getpid() };
	ssize_t written;

	bool dispensable = kind == NOTICE_BEAT || kind == NOTICE_TROUBLE || kind == NOTICE_ROOM ||
			   kind == NOTICE_OUTDATED || kind == NOTICE_AWAY;

	if (fd < 0 || (dispensable && !has_room(fd)))
		return;
	(void)snprintf(notice.text, sizeof(notice.text), "%s", text ? text : "");
	do {
		written = write(fd, &notice, sizeof(notice));
	} while (written < 0 && errno == EINTR);
}

bool notice_read(int fd, struct notice *notice)
{
	ssize_t length;

	do {
		length = read(fd, notice, sizeof(*notice));
	} while (length < 0 && errno == EINTR);
	notice->text[NOTICE_TEXT_SIZE - 1] = '\0';
	return length == (ssize_t)sizeof(*notice);
}

/* how long a loop may stand still */

#define STALL_LEAST (5 * CLOCK_SECOND)
#define STALL_WAITS 4 /* a turn is a heartbeat and a tick, each of which waits for the database */
#define STALL_BEATS 8 /* within the limit */

int64_t stall_limit(const struct config *config)
{
	const struct config_database *database = &config->database;
	int64_t limit = STALL_WAITS *
			(database->connect_timeout + database->call_timeout + database->retry_for);

	if (limit < config->process.process_alive_threshold)
		limit = config->process.process_alive_threshold;
	return limit > STALL_LEAST ? limit : STALL_LEAST;
}

int64_t stall_beat(const struct config *config)
{
	return stall_limit(config) / STALL_BEATS;
}
