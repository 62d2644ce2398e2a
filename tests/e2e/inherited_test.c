/* A parent may ignore signals, close descriptors and mask every bit of a file's mode. */
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "tests/support/sites/site.h"

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
	site_await(site, site_enqueue(site, "Touch", "made"), JOB_FINISHED);
	assert_int_equal(stat(site_path(site, "made"), &made), 0);
	assert_int_equal(made.st_mode & 0777, 0600);
	(void)site_stop(site, SIGTERM);
	site_close(site);
}
