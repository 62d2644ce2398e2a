#include <stdlib.h>

#include "common/clock.h"
#include "db/db.h"

const char *db_text(const struct db_rows *rows, size_t row, size_t column)
{
	return rows->cells[row * rows->columns + column];
}

bool db_is_null(const struct db_rows *rows, size_t row, size_t column)
{
	return !db_text(rows, row, column);
}

int64_t db_int(const struct db_rows *rows, size_t row, size_t column)
{
	const char *text = db_text(rows, row, column);

	if (!text)
		return 0;
	if (text[0] == 't' || text[0] == 'f') /* PostgreSQL's booleans */
		return text[0] == 't';
	return strtoll(text, NULL, 10);
}

int64_t db_time(const struct db_rows *rows, size_t row, size_t column)
{
	const char *text = db_text(rows, row, column);
	int64_t instant = 0;

	if (!text || clock_parse(text, &instant) != STATUS_OK)
		return 0;
	return instant;
}
