/* Where a Rails application is: which file has the settings, and which database is its queue's. */
#include <stdlib.h>
#include <string.h>

#include "db/db.h"
#include "db/url.h"
#include "tests/support/model/config_world.h"
#include "tests/support/test.h"
#include "tests/support/wording.h"

static const struct config_request development = { .check_url = db_check_url };
static const struct config_request production = { .environment = "production",
						  .check_url = db_check_url };

static void set(const char *name, const char *value)
{
	assert_int_equal(value ? setenv(name, value, 1) : unsetenv(name), 0);
}

static void application(const char *database_yml)
{
	config_world_write("config/application.rb", "");
	config_world_write("config/database.yml", database_yml);
	config_world_write("config/queue.yml", "workers: [{threads: 5}]\n");
	config_world_write("config/jobs.yml", "jobs:\n");
}

static void assert_database(struct config_world *world, const struct config_request *request,
			    const char *entry, const char *url)
{
	config_world_good(world, request);
	assert_string_equal(world->config->database.url, url);
	assert_true(text_same(world->config->database_entry, entry));
}

/* What `rails new` writes: in production the queue has a database of its own, elsewhere not. */
WORLD_CASE(test_files_of_rails_new)
{
	static const struct {
		const char *file, *development, *production, *host, *password;
	} cases[] = {
		{ "sqlite3_8_0", "sqlite3:storage/development.sqlite3",
		  "sqlite3:storage/production_queue.sqlite3" },
		{ "sqlite3_8_1", "sqlite3:storage/development.sqlite3",
		  "sqlite3:storage/production_queue.sqlite3" },
		{ "postgresql_8_0", "postgresql:///shop_development",
		  "postgresql://shop:p%40%2F@/shop_production_queue", NULL, "p@/" },
		{ "postgresql_8_1", "postgresql://postgres:postgres@db/shop_development",
		  "postgresql://shop@db/shop_production_queue", "db" },
		{ "mysql_8_0",
		  "mysql2://root@/shop_development?socket=%2Frun%2Fmysqld%2Fmysqld.sock",
		  "mysql2://shop:x@/shop_production_queue?socket=%2Frun%2Fmysqld%2Fmysqld.sock",
		  NULL, "x" },
		{ "mysql_8_1", "trilogy://root@localhost/shop_development",
		  "trilogy://shop@localhost/shop_production_queue" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct error error = { 0 };
		application(test_read_file(
			world->arena,
			arena_printf(world->arena, SOURCE_DIR "/tests/unit/config_rails/%s.yml",
				     cases[i].file)));
		set("DB_HOST", cases[i].host);
		set("SHOP_DATABASE_PASSWORD", cases[i].password);
		if (db_check_url(cases[i].development, &error) != STATUS_OK)
			continue; /* built without it */
		assert_database(world, &development, "development", cases[i].development);
		assert_database(world, &production, "production.queue", cases[i].production);
		assert_int_equal(world->problems.count, 0);
		assert_int_equal(world->config->file_count, 4);
		assert_true(world->config->database.of_rails);
	}
	set("DB_HOST", NULL);
	set("SHOP_DATABASE_PASSWORD", NULL);
}

/* As Rails reads them. */
WORLD_CASE(test_entries)
{
	static const struct {
		const char *text, *entry, *url;
	} cases[] = {
		{ "{adapter: sqlite3, database: /var/lib/a b.db, pool: 5}", "development",
		  "sqlite3:/var/lib/a%20b.db" },
		{ "{adapter: sqlite3, database: '100%?.db'}", "development",
		  "sqlite3:100%25%3F.db" },
		{ "{jobs: {adapter: sqlite3, database: a}}", "development.jobs", "sqlite3:a" },
		{ "{primary: {adapter: sqlite3, database: a}, other: {adapter: sqlite3, database: "
		  "b}}",
		  "development.primary", "sqlite3:a" },
		{ "{primary: {adapter: sqlite3, database: a}, queue: {adapter: sqlite3, database: "
		  "b}}",
		  "development.queue", "sqlite3:b" },
		{ "{adapter: postgis, host: /run/pg, port: 5433, database: d, sslmode: require}",
		  "development", "postgis://%2Frun%2Fpg:5433/d?sslmode=require" },
		{ "{adapter: postgresql, host: '::1', username: me, database: d, "
		  "schema_search_path: 'jobs,public', variables: {a: 1}}",
		  "development", "postgresql://me@%3A%3A1/d?schema_search_path=jobs%2Cpublic" },
		{ "{adapter: mysql2, host: h, socket: /s, database: d, sslca: /ca.pem, "
		  "ssl_mode: ':verify_identity'}",
		  "development", "mysql2://h/d?sslca=%2Fca.pem&ssl_mode=%3Averify_identity" },
		{ "{url: 'sqlite3:here.db', pool: 3}", "development", "sqlite3:here.db" },
		{ "sqlite3:there.db", "development", "sqlite3:there.db" },
		{ "{url: '', adapter: sqlite3, database: a}", "development", "sqlite3:a" },
		/* What the URL does not say is taken from beside it. */
		{ "{url: 'mysql2://h/d?pool=5', username: u, password: 'p:w', host: no, socket: "
		  "/s}",
		  "development", "mysql2://u:p%3Aw@h/d?pool=5" },
		{ "{url: 'postgres://u:p@[::1]:1/d?sslmode=allow', port: 2, sslmode: require, "
		  "connect_timeout: 3}",
		  "development", "postgres://u:p@[::1]:1/d?sslmode=allow&connect_timeout=3" },
		{ "{url: 'trilogy:///', host: localhost, socket: /s, database: d}", "development",
		  "trilogy://localhost/d?socket=%2Fs" },
		{ "{adapter: sqlite3, database: 'a${b}$${c}'}", "development",
		  "sqlite3:a%24%7Bb%7D%24%24%7Bc%7D" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct error error = { 0 };
		if (db_check_url(cases[i].url, &error) != STATUS_OK)
			continue; /* built without it */
		application(arena_printf(world->arena, "development: %s\n", cases[i].text));
		assert_database(world, &development, cases[i].entry, cases[i].url);
		assert_int_equal(world->problems.count, 0);
	}
}

/* No value becomes another part of the URL. */
WORLD_CASE(test_values_are_escaped)
{
	application("development:\n  adapter: trilogy\n  host: h\n  database: <%= ENV['V'] %>\n"
		    "  username: <%= ENV['V'] %>\n  password: <%= ENV['V'] %>\n"
		    "  sslkey: <%= ENV['V'] %>\n");
	for (int byte = ' '; byte < 256; byte++) {
		const char one[] = { 'a', (char)byte, 'b', '\0' };
		const char two[] = { 'a', (char)(0xC0 | byte >> 6), (char)(0x80 | (byte & 63)),
				     '\0' };
		const char *value = byte < 128 ? one : two;
		struct error error = { 0 };
		struct db_url url;
		if (byte == 127 || (byte >= 128 && byte < 160))
			continue; /* no printable text */
		set("V", value);
		config_world_good(world, &(struct config_request){ 0 });
		assert_ok(url_parse(world->arena, world->config->database.url, &url, &error),
			  &error);
		assert_string_equal(url.host, "h");
		assert_string_equal(url.path, value);
		assert_string_equal(url.user, value);
		assert_string_equal(url.password, value);
		assert_string_equal(url_option(&url, "sslkey"), value);
		assert_int_equal(url.option_count, 1);
	}
	set("V", NULL);
}

/* What names a database comes before the application's own. */
WORLD_CASE(test_what_comes_before)
{
	application("development:\n"
		    "  primary: {adapter: sqlite3, database: a}\n"
		    "  queue:\n    adapter: sqlite3\n    database: <%= Rails.root %>\n");
	set("QUEUE_DATABASE_URL", "sqlite3:variable");
	assert_database(world, &development, "development.queue", "sqlite3:variable");
	assert_string_equal(config_origin(world->config, "database.url"), "QUEUE_DATABASE_URL");
	set("QUEUE_DATABASE_URL", NULL);
	set("DATABASE_URL", "sqlite3:primary");
	assert_database(world, &development, NULL, "sqlite3:primary");
	assert_wording("config.rails_database_url", config_world_problems(world, true));
	assert_true(world->config->database.of_rails);
	config_world_write("config/queue.yml", "database: {url: 'sqlite3:file'}\n");
	assert_database(world, &development, NULL, "sqlite3:file");
	assert_int_equal(world->problems.count, 0);
	assert_false(world->config->database.of_rails);
	set("DATABASE_URL", NULL);
	set("DRAY_DATABASE_URL", "sqlite3:ours");
	assert_database(world, &development, NULL, "sqlite3:ours");
	assert_int_equal(world->problems.count, 0);
	set("DRAY_DATABASE_URL", NULL);
}

/*
 * DATABASE_URL is about the primary database: its entry has what the URL does not say. A file of
 * which nothing can be taken is no mistake then.
 */
WORLD_CASE(test_the_entry_beside_the_variable)
{
	static const struct {
		const char *text, *entry, *url;
		size_t problems;
	} cases[] = {
		{ "{adapter: postgresql, schema_search_path: app, database: no, host: h, pool: 5}",
		  "development", "postgresql://me@db/d?schema_search_path=app", 0 },
		{ "{primary: {adapter: postgresql, sslmode: require}, cache: {database: b}}",
		  "development.primary", "postgresql://me@db/d?sslmode=require", 0 },
		{ "{jobs: {connect_timeout: 3}}", "development.jobs",
		  "postgresql://me@db/d?connect_timeout=3", 0 },
		{ "{url: 'mysql2://other/b', port: 1234}", "development",
		  "postgresql://me@db:1234/d", 0 },
		{ "{username: <%= Rails.x %>, database: <%= Rails.y %>}", "development",
		  "postgresql://me@db/d", 0 },
		{ "postgresql://other/b", "development", "postgresql://me@db/d", 0 },
		{ "{queue: {schema_search_path: app}}", NULL, "postgresql://me@db/d", 1 },
		{ "{a: {schema_search_path: app}, b: {database: b}}", NULL, "postgresql://me@db/d",
		  0 },
		{ "\nother: 1", NULL, "postgresql://me@db/d", 0 },
		{ "{not closed", NULL, "postgresql://me@db/d", 1 },
	};
	struct error error = { 0 };

	if (db_check_url("postgresql://me@db/d", &error) != STATUS_OK)
		return; /* built without it */
	set("DATABASE_URL", "postgresql://me@db/d");
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		application(arena_printf(world->arena, "development: %s\n", cases[i].text));
		assert_database(world, &development, cases[i].entry, cases[i].url);
		assert_string_equal(config_origin(world->config, "database.url"), "DATABASE_URL");
		assert_true(world->config->database.of_rails);
		assert_int_equal(world->problems.count, cases[i].problems);
	}
	application("development: {schema_search_path: <%= Rails.x %>}\n");
	assert_int_equal(config_world_load(world, &development), STATUS_INVALID);
	application("development: {schema_search_path: app}\n");
	set("PRIMARY_DATABASE_URL", "postgresql://first/d");
	assert_database(world, &development, "development",
			"postgresql://first/d?schema_search_path=app");
	set("PRIMARY_DATABASE_URL", NULL);
	set("DATABASE_URL", NULL);
}

/* As of a key in the file: what nobody knows is warned of by its name, and dray's own URLs refuse
 * it. */
WORLD_CASE(test_options_of_a_url)
{
	static const struct {
		const char *text, *url;
	} cases[] = {
		{ "sqlite3:a?poool=5&mode=0660&flags[x]=1", "sqlite3:a?mode=0660" },
		{ "postgres://h/d?poool=5&host=/run/pg&min_threads=1&flags[x]=1",
		  "postgres://h/d?host=/run/pg&min_threads=1" },
		{ "mysql2://h/d?ssl-mode=disabled&poool=5&variables[a]=b&flags[x]=1",
		  "mysql2://h/d?ssl-mode=disabled&variables[a]=b" },
	};

	application("development: {adapter: sqlite3, database: a}\n");
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct error error = { 0 };
		if (db_check_url(cases[i].url, &error) != STATUS_OK)
			continue; /* built without it */
		set("DATABASE_URL", cases[i].text);
		assert_database(world, &development, "development", cases[i].url);
		assert_int_equal(world->problems.count, 2);
		assert_wording("config.rails_url_option", config_world_problems(world, true));
		set("DATABASE_URL", NULL);
		set("PRIMARY_DATABASE_URL", cases[i].text);
		assert_database(world, &development, "development", cases[i].url);
		assert_int_equal(world->problems.count, 2);
		set("PRIMARY_DATABASE_URL", NULL);
		set("DRAY_DATABASE_URL", cases[i].text);
		assert_int_equal(config_world_load(world, &development), STATUS_INVALID);
		set("DRAY_DATABASE_URL", NULL);
	}
	set("DATABASE_URL", "mysql2://u:pass?hunter=2@h/d"); /* no option */
	assert_int_equal(config_world_load(world, &development), STATUS_INVALID);
	assert_null(strstr(config_world_problems(world, true), "hunter"));
	set("DATABASE_URL", NULL);
}

