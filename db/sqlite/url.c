#include "db/sqlite/url.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/text/parse.h"

#define LINKS 8 /* to one file, one after the other */

static enum status check_options(const struct db_url *url, struct error *error)
{
	if (!url->path || *url->path == '\0')
		return error_set(error, STATUS_INVALID,
				 "database url: sqlite3: needs the path of a file");
	if (strstr(url->path, ":memory:"))
		return error_set(error, STATUS_INVALID,
				 "database url: an in-memory database cannot be shared by the "
				 "processes of a deployment; give a file");
	for (unsigned i = 0; i < url->option_count; i++)
		if (strcmp(url->options[i].name, "synchronous") != 0 &&
		    strcmp(url->options[i].name, "mode") != 0 &&
		    !rails_option(url->options[i].name))
			return error_set(error, STATUS_INVALID,
					 "database url: unknown option '%s', expected synchronous "
					 "or mode",
					 url->options[i].name);
	return STATUS_OK;
}

static enum status read_synchronous(const struct db_url *url, const char **pragma,
				    struct error *error)
{
	const char *level = url_option(url, "synchronous");

	if (!level || strcmp(level, "full") == 0)
		*pragma = "PRAGMA synchronous=FULL";
	else if (strcmp(level, "normal") == 0)
		*pragma = "PRAGMA synchronous=NORMAL";
	else
		return error_set(error, STATUS_INVALID,
				 "database url: synchronous=%s, expected full (every commit "
				 "survives a power failure) or normal",
				 level);
	return STATUS_OK;
}

/* The owner must be able to read and write, or nothing could use it. */
static enum status read_mode(const struct db_url *url, unsigned *mode, struct error *error)
{
	const char *text = url_option(url, "mode");

	*mode = 0600;
	if (!text)
		return STATUS_OK;
	size_t digits = strspn(text, "01234567");
	if (digits >= 3 && digits <= 4 && text[digits] == '\0')
		*mode = (unsigned)strtoul(text, NULL, 8);
	else
		*mode = 0;
	if (*mode > 0777 || (*mode & 0600) != 0600)
		return error_set(error, STATUS_INVALID,
				 "database url: mode=%s, expected the permissions of the file, as "
				 "chmod takes them: 0600 (the default), 0640, 0660",
				 text);
	return STATUS_OK;
}

enum status sqlite_read_url(const struct db_url *url, struct sqlite_settings *settings,
			    struct error *error)
{
	enum status status = check_options(url, error);

	if (status == STATUS_OK)
		status = read_synchronous(url, &settings->synchronous, error);
	return status == STATUS_OK ? read_mode(url, &settings->mode, error) : status;
}

enum status sqlite_make_parent(const char *path, struct error *error)
{
	char directory[4096];

	if ((size_t)snprintf(directory, sizeof(directory), "%s", path) >= sizeof(directory))
		return error_set(error, STATUS_INVALID, "sqlite3: the path is too long");
	for (char *slash = strchr(directory + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(directory, 0777); /* if this fails, opening the file reports it */
		*slash = '/';
	}
	return STATUS_OK;
}

/* The target of a link, seen from its own folder; false when it is no link. */
static bool read_link(const char *path, char target[PATH_MAX])
{
	const char *slash = strrchr(path, '/');
	char said[PATH_MAX];
	ssize_t length = readlink(path, said, sizeof(said));

	if (length <= 0 || (size_t)length >= sizeof(said))
		return false;
	int folder = slash && said[0] != '/' ? (int)(slash - path) + 1 : 0;
	int whole = snprintf(target, PATH_MAX, "%.*s%.*s", folder, path, (int)length, said);
	return whole > 0 && whole < PATH_MAX;
}

/*
 * mknod opens nothing: closing would drop the locks of other threads on the same file. A link whose
 * target does not exist is followed, as SQLite does.
 */
void sqlite_make_file(const char *path, unsigned mode)
{
	char names[2][PATH_MAX];

	for (int i = 0; mknod(path, S_IFREG | 0600, 0) != 0; i++) {
		if (errno != EEXIST || i >= LINKS || !read_link(path, names[i % 2]))
			return;
		path = names[i % 2];
	}
	if (mode != 0600)
		(void)!fchmodat(AT_FDCWD, path, mode, AT_SYMLINK_NOFOLLOW); /* whatever the umask */
}

enum status sqlite_find_parent(const char *path, bool of_rails, struct error *error)
{
	const char *slash = strrchr(path, '/');
	char folder[4096];

	if (!slash || slash == path)
		return STATUS_OK;
	if ((size_t)snprintf(folder, sizeof(folder), "%.*s", (int)(slash - path), path) >=
	    sizeof(folder))
		return error_set(error, STATUS_INVALID, "sqlite3: the path is too long");
	if (access(folder, F_OK) == 0 || (errno != ENOENT && errno != ENOTDIR))
		return STATUS_OK;
	return error_set(error, STATUS_INVALID,
			 "sqlite3:%s: there is no folder %s; '%s' creates it", path, folder,
			 of_rails ? "bin/rails db:prepare" : "dray db migrate --create-folders");
}

enum status sqlite_find_file(const char *path, bool of_rails, struct error *error)
{
	if (access(path, F_OK) == 0 || (errno != ENOENT && errno != ENOTDIR))
		return STATUS_OK;
	return error_set(error, STATUS_INVALID, "there is no database sqlite3:%s; '%s' creates it",
			 path, of_rails ? "bin/rails db:prepare" : "dray db migrate");
}
