/* Each role is whole: its section of queue.yml, its unit, and what any supervisor asks of it. */
#include "config/settings/setting.h"
#include "supervisor/roles.h"
#include "tests/support/test.h"

static size_t count_roles(void)
{
	size_t count = 0;

	while (all_roles[count])
		count++;
	return count;
}

CASE(each_section_is_of_one_role)
{
	const struct setting *row;
	size_t sections = 0;

	for (row = setting_next_role(NULL); row; row = setting_next_role(row))
		sections++;
	assert_int_equal(sections, count_roles());
	for (size_t i = 0; i < sections; i++) {
		row = setting_find(&queue_settings, all_roles[i]->section);
		assert_true(row && row->role && row->group);
		for (size_t j = 0; j < i; j++)
			assert_string_not_equal(all_roles[i]->section, all_roles[j]->section);
	}
}

/* A template for one that is in a list. */
ARENA_CASE(each_role_has_a_unit)
{
	static const char folder[] = SOURCE_DIR "/packaging/systemd";

	for (size_t i = 0; all_roles[i]; i++) {
		const char *word = all_roles[i]->word;
		const char *one = arena_printf(arena, "%s/dray-%s.service.in", folder, word);
		const char *many = arena_printf(arena, "%s/dray-%s@.service.in", folder, word);
		if (access(one, R_OK) != 0 && access(many, R_OK) != 0)
			fail_msg("%s has no unit in packaging/systemd", word);
	}
}

CASE(what_every_role_has)
{
	for (size_t i = 0; all_roles[i]; i++) {
		const struct role *role = all_roles[i];
		assert_true(role->kind && role->word);
		assert_true(role->start && role->tick && role->close && role->describe);
		assert_in_range(role->tier, TIER_FEEDERS, TIER_WORKERS);
		assert_true(!role->adopt == !role->adopts);
	}
}
