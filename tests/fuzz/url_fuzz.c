/* Any text: the parser neither crashes nor reads out of bounds, and never invents a part. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "db/db.h"
#include "db/url.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_part(const char *part, size_t size)
{
	if (part != NULL && strlen(part) > size)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *arena = arena_new();
	const char *text = arena_strndup(arena, (const char *)data, size);
	struct db_url url;
	struct error error;

	if (url_parse(arena, text, &url, &error) == STATUS_OK) {
		check_part(url.user, size);
		check_part(url.password, size);
		check_part(url.host, size);
		check_part(url.path, size);
		if (url.port < 0 || url.port > 65535)
			abort();
		for (unsigned i = 0; i < url.option_count; i++)
			if (url_option(&url, url.options[i].name) == NULL)
				abort();
	} else if (strchr(error.text, '\n') != NULL) {
		abort();
	}
	if (db_check_url(text, &error) != STATUS_OK && strchr(error.text, '\n') != NULL)
		abort();
	arena_free(arena);
	return 0;
}
