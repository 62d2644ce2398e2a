#include <stdio.h>
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

#define DRIVER_COUNT (sizeof(drivers) / sizeof(drivers[0]))

static const char *const known_schemes[] = { "sqlite3", "sqlite",  "postgres", "postgresql",
					     "mysql",   "trilogy", "mysql2",   "mariadb" };

const char *db_backends(void)
{
	static char list[64];

	if (list[0] == '\0')
		for (size_t i = 0, at = 0; i < DRIVER_COUNT; i++)
			at += (size_t)snprintf(list + at, sizeof(list) - at, "%s%s",
					       i > 0 ? " " : "", drivers[i]->name);
	return list;
}

static enum status unknown_scheme(const char *scheme, struct error *error)
{
	for (size_t i = 0; i < sizeof(known_schemes) / sizeof(known_schemes[0]); i++)
		if (strcmp(known_schemes[i], scheme) == 0)
			return error_set(error, STATUS_INVALID,
					 "database url: this dray was built without support for "
					 "%s:, only: %s",
					 scheme, db_backends());
	return error_set(error, STATUS_INVALID,
			 "database url: unknown scheme '%s', expected sqlite3:, postgres:// or "
			 "mysql://",
			 scheme);
}

enum status driver_find(const char *scheme, const struct driver **driver, struct error *error)
{
	for (size_t i = 0; i < DRIVER_COUNT; i++)
		for (const char *const *name = drivers[i]->schemes; *name; name++)
			if (strcmp(*name, scheme) == 0) {
				*driver = drivers[i];
				return STATUS_OK;
			}
	return unknown_scheme(scheme, error);
}
