#include "tests/support/servers/forwarder.h"
#include "tests/support/servers/postgresql.h"

/* For an answer that never comes. */
#define SHORT_TIMEOUT   (CLOCK_SECOND / 5)
/* Long enough for a busy machine to answer, short enough to be waited for. */
#define CONNECT_TIMEOUT (2 * CLOCK_SECOND)

/* A connection through a forwarder, and one around it to see what really happened. */
struct fixture {
	struct forwarder forwarder;
	struct connection *direct;
	struct connection *through;
	struct pg_script insert;
	struct pg_script select;
	struct pg_script guarded;
	struct arena *arena;
};

static void start_forwarder(struct forwarder *forwarder)
{
	struct arena *arena = arena_new();
	struct db_url url;

	must(url_parse, arena, pg_url(), &url);
	if (!url.host || url.host[0] == '/')
		fail_msg("DRAY_TEST_POSTGRESQL_URL must name a host: a socket file cannot be "
			 "forwarded");
	forwarder_start(forwarder, url.host, url.port ? url.port : 5432);
	arena_free(arena);
}

static struct connection *open_through(struct fixture *fixture)
{
	char options[64];

	snprintf(options, sizeof(options), "host=127.0.0.1&port=%d", fixture->forwarder.port);
	return pg_open(options, 0);
}

static int set_up(void **state)
{
	static struct fixture fixture;

	memset(&fixture, 0, sizeof(fixture));
	start_forwarder(&fixture.forwarder);
	pg_schema_make();
	fixture.arena = arena_new();
	fixture.direct = pg_open("", 0);
	fixture.through = open_through(&fixture);
	pg_script(&fixture.insert, "insert", false);
	pg_add(&fixture.insert, "INSERT INTO things (id) VALUES ($1)", 0);
	pg_add(&fixture.insert, "UPDATE things SET name = 'x' WHERE id = $1", 0);
	pg_script(&fixture.select, "select", true);
	pg_add(&fixture.select, "SELECT count(*) FROM things WHERE id = $1", PG_ROWS);
	pg_script(&fixture.guarded, "guarded", false);
	pg_add(&fixture.guarded, "UPDATE things SET name = 'y' WHERE id = $1", PG_GUARD);
	pg_add(&fixture.guarded, "DELETE FROM things WHERE id = $1", 0);
	*state = &fixture;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *fixture = *state;

	pg_close(fixture->through);
	pg_close(fixture->direct);
	arena_free(fixture->arena);
	pg_schema_drop();
	forwarder_stop(&fixture->forwarder);
	return 0;
}

static int need_server(void **state)
{
	(void)state;
	if (!getenv("DRAY_TEST_POSTGRESQL_URL")) {
		print_message("skipped: DRAY_TEST_POSTGRESQL_URL names no server\n");
		exit(0); /* NOLINT(concurrency-mt-unsafe): there is one thread */
	}
	return 0;
}

GROUP(need_server, NULL);

#define NETWORK_CASE(function)                                                                     \
	TEST_GIVEN(function, (struct fixture * fixture), function(*state), .set_up = set_up,       \
		   .tear_down = tear_down)

static enum status run(struct fixture *fixture, struct pg_script *script, int64_t number)
{
	struct db_value id = P_INT(number);

	return pg_run(fixture->through, fixture->arena, script, &id, NULL);
}

static int64_t count(const struct fixture *fixture)
{
	return pg_number(fixture->direct, "SELECT count(*) FROM things");
}

/* And a new connection works. */
static void assert_broken(struct fixture *fixture)
{
	assert_true(fixture->through->broken);
	pg_close(fixture->through);
	forwarder_mode(&fixture->forwarder, FORWARDER_PASS);
	fixture->through = open_through(fixture);
	assert_int_equal(run(fixture, &fixture->select, 1), STATUS_OK);
}

static unsigned turns_of(struct fixture *fixture, struct pg_script *script, int64_t number)
{
	unsigned before = forwarder_turns(&fixture->forwarder);
	enum status status = run(fixture, script, number);

	assert_true(status == STATUS_OK || status == STATUS_NONE);
	return forwarder_turns(&fixture->forwarder) - before;
}

NETWORK_CASE(a_run_is_one_round_trip)
{
	assert_int_equal(turns_of(fixture, &fixture->insert, 1), 1); /* prepares as well */
	assert_int_equal(turns_of(fixture, &fixture->insert, 2), 1);
	assert_int_equal(turns_of(fixture, &fixture->select, 1), 1);
	assert_int_equal(turns_of(fixture, &fixture->guarded, 1), 2);
	assert_int_equal(turns_of(fixture, &fixture->guarded, 9), 2);
	assert_int_equal(count(fixture), 1);
}

