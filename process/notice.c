#include "process/notice.h"

#include <errno.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define MOST_WAITING ((int)(64 * sizeof(struct notice))) /* a quarter of a pipe */

/* While nobody reads, the rest of the pipe is reserved for messages that must not be lost. */
static bool has_room(int fd)
{
	int waiting = 0;

	return ioctl(fd, FIONREAD, &waiting) == 0 && waiting < MOST_WAITING;
}

void notice_send(int fd, enum notice_kind kind, unsigned slot, const char *text)
{
	struct notice notice = { .kind = kind, .slot = slot, .pid = getpid() };
	ssize_t written;

	bool dispensable = kind == NOTICE_BEAT || kind == NOTICE_TROUBLE || kind == NOTICE_ROOM ||
			   kind == NOTICE_OUTDATED;

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
