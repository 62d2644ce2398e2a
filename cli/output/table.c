#include "cli/output/table.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/output/cells.h"
#include "common/clock.h"
#include "queue/payload/wide_json.h"

#define GAP  2
#define BOLD "\033[1m"
#define OFF  "\033[0m"

#define ELLIPSIS "\u2026"

/* Cells that are never cut: half of a number is another number. */
#define EXACT (1U << CELL_NUMBER | 1U << CELL_SPAN)

#define OTHERS (~(EXACT | 1U << CELL_NAME))

/* The state of one printing. */
struct page {
	struct arena *arena;
	const struct column *columns;
	size_t count;
	bool terminal;
	bool wide; /* print every column and uncut cells; also set for a pipe */
	bool color;
	size_t width; /* columns of the terminal; 0 = no limit */
	int64_t now;
};

bool color_wanted(const struct cli *cli, bool terminal)
{
	const char *no_color = getenv("NO_COLOR");
	const char *term = getenv("TERM");

	if (cli->color != COLOR_AUTO)
		return cli->color == COLOR_ALWAYS;
	return terminal && !(no_color && *no_color) && !(term && strcmp(term, "dumb") == 0);
}

static struct page open_page(const struct cli *cli, const struct column columns[])
{
	struct page page = { .arena = arena_new(),
			     .columns = columns,
			     .terminal = isatty(STDOUT_FILENO) == 1,
			     .now = clock_wall() };
	struct winsize size;

	while (columns[page.count].key)
		page.count++;
	page.color = color_wanted(cli, page.terminal);
	page.wide = cli->wide || !page.terminal;
	if (!page.wide && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0)
		page.width = size.ws_col;
	return page;
}

static const char *time_cell(const struct page *page, const char *iso)
{
	char span[CLOCK_TEXT_SIZE];
	int64_t instant;

	if (!page->terminal || clock_parse(iso, &instant) != STATUS_OK)
		return arena_printf(page->arena, "%.19sZ", iso);
	bool past = instant <= page->now;
	int64_t distance = past ? page->now - instant : instant - page->now;
	clock_span(distance - distance % CLOCK_SECOND, span);
	return arena_printf(page->arena, "%.19sZ (%s%s%s)", iso, past ? "" : "in ", span,
			    past ? " ago" : "");
}

static const char *plain_cell(const struct page *page, const json_t *value)
{
	if (json_is_string(value))
		return cell_clean(page->arena, json_string_value(value));
	if (json_is_boolean(value))
		return json_is_true(value) ? "yes" : "no";
	char *text =
		wide_json_dump(value, JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(15));
	if (!text)
		out_of_memory();
	const char *copy = cell_escape(page->arena, text);
	free(text);
	return copy;
}

static const char *cell(const struct page *page, const struct column *column, const json_t *row)
{
	const json_t *value = json_object_get(row, column->key);
	char span[CLOCK_TEXT_SIZE];

	if (!value || json_is_null(value))
		return "-";
	if (column->kind == CELL_TIME)
		return time_cell(page, json_string_value(value));
	if (column->kind != CELL_SPAN)
		return plain_cell(page, value);
	clock_span((int64_t)(json_number_value(value) * (double)CLOCK_SECOND), span);
	return arena_strdup(page->arena, span);
}

static const char *color_of(const struct page *page, const struct column *column, const char *text)
{
	static const struct {
		const char *text;
		const char *code;
	} colors[] = {
		{ "failed", "\033[31m" },    { "no", "\033[31m" },       { "blocked", "\033[33m" },
		{ "paused", "\033[33m" },    { "claimed", "\033[36m" },  { "finished", "\033[32m" },
		{ "scheduled", "\033[34m" }, { "unserved", "\033[31m" },
	};

	if (!page->color || column->kind != CELL_STATE)
		return "";
	for (size_t i = 0; i < sizeof(colors) / sizeof(colors[0]); i++)
		if (strcmp(colors[i].text, text) == 0)
			return colors[i].code;
	return "";
}

