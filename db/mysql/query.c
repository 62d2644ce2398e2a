#include <string.h>

#include "db/mysql/driver.h"

static enum status fail(struct mysqldb *my, const char *what, struct error *error)
{
	return mysqldb_fail(my, mysql_errno(my->handle), mysql_error(my->handle), what, error);
}

enum status mysqldb_query(struct mysqldb *my, const char *sql, struct error *error)
{
	if (mysql_real_query(my->handle, sql, strlen(sql)))
		return fail(my, sql, error);
	return STATUS_OK;
}

enum status mysqldb_query_row(struct mysqldb *my, const char *sql, const char **cells,
			      unsigned count, struct error *error)
{
	enum status status = mysqldb_query(my, sql, error);
	if (status != STATUS_OK)
		return status;
	MYSQL_RES *result = mysql_store_result(my->handle);
	if (!result)
		return fail(my, sql, error);
	MYSQL_ROW row = mysql_fetch_row(result);
	for (unsigned i = 0; i < count; i++) {
		const char *cell = row && i < mysql_num_fields(result) ? row[i] : NULL;
		cells[i] = cell ? arena_strdup(my->scratch, cell) : NULL;
	}
	mysql_free_result(result);
	return STATUS_OK;
}
