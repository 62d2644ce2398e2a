/* Each row of the tables of settings is whole, and what is shown of it can be read again. */
#include "config/files/reader.h"
#include "tests/support/test.h"

static const struct settings *const tables[] = {
	&queue_settings, &database_settings, &log_settings,  &jobs_settings,
	&class_settings, &limits_settings,   &stop_settings, &task_settings,
	&dst_settings,   &promise_settings,  &well_settings,
};
#define TABLES (sizeof(tables) / sizeof(tables[0]))

/* Large enough for any struct that the tables describe. */
struct base {
	_Alignas(max_align_t) char bytes[4096];
};

static bool read_text(struct arena *arena, const struct setting *row, const char *text,
		      struct base *base)
{
	struct node node = { .kind = NODE_SCALAR, .text = text };
	struct value_context context = { arena, report_new(arena), row->key, base->bytes };
	return setting_read(&context, row, &node) && !report_failed(context.report);
}

static void check_row(struct arena *arena, const struct setting *row)
{
	struct base base = { { 0 } };
	assert_true(row->description && *row->description);
	assert_non_null(setting_expected(row, arena));
	if (row->type != SETTING_TEXT)
		assert_true((row->minimum == NULL) == (row->maximum == NULL));
	setting_default(arena, row, base.bytes);
	if (row->minimum) {
		assert_true(read_text(arena, row, row->minimum, &base));
		assert_true(read_text(arena, row, row->maximum, &base));
	}
	if (!row->initial)
		return;
	assert_true(read_text(arena, row, row->initial, &base));
	const char *shown = setting_show(arena, row, base.bytes);
	struct base again = { { 0 } };
	assert_true(read_text(arena, row, shown, &again));
	assert_string_equal(setting_show(arena, row, again.bytes), shown);
}

static void check_table(struct arena *arena, const struct settings *table)
{
	assert_in_range(table->count, 1, SETTINGS_MAXIMUM);
	for (size_t i = 0; i < table->count; i++) {
		const struct setting *row = &table->rows[i];
		check_row(arena, row);
		assert_ptr_equal(setting_find(table, row->key), row); /* only once */
	}
}

ARENA_CASE(test_rows)
{
	const struct setting *row;

	for (size_t i = 0; i < TABLES; i++)
		check_table(arena, tables[i]);
	for (row = setting_next_role(NULL); row; row = setting_next_role(row))
		check_table(arena, row->group);
}

ARENA_CASE(test_round_trips)
{
	static const char *const durations[] = {
		"1d", "1h30m", "90s", "250ms", "1500us", "0.1", "0"
	};
	static const char *const shown[] = { "1d",       "1h30m", "1m30s", "250ms",
					     "1ms500us", "100ms", "0s" };
	const struct setting *row = setting_find(&queue_settings, "shutdown_timeout");
	for (size_t i = 0; i < sizeof(durations) / sizeof(durations[0]); i++) {
		struct base base = { { 0 } };
		assert_true(read_text(arena, row, durations[i], &base));
		assert_string_equal(setting_show(arena, row, base.bytes), shown[i]);
	}
	row = setting_find(&limits_settings, "memory");
	struct base base = { { 0 } };
	assert_true(read_text(arena, row, "1537K", &base));
	assert_string_equal(setting_show(arena, row, base.bytes), "1537K");
	assert_true(read_text(arena, row, "2048M", &base));
	assert_string_equal(setting_show(arena, row, base.bytes), "2G");
}