/* Prints the first `width` characters of a text; if it is longer, the last one is an ellipsis. */
static void put_text(const char *text, size_t width)
{
	if (cell_characters(text) > width)
		(void)printf("%.*s" ELLIPSIS, cell_bytes(text, width - 1), text);
	else
		(void)fputs(text, stdout);
}

/* Prints one cell, padded up to the next. */
static void put(const struct page *page, size_t index, const char *text, size_t width)
{
	const struct column *column = &page->columns[index];
	bool last = index + 1 == page->count;
	const char *color = color_of(page, column, text);
	size_t length = cell_characters(text);
	int padding = width > length ? (int)(width - length) : 0;

	(void)printf("%*s%s", column->kind == CELL_NUMBER ? padding : 0, "", color);
	put_text(text, width);
	(void)fputs(*color ? OFF : "", stdout);
	if (!last)
		(void)printf("%*s", (column->kind == CELL_NUMBER ? 0 : padding) + GAP, "");
}

static void put_row(const struct page *page, const char *const *cells, const size_t *widths)
{
	for (size_t i = 0; i < page->count; i++)
		put(page, i, cells[i], widths[i]);
	(void)putchar('\n');
}

static bool is_empty(const char *key, const json_t *rows)
{
	size_t index;
	json_t *row;

	json_array_foreach(rows, index, row)
	{
		const json_t *value = json_object_get(row, key);
		const char *text = json_string_value(value);
		if (value && !json_is_null(value) && !(text && !*text))
			return false;
	}
	return json_array_size(rows) > 0;
}

/* Removes columns without any value, because room is limited on a terminal. */
static void leave_out(struct page *page, const json_t *rows)
{
	struct column *left = arena_array(page->arena, page->count, sizeof(*left));
	size_t count = 0;

	if (page->wide)
		return;
	for (size_t i = 0; i < page->count; i++)
		if (page->columns[i].kind != CELL_DETAIL && !is_empty(page->columns[i].key, rows))
			left[count++] = page->columns[i];
	page->columns = left;
	page->count = count;
}

/*
 * Finds the widest column of these kinds that is wider than `least` and its floor; of equal ones
 * the last. Returns the number of columns if there is none.
 */
static size_t widest(const struct page *page, unsigned kinds, size_t least, const size_t *widths,
		     const size_t *floors)
{
	size_t found = page->count;

	for (size_t i = 0; i < page->count; i++)
		if (kinds & 1U << page->columns[i].kind && widths[i] > least &&
		    widths[i] > floors[i]) {
			found = i;
			least = widths[i] - 1;
		}
	return found;
}

static size_t line_width(const struct page *page, const size_t *widths)
{
	size_t width = page->count > 0 ? (page->count - 1) * GAP : 0;

	for (size_t i = 0; i < page->count; i++)
		width += widths[i];
	return width;
}

/*
 * Narrows the widest columns until the line fits: first long texts, then ages, then the titles of
 * numbers and spans, then dates, times and other short texts, then names.
 */
static void shrink(const struct page *page, size_t *widths, const size_t *floors)
{
	static const struct {
		unsigned kinds;
		size_t least;
	} steps[] = {
		{ 1U << CELL_TEXT, 16 }, { 1U << CELL_TIME, 21 },
		{ 1U << CELL_TEXT, 11 }, { EXACT, 6 },
		{ OTHERS, 6 },           { EXACT, 4 },
		{ 1U << CELL_NAME, 24 },
	};
	size_t width = line_width(page, widths);

	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		size_t column = widest(page, steps[i].kinds, steps[i].least, widths, floors);
		for (; width > page->width && column < page->count; width--) {
			widths[column]--;
			column = widest(page, steps[i].kinds, steps[i].least, widths, floors);
		}
	}
}

