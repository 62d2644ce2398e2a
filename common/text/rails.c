#include "common/text/rails.h"

#include <string.h>

/* `schema_search_path` is among them, although PostgreSQL's sessions get it. */
static const char names[] =
	"pool max_connections min_connections checkout_timeout idle_timeout keepalive "
	"max_age pool_jitter reaping_frequency adapter encoding charset collation "
	"reconnect retries connection_retries retry_deadline timeout read_timeout "
	"write_timeout wait_timeout default_timezone default_transaction_mode "
	"prepared_statements statement_limit advisory_locks insert_returning min_messages "
	"pragmas schema_search_path strict variables database_tasks lazy_schema_cache "
	"migrations_paths query_cache replica schema_cache_path schema_dump seeds "
	"use_metadata_table";

bool rails_listed(const char *list, const char *name)
{
	const size_t length = strlen(name);

	while (*list) {
		const size_t next = strcspn(list, " ");
		if (next == length && memcmp(list, name, length) == 0)
			return true;
		list += next + (list[next] == ' ');
	}
	return false;
}

bool rails_option(const char *name)
{
	return rails_listed(names, name);
}
