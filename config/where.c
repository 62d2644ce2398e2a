#include "config/where.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SYSTEM_FOLDER "/etc/dray"
#define STATE_FOLDER  "/var/lib/dray" /* the service runs there */

struct said where_say(const char *requested, const char *const variables[])
{
	if (requested)
		return (struct said){ requested, "the command line" };
	for (size_t i = 0; variables[i]; i++) {
		/* No other thread runs yet. NOLINTNEXTLINE(concurrency-mt-unsafe) */
		const char *value = getenv(variables[i]);
		if (value && *value)
			return (struct said){ value, variables[i] };
	}
	return (struct said){ 0 };
}

struct said where_say_file(const char *requested, const char *const variables[])
{
	struct said said = where_say(requested, variables);
	if (!requested && said.value && said.value[0] == '-' && said.value[1]) {
		said.optional = true;
		said.value++;
	}
	return said;
}

const char *where_under(struct arena *arena, const char *root, const char *path)
{
	if (*path == '/' || strcmp(root, ".") == 0)
		return path;
	return arena_printf(arena, "%s/%s", root, path);
}

bool where_url_said(const struct config_request *request)
{
	static const char *const first[] = { "DRAY_DATABASE_URL", NULL };
	return where_say(request->database_url, first).value != NULL;
}

/*
 * The file may be in a folder that this user may not read. Taking the folder for empty would use
 * another database than the units without a warning, unless the database is given.
 */
bool where_may_be(const struct config_request *request, const char *file)
{
	return faccessat(AT_FDCWD, file, F_OK, AT_EACCESS) == 0 ||
	       (errno == EACCES && !where_url_said(request));
}

/* Builds for tests may have these folders elsewhere. What users get has no such variable. */
static const char *on_host(struct arena *arena, const char *folder)
{
#ifdef DRAY_FAULTS
	static const char *const variables[] = { "DRAY_TEST_HOST", NULL };
	struct said said = where_say(NULL, variables);

	if (said.value)
		return arena_printf(arena, "%s%s", said.value, folder);
#endif
	(void)arena;
	return folder;
}

const char *where_system(const struct config_request *request, struct arena *arena)
{
	return request->system ? request->system : on_host(arena, SYSTEM_FOLDER);
}

const char *where_state(const struct config_request *request, struct arena *arena)
{
	if (request->root)
		return request->root;
	return request->state ? request->state : on_host(arena, STATE_FOLDER);
}

const char *where_home(const struct config_request *request, struct arena *arena, const char *root)
{
	static const char *const variables[] = { "DRAY_CONFIG", "SOLID_QUEUE_CONFIG", NULL };
	const char *system = where_system(request, arena);
	if (where_say_file(request->config_file, variables).value ||
	    access(where_under(arena, root, "config"), F_OK) == 0 ||
	    !where_may_be(request, arena_printf(arena, "%s/queue.yml", system)))
		return NULL;
	return system;
}

bool where_is_in(struct arena *arena, const char *file, const char *folder)
{
	const char *slash = strrchr(file, '/');
	const int length = slash ? (int)(slash - file) + 1 : 0;
	struct stat around;
	struct stat wanted;

	return stat(arena_printf(arena, "%.*s.", length, file), &around) == 0 &&
	       stat(folder, &wanted) == 0 && around.st_dev == wanted.st_dev &&
	       around.st_ino == wanted.st_ino;
}

bool where_is_rails(struct arena *arena, const struct config *config)
{
	return !config->home &&
	       access(where_under(arena, config->root, "config/application.rb"), F_OK) == 0 &&
	       access(where_under(arena, config->root, "config/database.yml"), F_OK) == 0;
}