/* dray's own file beside that of Solid Queue, and never both. */
WORLD_CASE(test_one_file_of_settings)
{
	application("development: {adapter: sqlite3, database: a}\n");
	config_world_good(world, &development);
	assert_int_equal(world->config->workers[0].threads, 5);
	config_world_write("config/dray.yml", "shutdown_timeout: 9\n");
	config_world_good(world, &development);
	assert_int_equal(world->config->workers[0].threads, 3);
	assert_string_equal(world->config->files[0].path, "config/dray.yml");
	assert_string_equal(world->config->files[0].name, "dray.yml");
	config_world_good(world, &(struct config_request){ .config_file = "config/queue.yml" });
	assert_int_equal(world->config->workers[0].threads, 5);
	assert_int_equal(remove("config/application.rb"), 0);
	config_world_good(world, &development);
	assert_int_equal(world->problems.count, 1); /* dray.yml is not read */
	assert_int_equal(world->config->workers[0].threads, 5);
	assert_string_equal(world->config->database.url, "sqlite3:storage/dray.sqlite3");
	assert_int_equal(world->config->file_count, 3);
}

/* An application that has only DATABASE_URL. */
WORLD_CASE(test_no_database_yml)
{
	application("");
	assert_int_equal(remove("config/database.yml"), 0);
	config_world_write("config/dray.yml", "workers: [{threads: 9}]\n");
	assert_int_equal(config_world_load(world, &development), STATUS_INVALID);
	set("DATABASE_URL", "sqlite3:a?pool=5");
	assert_database(world, &development, NULL, "sqlite3:a?pool=5");
	assert_int_equal(world->problems.count, 0);
	assert_int_equal(world->config->workers[0].threads, 9);
	assert_true(world->config->database.of_rails);
	set("DATABASE_URL", NULL);
	config_world_write("config/dray.yml", "database: {url: 'sqlite3:b'}\n");
	assert_database(world, &development, NULL, "sqlite3:b");
}

