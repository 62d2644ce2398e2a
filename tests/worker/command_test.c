#include <errno.h>

#include "queue/payload/payload.h"
#include "tests/support/test.h"
#include "worker/exec/command.h"

/* templates */

static const char job[] =
	"{\"executions\":2,\"arguments\":[\"a b\",7,null,{\"path\":\"/tmp/x y\",\"deep\":[1],"
	"\"nul\":\"a\\u0000b\\u0000\",\"large\":123456789012345678901234567890,"
	"\"lists\":[-9223372036854775809,1e999,\"\\u0000\",{\"k\\u0000\":[1]}],"
	"\"yes\":true,\"_aj_ruby2_keywords\":[\"path\",\"deep\",\"yes\"]}]}";

struct rendering {
	const char *template;
	const char *expected; /* NULL = an error that contains `message` */
	const char *message;
};

static const struct rendering renderings[] = {
	{ "plain", "plain", NULL },
	{ "", "", NULL },
	{ "{0}", "a b", NULL },
	{ "{1}", "7", NULL },
	{ "{2}", "", NULL },
	{ "{path}", "/tmp/x y", NULL },
	{ "--file={path}.gz", "--file=/tmp/x y.gz", NULL },
	{ "{0}{1}{path}", "a b7/tmp/x y", NULL },
	{ "{deep}", "[1]", NULL },
	{ "{yes}", "true", NULL },
	{ "{{0}}", "{0}", NULL },
	{ "{{{0}}}", "{a b}", NULL },
	{ "awk {{print $1}}", "awk {print $1}", NULL },
	{ "$(rm -rf ~); `x` \"q\"", "$(rm -rf ~); `x` \"q\"", NULL },
	{ "{nul}", "a\\u0000b\\u0000", NULL },
	{ "{large}", "123456789012345678901234567890", NULL },
	{ "{lists}", "[-9223372036854775809,1e999,\"\\u0000\",{\"k\\u0000\":[1]}]", NULL },
	{ "{missing}", NULL, "{missing}" },
	{ "{9}", NULL, "{9}" },
	{ "{_aj_ruby2_keywords}", NULL, "no such argument" },
	{ "{", NULL, "placeholder" },
	{ "{}", NULL, "placeholder" },
	{ "{path", NULL, "placeholder" },
	{ "{a b}", NULL, "placeholder" },
	{ "-x={*}", NULL, "placeholder" },
	{ "a}b", NULL, "}}" },
};

ARENA_CASE(templates)
{
	struct payload payload;
	struct error error;

	assert_int_equal(payload_parse(job, &payload, &error), STATUS_OK);
	for (size_t i = 0; i < sizeof(renderings) / sizeof(renderings[0]); i++) {
		const struct rendering *r = &renderings[i];
		const char *const template[] = { "program", r->template, NULL };
		const char **argv = NULL;
		enum status status = command_render(arena, template, &payload, &argv, &error);

		if (r->expected != NULL) {
			assert_int_equal(status, STATUS_OK);
			assert_string_equal(argv[0], "program");
			assert_string_equal(argv[1], r->expected);
			assert_null(argv[2]);
			continue;
		}
		assert_int_equal(status, STATUS_INVALID);
		assert_null(argv);
		if (strstr(error.text, r->message) == NULL)
			fail_msg("%s: %s", r->template, error.text);
	}
	payload_clear(&payload);
}

#define SYMBOL(text) SERIALIZED("Symbol", "\"value\":\"" text "\"")
#define DATE(text)   SERIALIZED("Date", "\"value\":\"" text "\"")
#define SERIALIZED(name, members)                                                                  \
	"{\"_aj_serialized\":\"ActiveJob::Serializers::" name "Serializer\"," members "}"
#define RANGE(from, to, without_end)                                                               \
	SERIALIZED("Range", "\"begin\":" from ",\"end\":" to ",\"exclude_end\":" without_end)
#define RECORD "{\"_aj_globalid\":\"gid://app/User/1\"}"

struct serialized {
	const char *argument, *plain;
};

