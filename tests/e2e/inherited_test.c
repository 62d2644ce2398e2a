/* A parent may ignore signals, close descriptors and mask every bit of a file's mode. */
#include "tests/support/sites/site.h"
#include "tests/support/sites/terminal.h"

TEST(what_a_parent_has_left_does_no_harm)
{
	struct site *site = site_open(*state);
	struct stat made;

	site->start = site_spawn(site, "/bin/sh",
				 (const char *[]){ "-c",
						   "trap '' CHLD TERM HUP USR1 USR2 QUIT ALRM\n"
						   "umask 777\n"
						   "exec \"$0\" start 0<&-",
						   getenv("DRAY_BINARY"), NULL });
	site_await_rows(site, NULL, 3);
	site_run(site, "Touch", "made");
	assert_int_equal(stat(site_path(site, "made"), &made), 0);
	assert_int_equal(made.st_mode & 0777, 0600);
	(void)site_stop(site, SIGTERM);
	site_close(site);
}

/* HUP of nohup's kind has no effect, and `dray reload` still has. */
TEST(an_ignored_hangup_stays_ignored)
{
	struct site *site = site_open(*state);

	site->start = site_spawn(site, "/bin/sh",
				 (const char *[]){ "-c", "trap '' HUP\nexec \"$0\" start",
						   getenv("DRAY_BINARY"), NULL });
	site_await_rows(site, NULL, 3);
	assert_int_equal(kill(site->start.pid, SIGHUP), 0);
	(void)site_dray(site, "reload");
	assert_int_equal(site_logged(site, "\"reload.begun\""), 1);
	(void)site_stop(site, SIGTERM);
	site_close(site);
}

/* As when a connection by ssh breaks. */
TEST(a_terminal_that_is_gone_ends_it)
{
	struct site *site = site_open(*state);
	const struct test_command command = {
		.arguments = (const char *const[]){ "start", NULL },
		.directory = site->directory,
	};
	struct terminal terminal;

	terminal_open(&terminal, &command, 80);
	site_await_rows(site, NULL, 3);
	assert_int_equal(close(terminal.fd), 0);
	assert_int_equal(test_wait_exit(terminal.pid, CLOCK_MINUTE), 0);
	text_free(&terminal.seen);
	site_close(site);
}

/* As long as it is there the same signal is a reload. */
TEST(a_hangup_with_the_terminal_still_there_reloads)
{
	struct site *site = site_open(*state);
	const struct test_command command = {
		.arguments = (const char *const[]){ "start", NULL },
		.directory = site->directory,
	};
	struct terminal terminal;

	terminal_open(&terminal, &command, 80);
	site_await_rows(site, NULL, 3);
	assert_int_equal(kill(terminal.pid, SIGHUP), 0);
	terminal_await(&terminal, "reload.done");
	assert_int_equal(kill(terminal.pid, SIGTERM), 0);
	(void)terminal_close(site->arena, &terminal, 0);
	site_close(site);
}
