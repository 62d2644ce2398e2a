/*
 * The completions in the shells themselves, on a terminal: what is typed up to the tabulator, and
 * which words the program gets then. A program of its name in front of the real one writes them
 * down. Names in the database are written to be run by a shell that expands them.
 */
#include <sys/stat.h>

#include "tests/support/sites/cli.h"
#include "tests/support/sites/terminal.h"
#include "tests/support/wait.h"

#define PROMPT "ready-for-it> "

struct world {
	struct arena *arena;
	const char *url;
	char folder[64];
};

struct shell {
	const char *path;
	const char *start;        /* a file that it reads first, with its text */
	const char *text;         /* %s = the folder of the completions */
	const char *arguments[6]; /* NULL-terminated */
};

static const struct shell bash = {
	.path = "/bin/bash",
	.start = "bashrc",
	.text = "PS1='" PROMPT "'\nHISTFILE=\nsource '%s/dray.bash'\n",
	.arguments = { "--noprofile", "--rcfile", "bashrc", "-i" },
};

static const struct shell zsh = {
	.path = "/usr/bin/zsh",
	.start = ".zshrc",
	.text = "PS1='" PROMPT "'\nunset zle_bracketed_paste\nautoload -Uz compinit\n"
		"compinit -u -D\nautoload -Uz _dray\n"
		"_dray() { unfunction _dray; source '%s/dray.zsh' }\ncompdef _dray dray\n",
	.arguments = { "-d", "-i" },
};

static const struct shell fish = {
	.path = "/usr/bin/fish",
	.start = "start.fish",
	.text = "function fish_prompt; echo -n '" PROMPT "'; end\nsource '%s/dray.fish'\n",
	.arguments = { "--no-config", "--init-command", "source start.fish", "-i" },
};

static const char *in_folder(const struct world *world, const char *name)
{
	return arena_printf(world->arena, "%s/%s", world->folder, name);
}

static void enqueue(struct world *world, const char *class, const char *queue)
{
	assert_code(test_dray(world->arena, "enqueue", class, "--queue", queue, "--database",
			      world->url, "-q"),
		    0);
}

static void fill(struct world *world)
{
	static const char *const queues[] = { "mail box",      "$(touch pwned)", "`touch pwned`",
					      "a;touch pwned", "it's",           "x:y:z",
					      "default",       "say \"no\"" };

	world->url = test_database_new(world->arena, "sqlite");
	assert_code(test_dray(world->arena, "db", "migrate", "--database", world->url), 0);
	for (size_t i = 0; i < sizeof(queues) / sizeof(queues[0]); i++)
		enqueue(world, "Billing::InvoiceJob", queues[i]);
	enqueue(world, "$HOME", "default");
	assert_code(test_dray(world->arena, "pause", "st*", "--database", world->url), 0);
	assert_code(test_dray(world->arena, "recurring", "add", "nightly:report", "--schedule",
			      "every day at 4am", "--class", "Report", "--database", world->url),
		    0);
	struct db *db = test_db_open(world->url);
	test_execute(db, "INSERT INTO solid_queue_processes (kind, last_heartbeat_at, pid, name, "
			 "created_at) VALUES ('Worker', '2026-01-01 00:00:00', 1, 'worker-7', "
			 "'2026-01-01 00:00:00')");
	db_close(db);
}

static int open_world(void **state)
{
	static struct world world;
	const char *program = getenv("DRAY_BINARY");

	world = (struct world){ .arena = arena_new(), .folder = "/tmp/dray-shells-XXXXXX" };
	assert_non_null(program);
	assert_non_null(mkdtemp(world.folder));
	fill(&world);
	test_write_file(in_folder(&world, "queue.yml"), "");
	test_write_file(in_folder(&world, "a file.yml"), "");
	assert_int_equal(mkdir(in_folder(&world, "bin"), 0700), 0);
	test_write_file(
		in_folder(&world, "bin/dray"),
		arena_printf(world.arena,
			     "#!/bin/sh\n[ \"$1\" = complete ] && shift && exec '%s' complete "
			     "--within 1m "
			     "\"$@\"\n"
			     "printf '%%s\\n' \"$@\" >'%s/new'\nmv '%s/new' '%s/words'\n",
			     program, world.folder, world.folder, world.folder));
	assert_int_equal(chmod(in_folder(&world, "bin/dray"), 0700), 0);
	*state = &world;
	return 0;
}

static int close_world(void **state)
{
	struct world *world = *state;

	test_database_drop(world->arena, "sqlite", world->url);
	assert_int_equal(test_remove(world->folder), 0);
	arena_free(world->arena);
	return 0;
}

struct session {
	struct world *world;
	struct terminal terminal;
};

static void open_shell(struct session *session, const struct shell *shell)
{
	struct arena *arena = session->world->arena;
	const char *home = session->world->folder;
	const char *arguments[16] = {
		"-i",
		arena_printf(arena, "HOME=%s", home),
		arena_printf(arena, "ZDOTDIR=%s", home),
		arena_printf(arena, "PATH=%s/bin:/usr/bin:/bin", home),
		"TERM=xterm",
		"LANG=C.UTF-8",
		shell->path,
	};

	for (size_t i = 0, count = 7; shell->arguments[i]; i++)
		arguments[count++] = shell->arguments[i];
	terminal_open(&session->terminal,
		      &(struct test_command){ .arguments = arguments,
					      .directory = home,
					      .program = "/usr/bin/env" },
		      200);
}

