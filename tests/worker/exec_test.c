/* How a command starts and ends, and what it is given: with real programs. */
#include <fcntl.h>
#include <sys/stat.h>

#include "queue/manage/manage.h"
#include "queue/payload/payload.h"
#include "rig.h"
#include "tests/support/database.h"

static struct rig rig;

/* how runs end */

static void expect_failure(const char *class_name, struct rig_failure expected)
{
	struct rig_failure failure = rig_fail(&rig, class_name, NULL);

	assert_string_equal(failure.exception_class, expected.exception_class);
	assert_string_equal(failure.message, expected.message);
	assert_true(text_same(failure.backtrace, expected.backtrace));
}

/* With what was written to stderr. */
RIG_CASE(another_status_or_a_signal_is_a_failure)
{
	rig_command(&rig, "ExitJob", RIG_SHELL("echo out; echo one >&2; echo two >&2; exit 3"));
	rig_command(&rig, "FalseJob", (const char *const[]){ "false", NULL });
	rig_command(&rig, "KilledJob", RIG_SHELL("echo last words >&2; kill -9 $$"));
	expect_failure("ExitJob", (struct rig_failure){ "Dray::ExitStatusError",
							"sh exited with status 3", "one\ntwo" });
	expect_failure("FalseJob", (struct rig_failure){ "Dray::ExitStatusError",
							 "false exited with status 1" });
	expect_failure("KilledJob",
		       (struct rig_failure){ "Dray::SignalError",
					     "sh was killed by signal 9 (Killed)", "last words" });
}

/* A program that says there why it fails writes it nowhere else. */
RIG_LOG_CASE(a_logged_output_says_why_where_nothing_else_does)
{
	rig_command(&rig, "OutJob", RIG_SHELL("echo out of paper; exit 3"))->output = OUTPUT_LOG;
	rig_command(&rig, "BothJob", RIG_SHELL("echo out; echo err >&2; exit 3"))->output =
		OUTPUT_LOG;
	expect_failure("OutJob", (struct rig_failure){ "Dray::ExitStatusError",
						       "sh exited with status 3", "out of paper" });
	expect_failure("BothJob", (struct rig_failure){ "Dray::ExitStatusError",
							"sh exited with status 3", "err" });
}

RIG_CASE(fe2_a_stack_overflow_is_recorded)
{
	rig_command(&rig, "DeepJob",
		    RIG_SHELL("ulimit -c 0 -s 256; exec bash -c 'f() {{ f; }}; f'"));
	struct rig_failure failure = rig_fail(&rig, "DeepJob", NULL);
	assert_string_equal(failure.exception_class, "Dray::SignalError");
	assert_string_equal(failure.message, "sh was killed by signal 11 (Segmentation fault)");
}

/* CE8 */
RIG_CASE(a_class_without_handler_fails_and_says_what_is_known)
{
	rig.options.unknown_classes = UNKNOWN_FAIL;
	rig_command(&rig, "OneJob", (const char *const[]){ "true", NULL });
	rig_command(&rig, "TwoJob", (const char *const[]){ "true", NULL });
	struct rig_failure failure = rig_fail(&rig, "OtherJob", NULL);
	assert_string_equal(failure.exception_class, "Dray::UnknownClassError");
	assert_wording("worker.unknown_class_of_two", failure.message);
}

/* programs that do not start */

static void expect_exec_error(const char *class_name, const char *program, const char *says)
{
	expect_failure(class_name,
		       (struct rig_failure){ "Dray::ExecError",
					     arena_printf(rig.arena, "%s %s", program, says) });
}

RIG_CASE(a_program_or_directory_that_is_missing_is_named)
{
	rig_command(&rig, "MissingJob", (const char *const[]){ "no-such-program", NULL });
	rig_command(&rig, "AwayJob", (const char *const[]){ "true", NULL })->directory = "away";
	expect_exec_error("MissingJob", "no-such-program",
			  "could not be started: No such file or directory");
	expect_exec_error("AwayJob", "true",
			  "could not enter its working directory: No such file or directory");
}

