#include "cli/output/page.h"

#define TEXTS (1U << CELL_TEXT | 1U << CELL_STORY | 1U << CELL_DETAIL)

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

void page_leave_out(struct page *page, const json_t *rows)
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

size_t page_line(const struct page *page, const struct grid *grid)
{
	return line_width(page, grid->widths);
}

/* Narrows the widest columns until the line fits: texts, then titles, then names. */
static void shrink(const struct page *page, size_t *widths, const size_t *floors)
{
	static const struct {
		unsigned kinds;
		size_t least;
	} steps[] = {
		{ TEXTS, 16 },
		{ TEXTS, 11 },
		{ EXACT, 7 },
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

static size_t dispensable(const struct page *page, const json_t *rows)
{
	for (size_t i = page->count - 1; i > 0; i--)
		if (page->columns[i].kind == CELL_NUMBER && is_zero(page->columns[i].key, rows))
			return i;
	for (size_t i = page->count - 1; i > 0; i--)
		if (TEXTS & 1U << page->columns[i].kind)
			return i;
	return page->count - 1;
}

void page_drop(struct page *page, const json_t *rows)
{
	size_t column = dispensable(page, rows);
	struct column *left = arena_array(page->arena, page->count, sizeof(*left));
	size_t count = 0;

	for (size_t i = 0; i < page->count; i++)
		if (i != column)
			left[count++] = page->columns[i];
	page->columns = left;
	page->count = count;
}

bool page_fits(const struct page *page, struct grid *grid)
{
	if (page->width == 0)
		return true;
	shrink(page, grid->widths, grid->floors);
	return line_width(page, grid->widths) <= page->width;
}