/*
 * What the program gets when `typed`, the tabulator and return are pressed: one word a line. Some
 * shells leave the slash behind a folder.
 */
static const char *type(struct session *session, const char *typed)
{
	const char *words = in_folder(session->world, "words");
	const char *keys = arena_printf(session->world->arena, "%s\t\n", typed);
	char *data = NULL;
	size_t length;

	terminal_await(&session->terminal, PROMPT);
	terminal_type(&session->terminal, keys);
	/* The shell's terminal must be read, or it waits. */
	test_until((terminal_read(&session->terminal, 0), access(words, F_OK) == 0),
		   arena_printf(session->world->arena, "what comes of %s<Tab>: %s", typed,
				text_string(&session->terminal.seen)));
	must(file_read, words, 4096, &data, &length);
	bool slash = length > 1 && strcmp(data + length - 2, "/\n") == 0;
	const char *copy =
		arena_printf(session->world->arena, "%.*s\n", (int)(length - 1 - slash), data);
	free(data);
	assert_int_equal(unlink(words), 0);
	return copy;
}

/* What is typed behind "dray", with %s for the database, and the last word that comes of it. */
static const struct {
	const char *typed, *word;
} completed[] = {
	{ "help recu", "recurring" },
	{ "db ver", "verify" },
	{ "jobs -q --lim", "--limit" },
	{ "jobs --state=sch", "--state=scheduled" },
	{ "recurring change new --dst-gap=n", "--dst-gap=next_valid" },
	{ "jobs --config-file que", "queue.yml" },
	{ "jobs --config-file=que", "--config-file=queue.yml" },
	{ "enqueue Report que", "queue.yml" },
	{ "jobs --config-file a\\ fi", "a file.yml" },
	{ "enqueue Report 'a fi", "a file.yml" },
	{ "--database=\"$HOME\" jobs --lim", "--limit" },
	{ "jobs --root bi", "bin" },
	{ "pause --database %s mai", "mail box" },
	{ "--database %s pause x:y", "x:y:z" },
	{ "--database=%s enqueue Billing::I", "Billing::InvoiceJob" },
	{ "enqueue Billing::InvoiceJob --database %s --queue=de", "--queue=default" },
	{ "jobs --database %s --class Bill", "Billing::InvoiceJob" },
	{ "jobs --database %s --class \\$", "$HOME" },
	{ "pause --database %s \\$", "$(touch pwned)" },
	{ "pause --database %s \\`", "`touch pwned`" },
	{ "pause --database %s a", "a;touch pwned" },
	{ "pause --database %s it", "it's" },
	{ "pause --database %s sa", "say \"no\"" },
	{ "pause --database %s --process wor", "worker-7" },
	{ "resume --database %s s", "st*" },
	{ "recurring pause --database %s nigh", "nightly:report" },
	{ "enqueue --priority 3 --database '%s' Bill", "Billing::InvoiceJob" },
};

static void check(struct session *session)
{
	struct world *world = session->world;

	for (size_t i = 0; i < sizeof(completed) / sizeof(completed[0]); i++) {
		const char *typed = completed[i].typed;
		const char *url = strstr(typed, "%s");
		int length = (int)(url ? (size_t)(url - typed) : strlen(typed));
		const char *line = arena_printf(world->arena, "dray %.*s%s%s", length, typed,
						url ? world->url : "", url ? url + 2 : "");
		const char *words = type(session, line);
		const char *expected = arena_printf(world->arena, "\n%s\n", completed[i].word);
		size_t start = strlen(words) - strlen(expected);
		if (strlen(words) < strlen(expected) || strcmp(words + start, expected) != 0)
			fail_msg("%s<Tab>: the program got:\n%s", line, words);
		assert_int_not_equal(access(in_folder(world, "pwned"), F_OK), 0);
	}
}

static void run(struct world *world, const struct shell *shell)
{
	struct session session = { .world = world };

	if (access(shell->path, X_OK) != 0)
		skip();
	test_write_file(in_folder(world, shell->start),
			arena_printf(world->arena, "%.*s" SOURCE_DIR "/completions%s",
				     (int)(strstr(shell->text, "%s") - shell->text), shell->text,
				     strstr(shell->text, "%s") + 2));
	open_shell(&session, shell);
	check(&session);
	assert_int_equal(kill(session.terminal.pid, SIGKILL), 0);
	(void)terminal_close(world->arena, &session.terminal, -SIGKILL);
}

CASE_WITH(test_bash_completes, open_world, close_world)
{
	run(*state, &bash);
}

CASE_WITH(test_zsh_completes, open_world, close_world)
{
	run(*state, &zsh);
}

CASE_WITH(test_fish_completes, open_world, close_world)
{
	run(*state, &fish);
}
