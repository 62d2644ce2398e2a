/* To whom the PostgreSQL driver tells a password; the servers are false ones. */
#include "db/postgresql/driver.h"
#include "tests/support/servers/impostor.h"
#include "tests/support/servers/postgresql.h"

#define SECRET         "Kennwort-0815"
#define CAN_BE_GUARDED 160000 /* libpq's version */

static const struct impostor_manner plain = { .postgresql = true };
static const struct impostor_manner masked = { .postgresql = true, .tls = true };

static enum status try_url(const char *url, struct error *error)
{
	const struct db_options options = { .connect_timeout = 5 * CLOCK_SECOND };
	enum status status = pg_try(url, &options, error);

	assert_int_not_equal(status, STATUS_OK);
	assert_null(strstr(error->text, SECRET));
	return status;
}

/* Is an impostor told? An option's %s is the file of its certificate. */
static bool tells(const struct impostor_manner *manner, const char *option, enum status *status)
{
	struct impostor impostor;
	struct error error = { 0 };
	char given[160];
	char url[320];

	impostor_start(&impostor, manner, SECRET);
	const char *hole = strstr(option, "%s");
	(void)snprintf(given, sizeof(given), "%.*s%s", hole ? (int)(hole - option) : 128, option,
		       hole ? impostor.certificate : "");
	(void)snprintf(url, sizeof(url), "postgres://somebody:" SECRET "@127.0.0.1:%d/d?%s",
		       impostor.port, given);
	*status = try_url(url, &error);
	bool told = impostor_end(&impostor);
	print_message("%s: %s%s\n", given, told ? "told: " : "", error.text);
	return told;
}

CASE(demanded_tls_comes_before_the_login)
{
	static const char *const modes[] = { "sslmode=require", "ssl=true",
					     "sslmode=verify-full&sslrootcert=/etc/hostname" };
	enum status status;

	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++)
		assert_false(tells(&plain, modes[i], &status));
}

CASE(a_stranger_with_a_certificate_is_told_nothing)
{
	struct impostor other;
	enum status status;
	char option[128];

	impostor_start(&other, &masked, SECRET);
	(void)snprintf(option, sizeof(option), "sslmode=verify-ca&sslrootcert=%s",
		       other.certificate);
	assert_false(tells(&masked, option, &status));
	(void)impostor_end(&other);
}

/* Whom nobody has verified; before version 16 libpq cannot be kept from it. */
CASE(an_unknown_server_gets_no_secret)
{
	static const char *const modes[] = { "", "sslmode=disable", "sslmode=prefer" };
	bool guarded = PQlibVersion() >= CAN_BE_GUARDED;
	enum status status;

	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
		assert_int_equal(tells(&plain, modes[i], &status), !guarded);
		assert_int_equal(status, guarded ? STATUS_INVALID : STATUS_DOWN);
	}
	assert_int_equal(tells(&masked, "sslmode=require", &status), !guarded);
	assert_int_equal(tells(&masked, "", &status), !guarded);
}

/* What does help with every version, and what the url says itself. */
CASE(the_url_can_demand_a_better_login)
{
	enum status status;

	assert_false(tells(&masked, "sslmode=require&channel_binding=require", &status));
	assert_false(tells(&plain, "channel_binding=require", &status));
	if (PQlibVersion() < CAN_BE_GUARDED)
		return;
	assert_false(tells(&plain, "require_auth=scram-sha-256", &status));
	assert_true(tells(&plain, "require_auth=password", &status));
}

/* So that the others can fail; and who uses PAM or LDAP relies on it. */
CASE(a_server_that_is_verified_may_ask)
{
	enum status status;

	assert_true(tells(&masked, "sslmode=verify-ca&sslrootcert=%s", &status));
	assert_true(tells(&masked, "sslmode=verify-full&sslrootcert=%s", &status));
}