/* If the line still does not fit, drops the last columns; a single column is cut at the edge. */
static void fit(struct page *page, size_t *widths, const size_t *floors)
{
	const size_t size = page->count * sizeof(*widths);
	size_t *whole = arena_array(page->arena, page->count, sizeof(*whole));

	if (page->width == 0 || page->count == 0)
		return;
	memcpy(whole, widths, size);
	shrink(page, widths, floors);
	while (page->count > 1 && line_width(page, widths) > page->width) {
		page->count--;
		memcpy(widths, whole, size);
		shrink(page, widths, floors);
	}
	if (widths[0] > page->width)
		widths[0] = page->width;
}

static void put_table(struct page *page, const json_t *rows)
{
	leave_out(page, rows);
	size_t count = json_array_size(rows) + 1;
	const char **cells = arena_array(page->arena, count * page->count, sizeof(*cells));
	size_t *widths = arena_array(page->arena, page->count, sizeof(*widths));
	size_t *floors = arena_array(page->arena, page->count, sizeof(*floors));

	for (size_t i = 0; i < count * page->count; i++) {
		size_t column = i % page->count;
		const json_t *row =
			i < page->count ? NULL : json_array_get(rows, i / page->count - 1);
		cells[i] =
			row ? cell(page, &page->columns[column], row) : page->columns[column].title;
		size_t width = cell_characters(cells[i]);
		if (width > widths[column])
			widths[column] = width;
		bool exact = EXACT & 1U << page->columns[column].kind;
		if (row && exact && width > floors[column])
			floors[column] = width;
	}
	size_t stride = page->count;
	fit(page, widths, floors);
	if (page->color)
		(void)fputs(BOLD, stdout);
	put_row(page, cells, widths);
	if (page->color)
		(void)fputs(OFF, stdout);
	for (size_t i = 1; i < count; i++)
		put_row(page, cells + i * stride, widths);
}

void table_print(const struct cli *cli, const struct column columns[], json_t *rows)
{
	if (cli->json) {
		json_print(cli, rows);
		return;
	}
	struct page page = open_page(cli, columns);
	put_table(&page, rows);
	arena_free(page.arena);
	json_decref(rows);
}

static void put_record(const struct page *page, const json_t *record)
{
	size_t width = 0;

	for (size_t i = 0; i < page->count; i++)
		if (cell_characters(page->columns[i].title) > width)
			width = cell_characters(page->columns[i].title);
	for (size_t i = 0; i < page->count; i++) {
		const struct column *column = &page->columns[i];
		const json_t *value = json_object_get(record, column->key);
		if (!value || json_is_null(value))
			continue;
		const char *text = cell(page, column, record);
		const char *color = color_of(page, column, text);
		(void)printf("%s%-*s%s  %s%s%s\n", page->color ? BOLD : "", (int)width,
			     column->title, page->color ? OFF : "", color, text, *color ? OFF : "");
	}
}

void record_print(const struct cli *cli, const struct column columns[], json_t *record)
{
	if (cli->json) {
		json_print(cli, record);
		return;
	}
	struct page page = open_page(cli, columns);
	put_record(&page, record);
	arena_free(page.arena);
	json_decref(record);
}

const char *json_pretty(struct arena *arena, const json_t *value)
{
	char *text =
		wide_json_dump(value, JSON_INDENT(2) | JSON_ENCODE_ANY | JSON_REAL_PRECISION(15));

	if (!text)
		out_of_memory();
	const char *copy = cell_escape(arena, text);
	free(text);
	return copy;
}

void json_print(const struct cli *cli, json_t *value)
{
	if (cli->json) {
		struct arena *arena = arena_new();
		(void)puts(json_pretty(arena, value));
		arena_free(arena);
	}
	json_decref(value);
}

void text_print(const struct cli *cli, const char *text)
{
	if (cli->json)
		return;
	struct arena *arena = arena_new();
	(void)puts(cell_clean(arena, text));
	arena_free(arena);
}

void say(const struct cli *cli, const char *format, ...)
{
	va_list args;

	if (cli->json || cli->quiet)
		return;
	struct arena *arena = arena_new();
	va_start(args, format);
	(void)puts(cell_clean(arena, arena_vprintf(arena, format, args)));
	va_end(args);
	arena_free(arena);
}