/* Never another database in its place. */
WORLD_CASE(test_refused)
{
	static const char *const texts[] = {
		"",
		"# nothing\n",
		"production: {adapter: sqlite3, database: a}\ntest:\n",
		"development:\n  adapter: sqlite3\n",
		"development:\n  adapter: oracle_enhanced\n  database: a\n",
		"development:\n  database: a\n",
		"development: {a: {database: a}, b: {database: b}}\n",
		"development:\n  adapter: sqlite3\n  database: <%= Rails.root.join('x') %>\n",
		"development:\n  adapter: sqlite3\n  database: <%= ENV.fetch('NOT_THERE') %>\n",
		"<% require 'x' %>\ndevelopment: {adapter: sqlite3, database: a}\n",
		"development:\n  adapter: sqlite3\n  database: [a]\n",
		"development:\n  adapter: sqlite3\n  database: ':memory:'\n",
		"development:\n  adapter: sqlite3\n  database: 'file:a?mode=ro'\n",
		"development: nonsense\n",
		"- a\n",
	};
	const char *said = "";

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		application(texts[i]);
		assert_int_equal(config_world_load(world, &development), STATUS_INVALID);
		said = arena_printf(world->arena, "%s%s", said, config_world_problems(world, true));
	}
	assert_wording("config.rails_refused", said);
}

/* What cannot be read is not called missing, too. */
WORLD_CASE(test_one_mistake_is_said_once)
{
	static const char *const texts[] = {
		"development:\n  url: <%= Rails.x %>\n",
		"development:\n  adapter: sqlite3\n  url: <%= Rails.x %>\n",
		"development:\n  adapter: <%= Rails.x %>\n  database: a\n",
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		application(texts[i]);
		assert_int_equal(config_world_load(world, &development), STATUS_INVALID);
		assert_int_equal(world->problems.count, 1);
	}
}

/* What only Ruby understands is no matter where nobody asks for it; a key that nobody knows is
 * said. */
WORLD_CASE(test_what_is_not_asked_for)
{
	application("production:\n  adapter: mysql2\n  password: <%= Rails.credentials.x %>\n"
		    "development:\n  adapter: sqlite3\n  pool: <%= [5, 3].max %>\n"
		    "  database: a\n  readonly: true\n  migrations_paths: [a, b]\n");
	assert_database(world, &development, "development", "sqlite3:a");
	assert_wording("config.rails_unknown", config_world_problems(world, true));
}
