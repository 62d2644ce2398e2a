/* Which processes of a new configuration leave threads to which of the old one. */
#include "supervisor/children.h"
#include "tests/support/test.h"
#include "worker/worker.h"

#define MOST 4

/* Entries by their places; for each new one, which old ones it waits for. */
static const struct {
	const char *before, *after, *waits;
} rows[] = {
	{ "a", "a", "0" },
	{ "a", "b", "" },
	{ "a", "b | a", " | 0" },
	{ "a", "a | a", "0 | " },
	{ "a | a", "a", "01" },
	{ "a | b", "b | a", "1 | 0" },
	{ "a,b", "a | b", "0 | 0" },
	{ "a | b", "a,b", "01" },
	{ "a | b", "*", "01" },
	{ "a | b", "x | a,b", " | 01" },
	{ "a | b", "b | *", " | 01" },
	{ "a | c", "b | *", " | 01" },
	{ "*", "mail | *", "0 | 0" }, /* mail serves one queue of them */
	{ "*", "* | mail", "0 | " },
	{ "*", "mail,* | *", "0 | " },
	{ "*", "m* | mail", "0 | " },
	{ "*", "m* | *", "0 | 0" },
	{ "m*", "mail | m*", "0 | 0" },
	{ "m*", "* | mail,m*", "0 | " },
	{ "m*", "mail | mail", "0 | " },
	{ "m*", "mail | mailing", "0 | 0" },
	{ "mail", "m* | *", "0 | " },
	{ "mail", "mailing* | *", " | 0" },
	{ "mail", "mail* | *", "0 | " },
};

static size_t split(struct arena *arena, const char *text, const char *at, const char *parts[])
{
	size_t count = 0;

	for (const char *end = strstr(text, at); end; end = strstr(text, at)) {
		assert_true(count + 1 < MOST);
		parts[count++] = arena_strndup(arena, text, (size_t)(end - text));
		text = end + strlen(at);
	}
	parts[count++] = text;
	return count;
}

static size_t configure(struct arena *arena, const char *text, struct config *config)
{
	const char *entries[MOST];

	config->worker_count = split(arena, text, " | ", entries);
	config->workers = arena_array(arena, MOST, sizeof(*config->workers));
	for (size_t i = 0; i < config->worker_count; i++) {
		config->workers[i].queues = arena_array(arena, MOST, sizeof(char *));
		config->workers[i].queue_count =
			split(arena, entries[i], ",", config->workers[i].queues);
	}
	return config->worker_count;
}

static const char *waits(struct arena *arena, const char *before, const char *after)
{
	struct config old = { 0 }, new = { 0 };
	struct child list[2 * MOST] = { 0 };
	struct children children = { .config = &new, .list = list };
	const size_t old_count = configure(arena, before, &old);
	const char *all = "";

	for (size_t i = 0; i < old_count; i++)
		list[children.count++] = (struct child){ .role = &worker_role,
							 .seat = (unsigned)i,
							 .serves = worker_role.serves(&old, i),
							 .holds_lane = true,
							 .retired = true };
	for (size_t i = 0; i < configure(arena, after, &new); i++)
		list[children.count++] =
			(struct child){ .role = &worker_role, .seat = (unsigned)i, .entry = i };
	for (size_t i = old_count; i < children.count; i++) {
		all = arena_printf(arena, "%s%s", all, i > old_count ? " | " : "");
		for (size_t j = 0; j < old_count; j++)
			if (children_must_wait(&children, &list[i], &list[j]))
				all = arena_printf(arena, "%s%zu", all, j);
	}
	return all;
}

CASE(test_who_waits_for_whom)
{
	struct arena *arena = arena_new();

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const char *got = waits(arena, rows[i].before, rows[i].after);

		if (strcmp(got, rows[i].waits) != 0)
			fail_msg("[%s], then [%s]: \"%s\"", rows[i].before, rows[i].after, got);
	}
	arena_free(arena);
}