RIG_CASE(a_file_that_is_no_program)
{
	static const struct {
		const char *class_name, *text, *says;
		mode_t mode;
	} files[] = {
		{ "PlainJob", "x", "could not be started: Permission denied", 0644 },
		{ "InterpreterJob", "#!/no/such/interpreter\n",
		  "could not be started: its interpreter \"/no/such/interpreter\": No such file or "
		  "directory",
		  0755 },
		{ "TextJob", "just text\n",
		  "could not be started: it has no first line such as #!/bin/sh that names its "
		  "interpreter",
		  0755 },
		{ "EmptyJob", "", "could not be started: it is empty", 0755 },
		{ "MarkJob", "\xEF\xBB\xBF#!/bin/sh\n",
		  "could not be started: a byte order mark stands before its #!, which the kernel "
		  "then does not see: save it without",
		  0755 },
		{ "WindowsJob", "#!/bin/sh\r\nexit 0\r\n",
		  "could not be started: its lines end in CR LF, and the CR belongs to the name of "
		  "the interpreter: save it with LF",
		  0755 },
	};

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		const char *path = rig_path(&rig, files[i].class_name);
		test_write_file(path, files[i].text);
		assert_int_equal(chmod(path, files[i].mode), 0);
		rig_command(&rig, files[i].class_name, (const char *const[]){ path, NULL });
	}
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		expect_exec_error(files[i].class_name, rig_path(&rig, files[i].class_name),
				  files[i].says);
}

RIG_CASE(an_interpreter_that_is_no_program)
{
	const char *interpreter = rig_path(&rig, "interpreter");
	const char *program = rig_path(&rig, "program");

	test_write_file(interpreter, "just text\n");
	test_write_file(program, arena_printf(rig.arena, "#!%s\n", interpreter));
	assert_int_equal(chmod(interpreter, 0755) | chmod(program, 0755), 0);
	rig_command(&rig, "NestedJob", (const char *const[]){ program, NULL });
	expect_exec_error("NestedJob", program,
			  arena_printf(rig.arena,
				       "could not be started: its interpreter \"%s\": it has no "
				       "first line such as #!/bin/sh that names its interpreter",
				       interpreter));
}

static const char *make_script(const char *name, const char *text)
{
	const char *path = rig_path(&rig, name);

	test_write_file(path, text);
	assert_int_equal(chmod(path, 0755), 0);
	rig_command(&rig, name, (const char *const[]){ path, NULL });
	return path;
}

/* env itself starts, and says what it could not find only in its own words. */
RIG_CASE(a_status_of_env_names_the_interpreter)
{
	static const struct {
		const char *class_name, *text;
		bool named;
	} scripts[] = {
		{ "WindowsJob", "#!/usr/bin/env sh\r\n", true },
		{ "GoneJob", "#!/usr/bin/env pythonx\n", true },
		{ "WordsJob", "#!/usr/bin/env sh -e\n", true },
		{ "InnerJob", "#!/usr/bin/env sh\nno-such-program\n", false },
		{ "CodeJob", "#!/bin/sh\nexit 126\n", false },
	};

	for (size_t i = 0; i < sizeof(scripts) / sizeof(scripts[0]); i++)
		(void)make_script(scripts[i].class_name, scripts[i].text);
	for (size_t i = 0; i < sizeof(scripts) / sizeof(scripts[0]); i++) {
		struct rig_failure failure = rig_fail(&rig, scripts[i].class_name, NULL);
		assert_string_equal(failure.exception_class, "Dray::ExitStatusError");
		assert_int_equal(!!strstr(failure.message, "interpreter"), scripts[i].named);
	}
}

RIG_CASE(env_cuts_its_line_at_a_carriage_return)
{
	(void)make_script("SplitJob", "#!/usr/bin/env -S sh -e\r\n");
	rig_succeed(&rig, "SplitJob", NULL);
}

/* what a program is given */

RIG_CASE(arguments_are_not_split_or_expanded)
{
	rig_script(&rig, "PrintJob", "printf '<%s>' \"$@\" > out", "sh", "{0}", "--n={n}", "{{}}");
	rig_succeed(&rig, "PrintJob", "[\"a  b; $(id) `id` * '\\\"\", {\"n\": 12}]");
	assert_string_equal(rig_read(&rig, "out"), "<a  b; $(id) `id` * '\"><--n=12><{}>");
}

RIG_CASE(a_missing_argument_names_job_class_and_placeholder)
{
	rig_command(&rig, "CopyJob", (const char *const[]){ "cp", "{from}", "{to}", NULL });
	int64_t id = rig_enqueue(&rig, "CopyJob", "{\"from\": \"/etc/passwd\"}");
	struct job job = rig_run(&rig, id);
	struct rig_failure failure = rig_failure_of(&rig, &job);
	assert_string_equal(failure.exception_class, "Dray::ArgumentError");
	assert_wording("worker.missing_argument", failure.message);
}

