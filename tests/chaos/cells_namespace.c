/* An instance in a network namespace, as on another host, whose cable is pulled. */
#include "tests/chaos/cells.h"

#define PATIENCE (60 * CLOCK_SECOND)

static struct forwarder gate; /* from the link to the server, which listens on loopback only */

/* By this process's number, so that two suites do not meet. The addresses are for measurements. */
static const char *name(const struct field *field, const char *what)
{
	return arena_printf(field->arena, "dray%s%d", what, (int)getpid() % 100000);
}

static const char *address(const struct field *field, int host)
{
	int own = (int)getpid() % 0x4000 * 4 + host; /* in 198.18.0.0/16, a /30 each */

	return arena_printf(field->arena, "198.18.%d.%d", own >> 8, own & 0xff);
}

/* Runs it quietly; was its exit status 0? */
static bool run(const char *const *argv)
{
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0) {
		if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr))
			_exit(126);
		execvp(argv[0], (char *const *)argv);
		_exit(127);
	}
	return test_wait_exit(pid, PATIENCE) == 0;
}

#define RUN(...) run((const char *const[]){ __VA_ARGS__, NULL })

static void take_down(const struct field *field)
{
	(void)RUN("ip", "link", "del", name(field, "h"));
	(void)RUN("ip", "netns", "del", name(field, "n"));
}

static bool set_up(const struct field *field)
{
	const char *space = name(field, "n");
	const char *here = name(field, "h");
	const char *there = name(field, "t");
	const char *width = "/30";

	take_down(field); /* of a process with this number that was killed */
	return RUN("ip", "netns", "add", space) &&
	       RUN("ip", "link", "add", here, "type", "veth", "peer", "name", there, "netns",
		   space) &&
	       RUN("ip", "addr", "add",
		   arena_printf(field->arena, "%s%s", address(field, 1), width), "dev", here) &&
	       RUN("ip", "link", "set", here, "up") &&
	       RUN("ip", "-n", space, "addr", "add",
		   arena_printf(field->arena, "%s%s", address(field, 2), width), "dev", there) &&
	       RUN("ip", "-n", space, "link", "set", there, "up");
}

const char *cell_namespace_missing(const struct field *field)
{
	bool possible = set_up(field);

	take_down(field);
	return possible ? NULL : "no network namespace with a link to it can be made here";
}

/* The other instance is the site's own; this one reaches its server through the link. */
void cell_namespace_start(struct field *field)
{
	const char *away = "config/away.yml";
	const char *authority = strchr(field->url, '@');

	assert_true(set_up(field));
	forwarder_start_on(&gate, address(field, 1), "127.0.0.1", field->server->port);
	field_write_config(field, away,
			   arena_printf(field->arena, "%.*s@%s:%d/jobs",
					(int)(authority - field->url), field->url,
					address(field, 1), gate.port));
	field->second = site_spawn(field->site, "/bin/sh",
				   (const char *[]){ "-c", "exec ip netns exec \"$0\" \"$@\"",
						     name(field, "n"), getenv("DRAY_BINARY"),
						     "start", "--config-file", away, NULL });
	site_start(field->site, (size_t)2 * FIELD_PROCESSES);
}

/* The link comes back when the others have begun to bury this instance. */
void cell_namespace_cut_off(struct field *field)
{
	assert_true(RUN("ip", "link", "set", name(field, "h"), "down"));
	field_await_log(field, "\"processes.pruned\"");
	assert_true(RUN("ip", "link", "set", name(field, "h"), "up"));
	field_await_loss(field);
}

void cell_namespace_end(struct field *field)
{
	if (gate.pid > 0)
		forwarder_stop(&gate);
	gate.pid = 0;
	take_down(field);
}
