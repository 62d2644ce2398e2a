/* Variables before YAML: what is understood, what it becomes, and that positions stay right. */
#include "common/text/text.h"
#include "config/yaml/expand.h"
#include "tests/support/test.h"

struct expected {
	const char *text;
	const char *value; /* NULL: a variable without value */
};

static const char *expanded(struct arena *arena, const char *text,
			    const struct substitution **fault)
{
	struct expansion expansion = { .file = "f" };
	struct report *report = report_new(arena);
	assert_int_equal(expand(&expansion, arena, report, text, strlen(text)), STATUS_OK);
	return expand_values(&expansion, arena, expansion.text, fault);
}

static void set_large(const char *name, size_t size)
{
	char *large = calloc(size + 1, 1);
	assert_non_null(large);
	memset(large, 'x', size);
	assert_int_equal(setenv(name, large, 1), 0);
	free(large);
}

ARENA_CASE(test_values)
{
	static const struct expected cases[] = {
		{ "plain $ { } < % text", "plain $ { } < % text" },
		{ "<%= ENV[\"SET\"] %>", "va lue" },
		{ "<%=ENV['SET']%>", "va lue" },
		{ "<%=  ENV [ 'SET' ]  -%>", "va lue" },
		{ "<%= ENV['UNSET'] %>", "" },
		{ "<%= ENV['EMPTY'] %>", "" },
		{ "<%= ENV.fetch('SET') %>", "va lue" },
		{ "<%= ENV.fetch('EMPTY') %>", "" },
		{ "<%= ENV.fetch('EMPTY', 5) %>", "" },
		{ "<%= ENV.fetch('UNSET') %>", NULL },
		{ "<%= ENV.fetch(\"UNSET\", 5) %>", "5" },
		{ "<%= ENV.fetch( 'UNSET' , -0.25 ) -%>", "-0.25" },
		{ "<%= ENV.fetch('UNSET', \"a b\") %>", "a b" },
		{ "<%= ENV.fetch('UNSET', 'a \"b\"') %>", "a \"b\"" },
		{ "<%= ENV.fetch('UNSET', nil) %>", "" },
		{ "<%= ENV.fetch('UNSET', true) %>", "true" },
		{ "<%= ENV.fetch('UNSET', false) %>", "false" },
		{ "<%= ENV.fetch('UNSET') { 7 } %>", "7" },
		{ "<%= ENV.fetch('UNSET',\n  7) %>", "7" },
		{ "a<%# comment %>b", "ab" },
		{ "a<%# over\nlines -%>b", "ab" },
		{ "<%% ENV %>", "<% ENV %>" },
		{ "x${SET}y${SET}z", "xva lueyva luez" },
		{ "${UNSET}", NULL },
		{ "${UNSET:-}", "" },
		{ "${UNSET:-a:-b}", "a:-b" },
		{ "${EMPTY}", "" },
		{ "${EMPTY:-default}", "default" },
		{ "${SET:-default}", "va lue" },
		{ "$${SET}", "${SET}" },
		{ "${UNSET:-${SET}}", "va lue" },
		{ "${UNSET:-a ${EMPTY:-b}-${SET} c}d", "a b-va lue cd" },
		{ "${UNSET:-${UNSET:-${UNSET:-}}}", "" },
		{ "${UNSET:-${EMPTY:-x}}${UNSET:-{y}}", "x{y}" },
		{ "${UNSET:-$${SET}}", "${SET}" },
		{ "${UNSET:-a${UNSET}}", NULL },
		{ "${SET:-${UNSET}}", "va lue" },
		{ "${UNSET:-${LARGE}${LARGE}}", NULL },
		{ "${A:-${A:-${A:-${A:-${A:-${A:-${A:-${A:-8}}}}}}}}", "8" },
		{ "$$$ $SET", "$$$ $SET" },
		{ "a<% if ENV[\"SET\"] %>b${SET}<% end %>c", "abva luec" },
		{ "a<%- if ENV['EMPTY'] -%>b<%= ENV['SET'] %><%- end -%>c", "abva luec" },
		{ "a<% if ENV['UNSET'] %>b\n<%# c %><%= Ruby %>d<% end %>e", "ae" },
	};
	assert_int_equal(setenv("SET", "va lue", 1), 0);
	assert_int_equal(setenv("EMPTY", "", 1), 0);
	assert_int_equal(unsetenv("UNSET"), 0);
	set_large("LARGE", EXPAND_VALUE_MAXIMUM);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct substitution *fault = NULL;
		const char *value = expanded(arena, cases[i].text, &fault);
		if ((fault == NULL) != (cases[i].value != NULL) ||
		    (!fault && strcmp(value, cases[i].value) != 0))
			fail_msg("%s gives %s", cases[i].text, fault ? fault->fault : value);
		assert_true(!fault || !fault->refused);
	}
}

