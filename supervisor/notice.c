#include "supervisor/notice.h"

#include <errno.h>
#include <unistd.h>

void notice_send(int fd, enum notice_kind kind, unsigned slot)
{
	struct notice notice = { .kind = kind, .slot = slot, .pid = getpid() };
	ssize_t written;

	if (fd < 0)
		return;
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
	return length == (ssize_t)sizeof(*notice);
}
