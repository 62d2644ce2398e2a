#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/process.h"
#include "common/text/text.h"

#define PIECE 4096

static enum status open_file(const char *path, int *fd, struct error *error)
{
	struct stat status;
	int opened = open(path, O_RDONLY | O_CLOEXEC);
	if (opened < 0) {
		bool missing = errno == ENOENT || errno == ENOTDIR;
		return error_set(error, missing ? STATUS_NONE : STATUS_INVALID, "%s: %s", path,
				 process_reason(errno));
	}
	if (fstat(opened, &status) == 0 && S_ISDIR(status.st_mode)) {
		(void)close(opened);
		return error_set(error, STATUS_INVALID, "%s: is a directory", path);
	}
	*fd = opened;
	return STATUS_OK;
}

/* Reads to the end, or past the maximum; the file's reported size is not trusted. */
static int read_all(int fd, size_t maximum, struct text *content)
{
	char piece[PIECE];
	ssize_t got = 0;
	text_append(content, "", 0);
	while (content->length <= maximum) {
		got = read(fd, piece, sizeof(piece));
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			break;
		text_append(content, piece, (size_t)got);
	}
	return got < 0 ? errno : 0;
}

enum status file_read(const char *path, size_t maximum, char **data, size_t *length,
		      struct error *error)
{
	struct text content = { 0 };
	int fd = -1;
	enum status status = open_file(path, &fd, error);
	if (status != STATUS_OK)
		return status;
	int failure = read_all(fd, maximum, &content);
	(void)close(fd);
	if (failure != 0)
		status = error_set(error, STATUS_INVALID, "%s: %s", path, strerrordesc_np(failure));
	else if (content.length > maximum)
		status = error_set(error, STATUS_INVALID, "%s: longer than %zu bytes", path,
				   maximum);
	if (status != STATUS_OK) {
		text_free(&content);
		return status;
	}
	*data = content.data;
	*length = content.length;
	return STATUS_OK;
}
