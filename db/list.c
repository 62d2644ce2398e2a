/* Lists of values, and the texts in which they travel. */
#include <string.h>

#include "common/clock.h"
#include "common/text/text.h"
#include "db/driver.h"

/*
 * A part of a list is not much larger than this, as JSON: a statement's values must fit into the
 * server's largest packet, which is 16 MiB where it is smallest.
 */
#define PART_BYTES ((size_t)4 << 20)
#define CELL_BYTES 24 /* a number, and the column's name */

void db_list_add(struct db_list *list, const char *columns, const struct db_value row[],
		 size_t width)
{
	const size_t used = list->count * width;

	list->columns = columns;
	list->width = width;
	list->cells =
		arena_extend(list->arena, list->cells, list->count, width * sizeof(*list->cells));
	for (size_t i = 0; i < width; i++) {
		struct db_value *cell = &list->cells[used + i];
		*cell = row[i];
		if (cell->type == DB_TEXT && !cell->text)
			cell->type = DB_NULL;
		else if (cell->type == DB_TEXT)
			cell->count = strlen(cell->text);
	}
	list->count++;
}

/* At least what text_json_part makes of it. */
static size_t text_bytes(const char *text, size_t length)
{
	size_t bytes = length;

	for (size_t i = 0; i < length; i++) {
		const unsigned char c = (unsigned char)text[i];
		if (c == '"' || c == '\\')
			bytes += 1;
		else if (c >= 0x80) /* it may be replaced by U+FFFD */
			bytes += 2;
		else if (c < ' ' || c == 0x7f)
			bytes += 5;
	}
	return bytes;
}

static size_t row_bytes(const struct db_list *list, size_t row)
{
	size_t bytes = list->width * CELL_BYTES;

	for (size_t i = 0; i < list->width; i++) {
		const struct db_value *cell = &list->cells[row * list->width + i];
		if (cell->type == DB_TEXT)
			bytes += text_bytes(cell->text, cell->count);
	}
	return bytes;
}

bool db_part_next(struct db_part *part, const struct db_list *list, const struct db_list *beside)
{
	size_t bytes = 0;
	size_t more = 0;
	size_t row = part->first + part->count;

	*part = (struct db_part){ .first = (unsigned)row };
	for (; row < list->count && bytes < PART_BYTES && more < PART_BYTES; row++) {
		bytes += row_bytes(list, row);
		more += beside && row < beside->count ? row_bytes(beside, row) : 0;
		part->count++;
	}
	return part->count > 0;
}

static void add_cell(struct text *json, const struct db_value *cell)
{
	char time[CLOCK_TEXT_SIZE];

	if (cell->type == DB_TEXT) {
		text_json_part(json, cell->text, cell->count, SIZE_MAX);
	} else if (cell->type == DB_TIME) {
		clock_format_short(cell->number, time);
		text_json(json, time);
	} else {
		text_number(json, cell->number);
	}
}

/* The columns are as cmake/embed_sql.cmake writes them: `,"name":`, each with its NUL. */
static void add_row(struct text *json, const struct db_list *list, size_t row)
{
	const char *column = list->columns;
	size_t skip = 1; /* the first comma */

	text_append(json, "{", 1);
	for (size_t i = 0; i < list->width; i++) {
		const struct db_value *cell = &list->cells[row * list->width + i];
		const size_t length = strlen(column);
		if (cell->type > DB_NULL) {
			text_append(json, column + skip, length - skip);
			add_cell(json, cell);
			skip = 0;
		}
		column += length + 1;
	}
	text_append(json, "}", 1);
}

static void add_rows(struct text *json, const struct db_value *value)
{
	const struct db_list *list = value->rows;

	text_append(json, "[", 1);
	for (size_t i = 0; i < value->count && value->first + i < list->count; i++) {
		text_append(json, ",", i > 0 ? 1 : 0);
		add_row(json, list, value->first + i);
	}
	text_append(json, "]", 1);
}

static void add_ids(struct text *text, enum db_dialect dialect, const struct db_value *value)
{
	const bool array = dialect == DB_POSTGRESQL;

	text_append(text, array ? "{" : "[", 1);
	for (size_t i = 0; i < value->count; i++) {
		text_append(text, ",", i > 0 ? 1 : 0);
		text_number(text, value->ids[i]);
	}
	text_append(text, array ? "}" : "]", 1);
}

static bool is_list(const struct db_value *value)
{
	return value->type >= DB_IDS;
}

static void bind(struct arena *arena, enum db_dialect dialect, struct db_value *value)
{
	struct text text = { 0 };

	if (value->type == DB_ROWS)
		add_rows(&text, value);
	else if (value->type == DB_TEXTS)
		text_json_texts(&text, value->texts, value->count);
	else
		add_ids(&text, dialect, value);
	*value = P_TEXT(text_take(&text, arena));
}

const struct db_value *list_bind(struct arena *arena, enum db_dialect dialect,
				 const struct db_value values[], size_t count)
{
	struct db_value *bound = NULL;

	for (size_t i = 0; i < count; i++) {
		if (!is_list(&values[i]))
			continue;
		if (!bound) {
			bound = arena_array(arena, count, sizeof(*bound));
			memcpy(bound, values, count * sizeof(*bound));
		}
		bind(arena, dialect, &bound[i]);
	}
	return bound ? bound : values;
}
