/* The host's clock, with SQLite also the database's, is set while the deployment runs. */
#include "tests/chaos/cells.h"

#define SPELL (1500 * CLOCK_MILLISECOND)

static void set_clock(const struct field *field, int64_t seconds_ahead)
{
	int fd = open(site_path(field->site, "clock"), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(pwrite(fd, &seconds_ahead, sizeof(seconds_ahead), 0),
			 (ssize_t)sizeof(seconds_ahead));
	close(fd);
}

/* Children of jobs too; the traces of jobs are timed by the kernel. */
void cell_clock_start(struct field *field)
{
	struct site *site = field->site;

	set_clock(field, 0);
	const char *preload = "LD_PRELOAD=" SET_CLOCK;
	site->start = site_spawn(site, "/usr/bin/env",
				 (const char *[]){ preload,
						   arena_printf(field->arena, "CLOCK_AHEAD=%s",
								site_path(site, "clock")),
						   getenv("DRAY_BINARY"), "start", NULL });
	site_await_rows(site, NULL, FIELD_PROCESSES);
}

void cell_clock_jumps(struct field *field)
{
	static const int64_t jumps[] = { 3600, -3600, 0 };

	for (size_t i = 0; i < sizeof(jumps) / sizeof(jumps[0]); i++) {
		set_clock(field, jumps[i]);
		clock_sleep(SPELL);
	}
	/* Nobody was taken for dead because an hour went by at once. */
	assert_int_equal(field_logged(field, "\"processes.pruned\""), 0);
}