static const struct serialized serialized[] = {
	{ RECORD, "gid://app/User/1" },
	{ SYMBOL("daily"), "daily" },
	{ SERIALIZED("BigDecimal", "\"value\":\"1.5\""), "1.5" },
	{ SERIALIZED("Module", "\"value\":\"A::B\""), "A::B" },
	{ SERIALIZED("Time", "\"value\":\"2024-01-31T12:00:00.000000000Z\""),
	  "2024-01-31T12:00:00.000000000Z" },
	{ SERIALIZED("TimeWithZone",
		     "\"value\":\"2024-01-31T12:00:00+01:00\",\"time_zone\":\"Europe/Berlin\""),
	  "2024-01-31T12:00:00+01:00" },
	{ SERIALIZED("Duration", "\"value\":60,\"parts\":[[" SYMBOL("minutes") ",1]]"), "60" },
	{ RANGE("1", "5", "false"), "1..5" },
	{ RANGE(DATE("2024-01-31"), DATE("2024-02-01"), "true"), "2024-01-31...2024-02-01" },
	{ RANGE("1", "null", "false"), "1.." },
	{ RANGE("null", "99999999999999999999", "false"), "..99999999999999999999" },
	{ "{\"a\":" SYMBOL("s") ",\"_aj_symbol_keys\":[\"a\"]}", "{\"a\":\"s\"}" },
	{ "{\"a\":[" RECORD ",{\"_aj_x\":1}],\"_aj_hash_with_indifferent_access\":true}",
	  "{\"a\":[\"gid://app/User/1\",{\"_aj_x\":1}]}" },
	{ "[[{\"a\":[" RANGE("1", "5", "true") "],\"_aj_symbol_keys\":[]}]]",
	  "[[{\"a\":[\"1...5\"]}]]" },
	/* Of the application's own. */
	{ "{\"_aj_serialized\":\"Boxes\",\"value\":[" SYMBOL("a") "]}", "[\"a\"]" },
	{ "{\"_aj_serialized\":\"Money\",\"amount\":" SYMBOL("2") ",\"currency\":\"EUR\"}",
	  "{\"amount\":\"2\",\"currency\":\"EUR\"}" },
	/* No record: it has more than an identifier. */
	{ "{\"_aj_globalid\":\"x\",\"a\":1}", "{\"_aj_globalid\":\"x\",\"a\":1}" },
};

static const char **render(struct arena *arena, const char *const template[], const char *arguments)
{
	struct payload payload;
	const char **argv = NULL;

	must(payload_parse, arena_printf(arena, "{\"arguments\":%s}", arguments), &payload);
	must(command_render, arena, template, &payload, &argv);
	payload_clear(&payload);
	return argv;
}

/* By its position and by its name. */
ARENA_CASE(what_active_job_serialised_is_plain)
{
	static const char *const template[] = { "env", "{0}", "{name}", NULL };

	for (size_t i = 0; i < sizeof(serialized) / sizeof(serialized[0]); i++) {
		const char *argument = serialized[i].argument;
		const char **argv =
			render(arena, template,
			       arena_printf(arena, "[%s,{\"name\":%s}]", argument, argument));

		assert_string_equal(argv[1], serialized[i].plain);
		assert_string_equal(argv[2], serialized[i].plain);
	}
}

struct splicing {
	const char *arguments;
	const char *words; /* joined by "|" */
};

/* Positional arguments are words of their own; named ones are none. */
ARENA_CASE(all_arguments_in_their_place)
{
	static const char *const template[] = { "env", "{*}", "end", NULL };
	static const struct splicing splicings[] = {
		{ "[]", "env|end" },
		{ "[\"a b\",7,\"\",\"{0} $x\"]", "env|a b|7||{0} $x|end" },
		{ "[\"a\",{\"path\":\"/\"}]", "env|a|end" },
		{ "[\"a\"," SYMBOL("b") "]", "env|a|b|end" },
		{ "[\"a\"," RECORD "]", "env|a|gid://app/User/1|end" },
		{ "[" RANGE("1", "5", "true") "]", "env|1...5|end" },
	};

	for (size_t i = 0; i < sizeof(splicings) / sizeof(splicings[0]); i++) {
		const char **argv = render(arena, template, splicings[i].arguments);
		const char *joined = "";

		for (size_t at = 0; argv[at] != NULL; at++)
			joined = arena_printf(arena, "%s%s%s", joined, at > 0 ? "|" : "", argv[at]);
		assert_string_equal(joined, splicings[i].words);
	}
}

