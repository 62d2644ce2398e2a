#include <string.h>

#include "db/driver.h"

static const struct driver *const drivers[] = {
#ifdef DRAY_WITH_SQLITE
	&sqlite_driver,
#endif
#ifdef DRAY_WITH_POSTGRESQL
	&postgresql_driver,
#endif
#ifdef DRAY_WITH_MYSQL
	&mysql_driver,
#endif
};

/* At least one name; each is preceded by a space. */
static const char backends[] = ""
#ifdef DRAY_WITH_SQLITE
			       " sqlite3"
#endif
#ifdef DRAY_WITH_POSTGRESQL
			       " postgresql"
#endif
#ifdef DRAY_WITH_MYSQL
			       " mysql"
#endif
	;

#define DRIVER_COUNT (sizeof(drivers) / sizeof(drivers[0]))

const char *db_backends(void)
{
	return backends + 1;
}

enum status driver_find(const char *scheme, const struct driver **driver, struct error *error)
{
	const struct url_scheme *known = url_scheme(scheme);

	if (!known)
		return error_set(error, STATUS_INVALID,
				 "database url: unknown scheme '%s', expected sqlite3:, "
				 "postgres:// or mysql://",
				 scheme);
	for (size_t i = 0; i < DRIVER_COUNT; i++)
		if (strcmp(drivers[i]->name, known->driver) == 0) {
			*driver = drivers[i];
			return STATUS_OK;
		}
	return error_set(error, STATUS_INVALID,
			 "database url: this dray was built without support for %s:, only: %s",
			 scheme, db_backends());
}

bool db_is_file(const char *url)
{
	struct arena *arena = arena_new();
	struct db_url parts;
	const struct url_scheme *known =
		url_parse(arena, url, &parts, NULL) == STATUS_OK ? url_scheme(parts.scheme) : NULL;
	bool file = known && known->form == URL_FILE;

	arena_free(arena);
	return file;
}

const char *db_url_below(struct arena *arena, const char *url, const char *folder)
{
	struct db_url parts;

	if (!db_is_file(url) || url_parse(arena, url, &parts, NULL) != STATUS_OK ||
	    *parts.path == '/')
		return url;
	const char *path = strchr(url, ':') + 1;
	path += strncmp(path, "//", 2) == 0 ? 2 : 0;
	return arena_printf(arena, "%s:%s/%s", parts.scheme, folder, path);
}

enum status db_check_url(const char *url, struct error *error)
{
	struct arena *arena = arena_new();
	const struct driver *driver;
	struct db_url parts;
	enum status status = url_parse(arena, url, &parts, error);

	if (status == STATUS_OK)
		status = driver_find(parts.scheme, &driver, error);
	if (status == STATUS_OK)
		status = driver->check(arena, &parts, error);
	arena_free(arena);
	return status;
}