RIG_CASE(the_payload_arrives_on_standard_input)
{
	rig_script(&rig, "CatJob", "cat > out");
	struct job job = rig_run(&rig, rig_enqueue(&rig, "CatJob", "[1, \"\\u00e4\"]"));
	assert_int_equal(job.state, JOB_FINISHED);
	assert_string_equal(rig_read(&rig, "out"),
			    payload_for_run(rig.arena, job.payload, job.id, NULL));
	assert_contains(rig_read(&rig, "out"),
			arena_printf(rig.arena, "\"provider_job_id\":%lld,", (long long)job.id));
}

/* Neither in its environment nor on its standard input. */
RIG_CASE(a_program_sees_no_marks_of_ruby)
{
	static const char plain[] = "[\"gid://app/User/1\",{\"to\":{\"b\":[1.5]}}]";

	rig_script(&rig, "PlainJob", "printf %s \"$DRAY_ARGUMENTS\" > out; cat > in");
	rig_succeed(&rig, "PlainJob",
		    "[{\"_aj_globalid\":\"gid://app/User/1\"},"
		    "{\"to\":{\"b\":[1.5],\"_aj_symbol_keys\":[\"b\"]},\"_aj_ruby2_keywords\":["
		    "\"to\"]}]");
	assert_string_equal(rig_read(&rig, "out"), plain);
	assert_contains(rig_read(&rig, "in"),
			arena_printf(rig.arena, "\"arguments\":%s,\"executions\":0", plain));
}

/* 65,536 bytes of JSON at most: brackets and quotes, too. */
RIG_CASE(long_arguments_are_only_on_standard_input)
{
	static const char *const seen[] = { "65536\n", "0\n" };
	static const char *passed[] = { "DRAY_*", NULL };

	assert_int_equal(setenv("DRAY_ARGUMENTS", "[\"of the job that the worker runs in\"]", 1),
			 0);
	rig_script(&rig, "LongJob", "printf %s \"$DRAY_ARGUMENTS\" | wc -c > out; cat > in")
		->environment = passed;
	for (int i = 0; i < 2; i++) {
		char *text = arena_array(rig.arena, 65534 + (size_t)i, 1);

		memset(text, 'x', 65532 + (size_t)i);
		rig_succeed(&rig, "LongJob", arena_printf(rig.arena, "[\"%s\"]", text));
		assert_string_equal(rig_read(&rig, "out"), seen[i]);
		assert_contains(rig_read(&rig, "in"), text);
	}
}

RIG_CASE(standard_input_may_be_empty)
{
	rig_script(&rig, "EmptyJob", "cat > out && echo \"$DRAY_ARGUMENTS\" >> out")->input =
		INPUT_NONE;
	rig_succeed(&rig, "EmptyJob", "[7]");
	assert_string_equal(rig_read(&rig, "out"), "[7]\n");
}

/* It counts what was lost and what failed; the environment tells both. */
RIG_CASE(no_two_attempts_look_the_same)
{
	rig_script(&rig, "TryJob",
		   "echo $DRAY_ATTEMPT $DRAY_LOSSES >> out; test $DRAY_ATTEMPT -gt 3");
	int64_t id = rig_enqueue(&rig, "TryJob", NULL);
	assert_int_equal(rig_run(&rig, id).state, JOB_FAILED);
	must(job_retry, rig.db, id);
	test_execute(rig.db, "UPDATE dray_losses SET losses = 1");
	assert_int_equal(rig_run(&rig, id).state, JOB_FAILED);
	must(job_retry, rig.db, id);
	assert_int_equal(rig_run(&rig, id).state, JOB_FINISHED);
	assert_string_equal(rig_read(&rig, "out"), "1 0\n3 1\n4 0\n");
}

/* How DRAY_CLAIM goes on after the time, made of the number in the other variable. */
static const char *claim_pattern(const char *text, const struct job *job)
{
	static const char name[] = "\nDRAY_CLAIM_ID=";
	const char *found = strstr(text, name);
	const char *token = strstr(text, "\nDRAY_CLAIM=");

	assert_non_null(found);
	assert_non_null(token);
	assert_int_equal(strspn(token + strlen("\nDRAY_CLAIM="), "0123456789"), 16);
	return arena_printf(rig.arena, "-%lld-%lld-", strtoll(found + strlen(name), NULL, 10),
			    (long long)job->id);
}

