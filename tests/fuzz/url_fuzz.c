/* Any text: the parser neither crashes nor reads out of bounds, and never invents a part. */
#include "db/db.h"
#include "db/url.h"
#include "tests/fuzz/fuzz.h"

static void check_part(const char *part, size_t size)
{
	require(!part || strlen(part) <= size);
}

FUZZ()
{
	struct db_url url;
	struct error error;

	if (url_parse(arena, text, &url, &error) == STATUS_OK) {
		check_part(url.user, size);
		check_part(url.password, size);
		check_part(url.host, size);
		check_part(url.path, size);
		require(url.port >= 0 && url.port <= 65535);
		for (unsigned i = 0; i < url.option_count; i++)
			require(url_option(&url, url.options[i].name) != NULL);
	} else
		require(!strchr(error.text, '\n'));
	if (db_check_url(text, &error) != STATUS_OK)
		require(!strchr(error.text, '\n'));
}
