#include "db/serial.h"
#include "db/sqlite/driver.h"

#define ALMOST_LAST "9223372036853775807"
#define LAST        "9223372036854775807"

/* What the statement has inserted is undone by now: an id close to the end counts as the last. */
bool sqlite_out_of_ids(sqlite3 *handle, const char *sql)
{
	char table[SERIAL_TABLE_SIZE];
	sqlite3_stmt *prepared = NULL;

	serial_table(sql, table);
	char *question = sqlite3_mprintf(
		"SELECT 1 WHERE (SELECT seq FROM sqlite_sequence WHERE name = %Q) > " ALMOST_LAST
		" OR (SELECT max(rowid) FROM \"%w\") = " LAST,
		table, table);
	bool found = question &&
		     sqlite3_prepare_v2(handle, question, -1, &prepared, NULL) == SQLITE_OK &&
		     sqlite3_step(prepared) == SQLITE_ROW;
	sqlite3_finalize(prepared);
	sqlite3_free(question);
	return found;
}
