/* To whom the MySQL driver tells a password; the servers are false ones. */
#include "tests/support/servers/impostor.h"
#include "tests/support/servers/mysql_session.h"

#define SECRET "Kennwort-0815"

static const struct impostor_manner plain = { .plugin = "mysql_clear_password" };
static const struct impostor_manner hasty = { .plugin = "mysql_clear_password", .at_once = true };
/* MariaDB's PAM: the first question, and the last, that wants the password. */
static const struct impostor_manner asking = { .plugin = "dialog", .question = "\x05Password: " };
static const struct impostor_manner masked = { .plugin = "mysql_clear_password", .tls = true };
static const struct impostor_manner *const all[] = { &plain, &hasty, &asking, &masked };

struct attempt {
	struct impostor impostor;
	struct error error;
	enum status status;
	unsigned asked;
	bool told;
};

/* Connects to an impostor; an option's %s is its certificate's file. */
static struct attempt connect_to(const struct impostor_manner *manner, const char *option)
{
	struct attempt attempt = { 0 };
	struct mysql_session opened;
	char given[128];
	char url[256];

	impostor_start(&attempt.impostor, manner, SECRET);
	const char *hole = strstr(option, "%s");
	(void)snprintf(given, sizeof(given), "%.*s%s", hole ? (int)(hole - option) : 128, option,
		       hole ? attempt.impostor.certificate : "");
	(void)snprintf(url, sizeof(url), "mysql://somebody:" SECRET "@127.0.0.1:%d/d?%s",
		       attempt.impostor.port, given);
	attempt.status = mysql_session_try(&opened, url, NULL, &attempt.error);
	assert_int_not_equal(attempt.status, STATUS_OK);
	attempt.told = impostor_end(&attempt.impostor);
	attempt.asked = atomic_load(&attempt.impostor.asked);
	assert_null(strstr(attempt.error.text, SECRET));
	return attempt;
}

CASE(nobody_unknown_is_told_a_password)
{
	static const char *const modes[] = { "", "ssl-mode=DISABLED", "ssl-mode=PREFERRED",
					     "ssl-mode=REQUIRED" };

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		for (size_t j = 0; j < sizeof(modes) / sizeof(modes[0]); j++) {
			struct attempt attempt = connect_to(all[i], modes[j]);

			if (attempt.told)
				fail_msg("impostor %zu was told the password with %s", i, modes[j]);
			if (attempt.asked > 0 || attempt.status != STATUS_INVALID)
				assert_status(attempt.status, STATUS_INVALID, &attempt.error);
		}
}

/* What is wrong and what to do about it. */
CASE(a_refusal_says_why)
{
	struct attempt attempt = connect_to(&plain, "");
	assert_status(attempt.status, STATUS_INVALID, &attempt.error);
	assert_contains(attempt.error.text, "VERIFY_CA or VERIFY_IDENTITY");
}

/* Not even the user's name, or a hash of the password that can be worked on at leisure. */
CASE(tls_that_is_demanded_comes_before_the_login)
{
	static const char *const modes[] = { "ssl-mode=REQUIRED",
					     "ssl-mode=VERIFY_CA&ssl-ca=/etc/hostname",
					     "ssl-mode=VERIFY_IDENTITY&ssl-ca=/etc/hostname" };

	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
		struct attempt attempt = connect_to(&plain, modes[i]);

		assert_int_equal(attempt.asked, 0);
		assert_false(attempt.told);
		assert_status(attempt.status, STATUS_INVALID, &attempt.error);
		assert_contains(attempt.error.text, "offers no TLS");
	}
}

/* A certificate that is not signed by whom we trust. */
CASE(a_stranger_with_a_certificate_is_told_nothing)
{
	struct impostor other;

	impostor_start(&other, &masked, SECRET);
	char option[128];
	(void)snprintf(option, sizeof(option), "ssl-mode=VERIFY_CA&ssl-ca=%s", other.certificate);
	struct attempt attempt = connect_to(&masked, option);
	assert_int_equal(attempt.asked, 0);
	assert_false(attempt.told);
	(void)impostor_end(&other);
}

/* So that the others can fail; and who uses PAM or LDAP relies on it. */
CASE(a_server_that_is_verified_may_ask)
{
	static const char *const modes[] = { "ssl-mode=VERIFY_CA&ssl-ca=%s", "ssl-ca=%s",
					     "ssl-mode=VERIFY_IDENTITY&ssl-ca=%s" };

	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
		struct attempt attempt = connect_to(&masked, modes[i]);

		assert_int_equal(attempt.asked, 1);
		if (!attempt.told)
			fail_msg("%s: %s", modes[i], attempt.error.text);
	}
}
