#include "cli/output/table.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/output/cells.h"
#include "cli/output/page.h"
#include "common/clock.h"
#include "queue/payload/wide_json.h"

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
	clock_span(distance - distance % CLOCK_SECOND, span);
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

/* Prints the first `width` characters of a text; if it is longer, the last one is an ellipsis. */
static void put_text(const char *text, size_t width)
{
	if (cell_characters(text) > width)
		(void)printf("%.*s" ELLIPSIS, cell_bytes(text, width - 1), text);
	else
		(void)fputs(text, stdout);
}

/* The bytes of a longer text that go on a line of `width` characters: up to the last space, if any.
 */
static size_t line_bytes(const char *text, size_t width)
{
	size_t room = (size_t)cell_bytes(text, width);

	for (size_t at = room; at > 0; at--)
		if (text[at] == ' ')
			return at;
	return room;
}

/* Prints a text on lines of at most `width` characters, `indent` from the left. */
static void put_story(const char *text, size_t width, size_t indent)
{
	while (width > 0 && cell_characters(text) > width) {
		size_t bytes = line_bytes(text, width);
		(void)printf("%.*s\n%*s", (int)bytes, text, (int)indent, "");
		text += bytes;
		text += *text == ' ';
	}
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
	size_t indent = 0;

	for (size_t i = 0; i < page->count; i++) {
		if (page->columns[i].kind == CELL_STORY && i + 1 == page->count)
			put_story(cells[i], widths[i], indent);
		else
			put(page, i, cells[i], widths[i]);
		indent += widths[i] + GAP;
	}
	(void)putchar('\n');
}

static void measure(struct grid *grid, const struct page *page, size_t line, size_t column,
		    const char *text)
{
	size_t width = cell_characters(text);
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

	if (page->width > 0 && page_line(page, &grid) > page->width) {
		page->brief = true;
		grid = lay_out(page, rows);
	}
	while (!page_fits(page, &grid) && page->count > 1) {
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
