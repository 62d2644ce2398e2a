/*
 * What commands print to standard output (the rules are in table.h). A table on a terminal is made
 * to fit before anything is written: columns of nothing are left out, titles are shortened, the
 * widest texts are narrowed step by step, and then columns go. Numbers, times and states are never
 * cut, because half of a number is another number. To a pipe everything is written as it is.
 */
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

/* Lines and JSON */

const char *json_pretty(struct arena *arena, const json_t *value)
{
	char *text = wide_json_dump(value, JSON_INDENT(2) | JSON_ENCODE_ANY);

	if (!text)
		out_of_memory();
	const char *copy = cell_escape(arena, text);
	free(text);
	return copy;
}

const char *json_line(struct arena *arena, const json_t *texts)
{
	const char *line = json_string_value(json_array_get(texts, 0));

	for (size_t i = 1; i < json_array_size(texts); i++)
		line = arena_printf(arena, "%s, %s", line,
				    json_string_value(json_array_get(texts, i)));
	return line ? arena_strdup(arena, line) : NULL;
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

/* The page: which columns a table has, and how wide they are */

#define GAP 2

/* Cells that are never cut, only their titles. */
#define EXACT                                                                                      \
	(1U << CELL_NUMBER | 1U << CELL_SPAN | 1U << CELL_TIME | 1U << CELL_BOOL | 1U << CELL_STATE)

/* The state of one printing. */
struct page {
	struct arena *arena;
	const struct column *columns;
	size_t count;
	bool terminal;
	bool wide;  /* print every column and uncut cells; also set for a pipe */
	bool table; /* not a record, whose lines have room */
	bool brief; /* lines are too long */
	bool color;
	size_t width; /* columns of the terminal; 0 = no limit */
	int64_t now;
};

/* The cells of a table, and the widths of its columns. */
struct grid {
	size_t lines; /* the titles and the rows */
	const char **cells;
	size_t *widths;
	size_t *floors; /* what they cannot be narrower than */
};

#define TEXTS (1U << CELL_TEXT | 1U << CELL_STORY | 1U << CELL_DETAIL)
#define NAMES (1U << CELL_NAME | 1U << CELL_WHOLE)

/* Cells that go on in further lines. */
#define FLOWING (1U << CELL_STORY | 1U << CELL_WHOLE)

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
static void page_leave_out(struct page *page, const json_t *rows)
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
 * Narrows the widest columns until the line fits: texts, then titles, then names; these further
 * only where a time or a state would have to go.
 */
static void shrink(const struct page *page, size_t *widths, const size_t *floors, bool bare)
{
	static const struct {
		unsigned kinds;
		size_t least;
	} steps[] = {
		{ TEXTS, 16 }, { TEXTS, 11 }, { EXACT, 7 }, { NAMES, 24 }, { NAMES, 12 },
	};
	const size_t count = sizeof(steps) / sizeof(steps[0]) - (bare ? 0 : 1);
	size_t width = line_width(page, widths);

	for (size_t i = 0; i < count; i++) {
		size_t column = widest(page, steps[i].kinds, steps[i].least, widths, floors);
		for (; width > page->width && column < page->count; width--) {
			widths[column]--;
			column = widest(page, steps[i].kinds, steps[i].least, widths, floors);
		}
	}
}

/* Is there nothing but 0 in it? */
static bool is_zero(const char *key, const json_t *rows)
{
	size_t index;
	json_t *row;

	json_array_foreach(rows, index, row)
	{
		const json_t *value = json_object_get(row, key);
		if (json_number_value(value) != 0 || json_is_string(value))
			return false;
	}
	return true;
}

/* A number that is 0 everywhere, or a text: the last of them; 0 = none. Never the first column. */
static size_t dispensable(const struct page *page, const json_t *rows)
{
	for (size_t i = page->count - 1; i > 0; i--)
		if (page->columns[i].kind == CELL_NUMBER && is_zero(page->columns[i].key, rows))
			return i;
	for (size_t i = page->count - 1; i > 0; i--)
		if (TEXTS & 1U << page->columns[i].kind)
			return i;
	return 0;
}

/* Removes what a line that is too long goes without. */
static void page_drop(struct page *page, const json_t *rows)
{
	const size_t found = dispensable(page, rows);
	const size_t column = found > 0 ? found : page->count - 1;
	struct column *left = arena_array(page->arena, page->count, sizeof(*left));
	size_t count = 0;

	for (size_t i = 0; i < page->count; i++)
		if (i != column)
			left[count++] = page->columns[i];
	page->columns = left;
	page->count = count;
}

/* Narrows the widest columns as far as that may be: does a line fit now? */
static bool page_fits(const struct page *page, struct grid *grid, const json_t *rows)
{
	if (page->width == 0)
		return true;
	shrink(page, grid->widths, grid->floors, dispensable(page, rows) == 0);
	return line_width(page, grid->widths) <= page->width;
}

/* Printing */

#define BOLD "\033[1m"
#define OFF  "\033[0m"

#define ELLIPSIS "\u2026"

bool color_wanted(const struct cli *cli, bool terminal)
{
	const char *no_color = getenv("NO_COLOR");
	const char *term = getenv("TERM");

	if (cli->color != COLOR_AUTO)
		return cli->color == COLOR_ALWAYS;
	return terminal && !(no_color && *no_color) && !(term && strcmp(term, "dumb") == 0);
}

size_t terminal_width(const struct cli *cli)
{
	struct winsize size;

	if (cli->wide || isatty(STDOUT_FILENO) != 1 || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0)
		return 0;
	return size.ws_col;
}

static struct page open_page(const struct cli *cli, const struct column columns[])
{
	struct page page = { .arena = arena_new(),
			     .columns = columns,
			     .terminal = isatty(STDOUT_FILENO) == 1,
			     .now = clock_wall() };

	while (columns[page.count].key)
		page.count++;
	page.color = color_wanted(cli, page.terminal);
	page.wide = cli->wide || !page.terminal;
	page.width = terminal_width(cli);
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
	clock_span(clock_whole(distance), span);
	if (page->table && !page->wide)
		return arena_printf(page->arena, "%s%s%s", past ? "" : "in ", span,
				    past ? " ago" : "");
	return arena_printf(page->arena, "%.19sZ (%s%s%s)", iso, past ? "" : "in ", span,
			    past ? " ago" : "");
}

static const char *plain_cell(const struct page *page, const json_t *value)
{
	if (json_is_string(value))
		return cell_clean(page->arena, json_string_value(value));
	if (json_is_boolean(value))
		return json_is_true(value) ? "yes" : "no";
	char *text = wide_json_dump(value, JSON_COMPACT | JSON_ENCODE_ANY);
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

/* What of a text fits into `width` columns; if it is longer, the last one is an ellipsis. */
static const char *cut(const struct page *page, const char *text, size_t width)
{
	if (cell_columns(text) <= width)
		return text;
	return arena_printf(page->arena, "%.*s" ELLIPSIS, cell_bytes(text, width - 1), text);
}

/* The bytes of a longer text that go on a line of `width` characters: up to the last space, if any.
 */
static size_t line_bytes(const char *text, size_t width)
{
	size_t room = (size_t)cell_bytes(text, width);

	for (size_t at = room; at > 0; at--)
		if (text[at] == ' ')
			return at;
	return room > 0 ? room : strlen(text);
}

/* What of a text goes on this line of `width` characters; the rest is left for the next one. */
static const char *take_line(const struct page *page, const char **text, size_t width)
{
	const char *line = *text;

	if (cell_columns(line) <= width) {
		*text = "";
		return line;
	}
	size_t bytes = line_bytes(line, width);
	*text += bytes;
	*text += **text == ' ';
	return arena_printf(page->arena, "%.*s", (int)bytes, line);
}

/* Prints one cell; `last`: nothing follows it on its line, else it is padded up to the next. */
static void put(const struct page *page, size_t index, const char *text, size_t width, bool last)
{
	const struct column *column = &page->columns[index];
	const char *color = color_of(page, column, text);
	const char *shown = cut(page, text, width);
	size_t length = cell_columns(shown);
	int padding = width > length ? (int)(width - length) : 0;

	(void)printf("%*s%s", column->kind == CELL_NUMBER ? padding : 0, "", color);
	(void)fputs(shown, stdout);
	(void)fputs(*color ? OFF : "", stdout);
	if (!last)
		(void)printf("%*s", (column->kind == CELL_NUMBER ? 0 : padding) + GAP, "");
}

/* Prints a line of the first `count` columns. Returns how many of them the next line has. */
static size_t put_line(const struct page *page, const char **rest, const size_t *widths,
		       size_t count)
{
	size_t left = 0;

	for (size_t i = 0; i < count; i++) {
		const char *text = rest[i];
		if (FLOWING & 1U << page->columns[i].kind)
			text = take_line(page, &rest[i], widths[i]);
		else
			rest[i] = "";
		if (*rest[i])
			left = i + 1;
		put(page, i, text, widths[i], i + 1 == count);
	}
	(void)putchar('\n');
	return left;
}

static void put_row(const struct page *page, const char *const *cells, const size_t *widths)
{
	const char **rest = arena_array(page->arena, page->count, sizeof(*rest));
	size_t count = page->count;

	memcpy(rest, cells, count * sizeof(*rest));
	while (count > 0)
		count = put_line(page, rest, widths, count);
}

static void measure(struct grid *grid, const struct page *page, size_t line, size_t column,
		    const char *text)
{
	size_t width = cell_columns(text);
	bool exact = EXACT & 1U << page->columns[column].kind;

	if (width > grid->widths[column])
		grid->widths[column] = width;
	if (line > 0 && exact && width > grid->floors[column])
		grid->floors[column] = width;
}

static const char *title(const struct page *page, const struct column *column)
{
	return page->brief && column->brief ? column->brief : column->title;
}

static struct grid lay_out(const struct page *page, const json_t *rows)
{
	struct grid grid = { .lines = json_array_size(rows) + 1 };

	grid.cells = arena_array(page->arena, grid.lines * page->count, sizeof(*grid.cells));
	grid.widths = arena_array(page->arena, page->count, sizeof(*grid.widths));
	grid.floors = arena_array(page->arena, page->count, sizeof(*grid.floors));
	for (size_t line = 0; line < grid.lines; line++)
		for (size_t i = 0; i < page->count; i++) {
			const struct column *column = &page->columns[i];
			const char *text =
				line == 0 ? title(page, column)
					  : cell(page, column, json_array_get(rows, line - 1));
			grid.cells[line * page->count + i] = text;
			measure(&grid, page, line, i, text);
		}
	return grid;
}

/* A single column is cut at the edge. */
static struct grid fit(struct page *page, const json_t *rows)
{
	struct grid grid = lay_out(page, rows);

	if (page->width > 0 && line_width(page, grid.widths) > page->width) {
		page->brief = true;
		grid = lay_out(page, rows);
	}
	while (!page_fits(page, &grid, rows) && page->count > 1) {
		page_drop(page, rows);
		grid = lay_out(page, rows);
	}
	if (page->width > 0 && grid.widths[0] > page->width)
		grid.widths[0] = page->width;
	return grid;
}

static void put_table(struct page *page, const json_t *rows)
{
	page_leave_out(page, rows);
	if (page->count == 0)
		return;
	struct grid grid = fit(page, rows);
	if (page->color)
		(void)fputs(BOLD, stdout);
	put_row(page, grid.cells, grid.widths);
	if (page->color)
		(void)fputs(OFF, stdout);
	for (size_t i = 1; i < grid.lines; i++)
		put_row(page, grid.cells + i * page->count, grid.widths);
}

void table_print(const struct cli *cli, const struct column columns[], json_t *rows)
{
	if (cli->json) {
		json_print(cli, rows);
		return;
	}
	struct page page = open_page(cli, columns);
	page.table = true;
	put_table(&page, rows);
	arena_free(page.arena);
	json_decref(rows);
}

static void put_record(const struct page *page, const json_t *record)
{
	size_t width = 0;

	for (size_t i = 0; i < page->count; i++)
		if (cell_columns(page->columns[i].title) > width)
			width = cell_columns(page->columns[i].title);
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
