#include "common/text/rails.h"

#include <stddef.h>
#include <string.h>

/* `schema_search_path` is among them, although PostgreSQL's first schema is read from it. */
static const char *const names[] = {
	/* the pool */
	"pool",
	"max_connections",
	"min_connections",
	"checkout_timeout",
	"idle_timeout",
	"keepalive",
	"max_age",
	"pool_jitter",
	"reaping_frequency",
	/* a session */
	"adapter",
	"encoding",
	"charset",
	"collation",
	"reconnect",
	"retries",
	"connection_retries",
	"retry_deadline",
	"timeout",
	"read_timeout",
	"write_timeout",
	"wait_timeout",
	"default_timezone",
	"default_transaction_mode",
	"prepared_statements",
	"statement_limit",
	"advisory_locks",
	"insert_returning",
	"min_messages",
	"pragmas",
	"schema_search_path",
	"strict",
	"variables",
	/* the application's tables */
	"database_tasks",
	"lazy_schema_cache",
	"migrations_paths",
	"query_cache",
	"replica",
	"schema_cache_path",
	"schema_dump",
	"seeds",
	"use_metadata_table",
};

bool rails_option(const char *name)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(names[i], name) == 0)
			return true;
	return false;
}