ARENA_CASE(test_refused)
{
	static const char *const cases[] = {
		"<% ENV['SET'] %>",
		"<% if ENV['SET'] %>a",
		"<% if ENV['SET'] %>a<% else %>b<% end %>",
		"<% if ENV['SET'] == 1 %>a<% end %>",
		"<% end %>",
		"<%= %>",
		"<%= ENV %>",
		"<%= ENV[] %>",
		"<%= ENV[''] %>",
		"<%= ENV[\"A'] %>",
		"<%= ENV['A'].to_i %>",
		"<%= ENV['A'] || 5 %>",
		"<%= ENV.fetch %>",
		"<%= ENV.fetch('A',) %>",
		"<%= ENV.fetch('A', b) %>",
		"<%= ENV.fetch('A', 5, 6) %>",
		"<%= ENV.fetch('A', 1_000) %>",
		"<%= ENV.fetch('A', 5.) %>",
		"<%= ENV.fetch('A', 'a\\'b') %>",
		"<%= ENV.fetch('A', 'a\\nb' 5) %>",
		"<%= ENV.fetch(\"A#{1}\", 5) %>",
		"<%= ENV.fetch('A') { b } %>",
		"<%= ENV.fetch('A') { 5 %>",
		"<%= ENVIRONMENT['A'] %>",
		"<%= ENV['A'] - %>",
		"<%= Rails.env %>",
		"${}",
		"${1}",
		"${a b}",
		"${A:=5}",
		"${A-5}",
		"${ A }",
		"${A:-${1}}",
		"${SET:-${A:=5}}",
		"${A:-${B}",
		"${A:-<%= ENV['B'] %>}",
		"${A:-${B:-<%= ENV.fetch('C') { 5 } %>}}",
		"${A:-${A:-${A:-${A:-${A:-${A:-${A:-${A:-${A:-9}}}}}}}}}",
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct substitution *fault = NULL;
		const char *value = expanded(arena, cases[i], &fault);
		if (!fault || !fault->refused)
			fail_msg("%s is understood as %s", cases[i], value);
	}
}

ARENA_CASE(test_values_that_cannot_be)
{
	const struct substitution *fault = NULL;
	set_large("SET", EXPAND_VALUE_MAXIMUM + 1);
	expanded(arena, "${SET}", &fault);
	assert_string_equal(fault->fault, "the environment variable \"SET\" is 65537 bytes long, "
					  "expected at most 65536");
	assert_int_equal(setenv("SET", "a\xFF", 1), 0);
	expanded(arena, "${SET}", &fault);
	assert_string_equal(fault->fault, "the environment variable \"SET\" is not UTF-8 (byte 2), "
					  "expected UTF-8 text");
	/* Our own placeholder in a value is a character like any other. */
	assert_int_equal(setenv("SET", "\xF3\xB0\x80\x80", 1), 0);
	assert_string_equal(expanded(arena, "${SET}", &fault), "\xF3\xB0\x80\x80");
	assert_null(fault);
}

#define MARKS_MAXIMUM 8

struct marks {
	size_t lines[MARKS_MAXIMUM];
	size_t columns[MARKS_MAXIMUM];
	size_t count;
};

/* Where the '@' of a text stand, from 0, by libyaml's idea of lines. */
static struct marks find_marks(const char *text)
{
	struct marks marks = { .count = 0 };
	size_t line = 0, column = 0;
	for (const char *at = text; *at; at++) {
		bool newline = *at == '\n' || strncmp(at, "\xC2\x85", 2) == 0 ||
			       strncmp(at, "\xE2\x80\xA8", 3) == 0;
		if (*at == '@') {
			marks.lines[marks.count] = line;
			marks.columns[marks.count++] = column;
		}
		if ((*at & 0xC0) == 0x80 || *at == '\r')
			continue;
		column = newline ? 0 : column + 1;
		line += newline;
	}
	return marks;
}

/* What is found in the text made is found at its place in the file. */
ARENA_CASE(test_places)
{
	static const char *const cases[] = {
		"@",
		"<%= ENV['A'] %>@${A:-b}@",
		"@\n  <%# a\nb %>@\n@",
		"ä${A:-ä}@ <%=\nENV['A']\r\n%>@\r\n@<%# x %>\n @",
		"${A:-a}\n${A:-b}@\n\n@",
		"\xE2\x80\xA8@${A:-b}@\xC2\x85@",
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct expansion made = { .file = "f" };
		assert_int_equal(
			expand(&made, arena, report_new(arena), cases[i], strlen(cases[i])),
			STATUS_OK);
		struct marks in = find_marks(cases[i]);
		struct marks out = find_marks(made.text);
		assert_int_equal(in.count, out.count);
		for (size_t j = 0; j < in.count; j++) {
			struct place place = expand_place(&made, out.lines[j], out.columns[j]);
			assert_int_equal(place.line, in.lines[j] + 1);
			assert_int_equal(place.column, in.columns[j] + 1);
		}
	}
}

ARENA_CASE(test_too_many)
{
	struct text text = { 0 };
	for (size_t i = 0; i <= EXPAND_MAXIMUM; i++)
		text_add(&text, "${A:-b}\n");
	struct expansion expansion = { .file = "f" };
	struct report *report = report_new(arena);
	struct config_problems problems;
	assert_int_equal(expand(&expansion, arena, report, text_string(&text), text.length),
			 STATUS_INVALID);
	text_free(&text);
	report_list(report, ~0U, &problems);
	assert_string_equal(problems.list[0].text,
			    "f:10001:1: too many variables, expected at most 10000 in a file");
}
