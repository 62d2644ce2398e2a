#include <string.h>

#include "db/scripts/dialect.h"

const char *sql_find(const char *name, enum db_dialect dialect)
{
	const char *common = NULL;

	for (size_t i = 0; i < sql_file_count; i++) {
		if (strcmp(sql_files[i].name, name) != 0)
			continue;
		if (sql_files[i].dialect == dialect)
			return sql_files[i].text;
		if (sql_files[i].dialect == DB_DIALECTS)
			common = sql_files[i].text;
	}
	return common;
}
