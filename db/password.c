#include "db/password.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/log/log.h"
#include "common/process.h"

#define MAXIMUM_FILE 4096

/* Logged once a process: the file is read many times. */
static void note_permissions(const char *path)
{
	static atomic_flag noted = ATOMIC_FLAG_INIT;
	struct stat status;

	if (stat(path, &status) == 0 && (status.st_mode & S_IROTH) &&
	    !atomic_flag_test_and_set(&noted))
		log_event(LOG_WARN, "database.password_file_readable_by_all",
			  LOG_TEXT("path", path));
}

enum status password_read(struct arena *arena, const char *path, const char **password,
			  struct error *error)
{
	char *data = NULL;
	size_t length = 0;

	if (!path)
		return STATUS_OK;
	enum status status = file_read(path, MAXIMUM_FILE, &data, &length, error);
	if (status == STATUS_NONE)
		return error_set(error, STATUS_INVALID, "password file: %s does not exist", path);
	if (status != STATUS_OK)
		return error_prefix(error, "password file");
	note_permissions(path);
	*password = arena_strndup(arena, data, strcspn(data, "\r\n"));
	explicit_bzero(data, length);
	free(data);
	return STATUS_OK;
}