NETWORK_CASE(a_commit_whose_answer_is_lost_is_uncertain)
{
	forwarder_mode(&fixture->forwarder, FORWARDER_CUT_ANSWER);
	assert_int_equal(run(fixture, &fixture->insert, 1), STATUS_UNCERTAIN);
	print_message("%s\n", pg_error());
	assert_broken(fixture);
	assert_int_equal(count(fixture), 1);
}

NETWORK_CASE(a_commit_lost_on_its_way_is_uncertain)
{
	forwarder_mode(&fixture->forwarder, FORWARDER_CUT_REQUEST);
	assert_int_equal(run(fixture, &fixture->insert, 1), STATUS_UNCERTAIN);
	assert_broken(fixture);
	assert_int_equal(count(fixture), 0);
}

NETWORK_CASE(a_commit_without_an_answer_is_uncertain)
{
	forwarder_mode(&fixture->forwarder, FORWARDER_SILENT);
	fixture->through->call_timeout = SHORT_TIMEOUT;
	assert_int_equal(run(fixture, &fixture->insert, 1), STATUS_UNCERTAIN);
	print_message("%s\n", pg_error());
	/* The server got it all the same. */
	pg_await(fixture->direct, "SELECT count(*) FROM things", 1);
	assert_broken(fixture);
}

/* pg_terminate_backend between the commit and the wait for more: the answer came, so it counts. */
NETWORK_CASE(a_commit_before_the_end_of_the_connection_is_one)
{
	forwarder_mode(&fixture->forwarder, FORWARDER_DISMISS);
	assert_int_equal(run(fixture, &fixture->insert, 1), STATUS_OK);
	assert_broken(fixture);
	assert_int_equal(count(fixture), 1);
}

NETWORK_CASE(a_read_is_never_uncertain)
{
	static const enum forwarder_mode modes[] = { FORWARDER_CUT_REQUEST, FORWARDER_CUT_ANSWER,
						     FORWARDER_SILENT };

	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
		forwarder_mode(&fixture->forwarder, modes[i]);
		fixture->through->call_timeout = SHORT_TIMEOUT;
		assert_int_equal(run(fixture, &fixture->select, 1), STATUS_DOWN);
		assert_broken(fixture);
	}
}

/* Lost while deciding: COMMIT had not been sent, and the server rolls back by itself. */
NETWORK_CASE(a_lost_decision_is_down)
{
	assert_int_equal(run(fixture, &fixture->insert, 1), STATUS_OK);
	forwarder_mode(&fixture->forwarder, FORWARDER_CUT_ANSWER);
	assert_int_equal(run(fixture, &fixture->guarded, 1), STATUS_DOWN);
	assert_broken(fixture);
	assert_int_equal(count(fixture), 1);
	assert_int_equal(run(fixture, &fixture->guarded, 1), STATUS_OK);
	assert_int_equal(count(fixture), 0);
}

/* More than any socket buffer holds, both ways: neither side may wait for the other for ever. */
NETWORK_CASE(a_flood_in_both_directions_passes)
{
	size_t length = (size_t)8 << 20;
	char *big = arena_alloc(fixture->arena, length + 1);
	memset(big, 'x', length);
	struct db_value value = P_TEXT(big);
	struct db_rows rows = { 0 };
	struct pg_script script;

	pg_script(&script, "flood", false);
	for (int i = 0; i < 3; i++)
		pg_add(&script, "SELECT $1::text", PG_ROWS);
	if (pg_run(fixture->direct, fixture->arena, &script, &value, &rows) != STATUS_OK)
		fail_msg("%s", pg_error());
	assert_int_equal(strlen(db_text(&rows, 0, 0)), length);
}

static enum status connect_to(const char *options, int64_t timeout, struct error *error)
{
	const struct db_options bounds = { .connect_timeout = timeout };

	return pg_try(pg_url_with(options), &bounds, error);
}

CASE(a_silent_server_is_down)
{
	char options[128];
	struct error error = { 0 };
	int fd = -1;
	int port = silent_listener(&fd);

	snprintf(options, sizeof(options), "host=127.0.0.1&port=%d", port);
	assert_int_equal(connect_to(options, SHORT_TIMEOUT, &error), STATUS_DOWN);
	print_message("%s\n", error.text);
	assert_non_null(strstr(error.text, "no answer from 127.0.0.1"));
	assert_int_equal(close(fd), 0);
}

NETWORK_CASE(a_silent_server_is_passed_over)
{
	char options[256];
	struct error error = { 0 };
	int fd = -1;
	int port = silent_listener(&fd);

	snprintf(options, sizeof(options),
		 "host=127.0.0.1,localhost,127.0.0.1,127.0.0.1&port=%d,%d,1,%d"
		 "&target_session_attrs=read-write",
		 port, port, fixture->forwarder.port);
	must(connect_to, options, CONNECT_TIMEOUT);
	assert_int_equal(connect_to("target_session_attrs=standby", 0, &error), STATUS_DOWN);
	print_message("%s\n", error.text);
	assert_int_equal(close(fd), 0);
}
