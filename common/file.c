#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/arena.h"
#include "common/process.h"

#define FIRST_PIECE 4096

struct content {
	char *data;
	size_t length, capacity;
};

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

/* Room for at least one more byte and the NUL. */
static void grow(struct content *content)
{
	if (content->length + 1 < content->capacity)
		return;
	size_t capacity = content->capacity > 0 ? content->capacity * 2 : FIRST_PIECE;
	char *data = realloc(content->data, capacity);
	if (!data)
		out_of_memory();
	content->data = data;
	content->capacity = capacity;
}

/* Reads to the end, or one byte past the maximum; the file's reported size is not trusted. */
static int read_all(int fd, size_t maximum, struct content *content)
{
	while (content->length <= maximum) {
		grow(content);
		ssize_t got = read(fd, content->data + content->length,
				   content->capacity - content->length - 1);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return got < 0 ? errno : 0;
		content->length += (size_t)got;
	}
	return 0;
}

enum status file_read(const char *path, size_t maximum, char **data, size_t *length,
		      struct error *error)
{
	struct content content = { 0 };
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
		free(content.data);
		return status;
	}
	content.data[content.length] = '\0';
	*data = content.data;
	*length = content.length;
	return STATUS_OK;
}
