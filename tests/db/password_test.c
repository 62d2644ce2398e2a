/* The password in a file: its first line, whatever ends it. */
#include "tests/support/wording.h"
/* cmocka comes first */
#include "db/password.h"

static char path[] = "/tmp/dray-password-XXXXXX";

static int make_file(void **state)
{
	int fd = mkstemp(path);

	*state = arena_new();
	return fd < 0 ? -1 : close(fd);
}

static int remove_file(void **state)
{
	arena_free(*state);
	return unlink(path);
}

CASE(test_first_line)
{
	static const struct {
		const char *text, *password;
	} cases[] = {
		{ "sesame", "sesame" },
		{ "sesame\n", "sesame" },
		{ "sesame\r\n", "sesame" },
		{ "sesame\nA remark.\n", "sesame" },
		{ " with: spaces @ and / \n", " with: spaces @ and / " },
		{ "", "" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *password = NULL;
		test_write_file(path, cases[i].text);
		must(password_read, *state, path, &password);
		assert_string_equal(password, cases[i].password);
	}
}

CASE(test_what_is_no_file)
{
	const char *password = "as before";

	must(password_read, *state, NULL, &password);
	must_say("password.no_file", STATUS_INVALID, password_read, *state, "/nowhere", &password);
	must_say("password.folder", STATUS_INVALID, password_read, *state, "/tmp", &password);
	must_say("password.too_long", STATUS_INVALID, password_read, *state, "/dev/zero",
		 &password);
	assert_string_equal(password, "as before");
}

GROUP(make_file, remove_file);