CASE(templates_are_checked_without_a_job)
{
	const char *const good[] = { "gzip", "{0}", "{{x}}", "{path}", "{*}", NULL };
	const char *const bad[] = { "gzip", "{path", NULL };
	struct error error;

	assert_int_equal(command_check(good, &error), STATUS_OK);
	assert_int_equal(command_check(bad, &error), STATUS_INVALID);
	assert_non_null(strstr(error.text, "{path"));
}

/* programs */

ARENA_CASE(programs_are_found_like_execvp_does)
{
	const char *found = NULL;

	assert_int_equal(program_find(arena, "sh", "/nowhere:/bin", NULL, &found), 0);
	assert_string_equal(found, "/bin/sh");
	assert_int_equal(program_find(arena, "/bin/sh", NULL, NULL, &found), 0);
	assert_string_equal(found, "/bin/sh");
	assert_int_equal(program_find(arena, "bin/sh", "", "/", &found), 0);
	assert_string_equal(found, "bin/sh");
	assert_int_equal(program_find(arena, "no-such-program", "/bin", NULL, &found), ENOENT);
	assert_int_equal(program_find(arena, "sh", "", NULL, &found), ENOENT);
	assert_int_equal(program_find(arena, "", "/bin", NULL, &found), ENOENT);
	assert_int_equal(program_find(arena, "/etc/passwd", NULL, NULL, &found), EACCES);
	assert_int_equal(program_find(arena, "/etc", NULL, NULL, &found), EACCES);
	assert_int_equal(program_find(arena, "passwd", "/etc", NULL, &found), EACCES);
}

/* A relative directory in PATH would run whatever lies where the worker happens to be. */
ARENA_CASE(relative_path_entries_are_ignored)
{
	const char *found = NULL;

	assert_int_equal(chdir("/bin"), 0);
	assert_int_equal(program_find(arena, "sh", ".:", NULL, &found), ENOENT);
}

/* environment */

ARENA_CASE(only_the_allow_list_passes)
{
	const char *const entries[] = { "APP_*", "EXACT", "HOME=/elsewhere", "NEW=a=b", NULL };

	assert_int_equal(setenv("HOME", "/root", 1), 0);
	assert_int_equal(setenv("LC_TIME", "C", 1), 0);
	assert_int_equal(setenv("APP_KEY", "1", 1), 0);
	assert_int_equal(setenv("APPLE", "no", 1), 0);
	assert_int_equal(setenv("EXACT", "2", 1), 0);
	assert_int_equal(setenv("EXACTLY", "no", 1), 0);
	assert_int_equal(setenv("DATABASE_URL", "secret", 1), 0);
	const char **environment = environment_build(arena, entries);
	assert_string_equal(environment_get(environment, "HOME"), "/elsewhere");
	assert_string_equal(environment_get(environment, "LC_TIME"), "C");
	assert_string_equal(environment_get(environment, "APP_KEY"), "1");
	assert_string_equal(environment_get(environment, "EXACT"), "2");
	assert_string_equal(environment_get(environment, "NEW"), "a=b");
	assert_null(environment_get(environment, "APPLE"));
	assert_null(environment_get(environment, "EXACTLY"));
	assert_null(environment_get(environment, "DATABASE_URL"));
	assert_null(environment_get(environment, "HOM"));
}

ARENA_CASE(no_entries_is_the_built_in_list)
{
	assert_int_equal(setenv("TZ", "UTC", 1), 0);
	const char **environment = environment_build(arena, NULL);
	assert_string_equal(environment_get(environment, "TZ"), "UTC");
}

ARENA_CASE(settings_replace_and_add)
{
	const char *const base[] = { "A=1", "B=2", NULL };
	const char *const settings[] = { "B=3", "C=4" };
	const char **all = environment_extend(arena, base, settings, 2);

	assert_string_equal(all[0], "A=1");
	assert_string_equal(all[1], "B=3");
	assert_string_equal(all[2], "C=4");
	assert_null(all[3]);
}