/* CE11: DRAY_JOB_ID is what Rails calls provider_job_id. */
RIG_CASE(the_environment_is_an_allow_list_and_the_job)
{
	static const char *entries[] = { "PASSED", "SET=here", "DRAY_QUEUE=forged", NULL };

	assert_int_equal(setenv("PASSED", "yes", 1), 0);
	assert_int_equal(setenv("DATABASE_URL", "postgres://u:secret@h/d", 1), 0);
	rig_script(&rig, "EnvJob", "env > out")->environment = entries;
	struct job job = rig_run(&rig, rig_enqueue(&rig, "EnvJob", NULL));
	const char *text = arena_printf(rig.arena, "\n%s", rig_read(&rig, "out"));
	assert_contains(text, "\nPASSED=yes\n");
	assert_contains(text, "\nSET=here\n");
	assert_contains(text, "\nPATH=");
	assert_contains(text, arena_printf(rig.arena, "\nDRAY_JOB_ID=%lld\n", (long long)job.id));
	assert_contains(text,
			arena_printf(rig.arena, "\nDRAY_ACTIVE_JOB_ID=%s\n", job.active_job_id));
	assert_contains(text, "\nDRAY_JOB_CLASS=EnvJob\n");
	assert_contains(text, "\nDRAY_QUEUE=default\n");
	assert_contains(text, "\nDRAY_PRIORITY=0\n");
	assert_contains(text, "\nDRAY_ATTEMPT=1\n");
	assert_contains(text, "\nDRAY_LOSSES=0\n");
	assert_contains(text, "\nDRAY_ARGUMENTS=[]\n");
	assert_contains(text, "\nDRAY_CLAIM_ID=");
	assert_contains(text, claim_pattern(text, &job));
	assert_null(strstr(text, "secret"));
}

RIG_CASE(limits_directory_and_nice)
{
	struct config_class *class = rig_command(
		&rig, "LimitJob",
		RIG_SHELL("{{ pwd -P; ulimit -n; ulimit -t; ulimit -c; nice; }} > out"));

	class->directory = "."; /* below the root, which is the rig's folder */
	class->limits.files = 23;
	class->limits.cpu = 77;
	class->limits.core = 0;
	class->nice = 5;
	rig_succeed(&rig, "LimitJob", NULL);
	assert_string_equal(rig_read(&rig, "out"),
			    arena_printf(rig.arena, "%s\n23\n77\n0\n5\n", rig.folder));
}

RIG_CASE(too_much_memory_is_refused_to_the_program)
{
	struct config_class *class =
		rig_command(&rig, "HungryJob",
			    (const char *const[]){ "dd", "if=/dev/zero", "of=/dev/null", "bs=256M",
						   "count=1", NULL });

	class->limits.memory = INT64_C(64) << 20;
	assert_contains(rig_fail(&rig, "HungryJob", NULL).message, "dd exited with status 1");
}

/* 3 is the folder that ls itself reads. */
RIG_CASE(no_descriptor_of_ours_is_seen)
{
	int leaked = open("/dev/null", O_RDONLY); /* not close-on-exec, on purpose */

	assert_true(leaked >= 3);
	rig_script(&rig, "FdJob", "exec ls /proc/self/fd > out");
	rig_succeed(&rig, "FdJob", NULL);
	assert_string_equal(rig_read(&rig, "out"), "0\n1\n2\n3\n");
	(void)close(leaked);
}

/* Without a shell: it would clear the mask by itself. */
RIG_CASE(signals_are_as_new)
{
	static const char *const program[] = { "sed", "-n", "/^Sig[BI]/w out", "/proc/self/status",
					       NULL };

	rig_command(&rig, "SigJob", program)->directory = rig.folder;
	rig_succeed(&rig, "SigJob", NULL);
	const char *text = rig_read(&rig, "out");
	assert_contains(text, "SigBlk:\t0000000000000000");
	assert_contains(text, "SigIgn:\t0000000000000000");
}

RIG_CASE(its_own_process_group)
{
	char *rest;

	rig_script(&rig, "GroupJob", "cut -d' ' -f1,5 /proc/$$/stat > out");
	rig_succeed(&rig, "GroupJob", NULL);
	const char *text = rig_read(&rig, "out");
	long pid = strtol(text, &rest, 10);
	long group = strtol(rest, NULL, 10);
	assert_true(pid > 1);
	assert_int_equal(pid, group);
	assert_int_not_equal(group, getpgrp());
}

GROUP(rig_quiet, NULL);
