/* What a service manager hears: files and abstract sockets, the watchdog's rules, silence. */
#include <sys/socket.h>
#include <sys/un.h>

#include "process/service.h"
#include "tests/support/test.h"

static int manager = -1; /* its socket */
static char directory[32];

static void set(const char *name, const char *value)
{
	assert_int_equal(value ? setenv(name, value, 1) : unsetenv(name), 0);
}

static void listen_at(const char *name)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	size_t length = strlen(name);

	memcpy(address.sun_path, name, length);
	if (name[0] == '@')
		address.sun_path[0] = '\0';
	manager = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	assert_true(manager >= 0);
	assert_int_equal(bind(manager, (const struct sockaddr *)&address,
			      (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length)),
			 0);
	set("NOTIFY_SOCKET", name);
}

static int set_up(void **state)
{
	static char path[sizeof(directory) + 16];

	(void)state;
	(void)snprintf(directory, sizeof(directory), "/tmp/dray-service-XXXXXX");
	assert_non_null(mkdtemp(directory));
	(void)snprintf(path, sizeof(path), "%s/socket", directory);
	listen_at(path);
	set("WATCHDOG_USEC", NULL);
	set("WATCHDOG_PID", NULL);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	(void)close(manager);
	assert_int_equal(test_remove(directory), 0);
	set("NOTIFY_SOCKET", NULL);
	return 0;
}

/* The next message, which has been sent already; "" when there is none. */
static const char *heard(void)
{
	static char message[512];
	ssize_t length = recv(manager, message, sizeof(message) - 1, 0);

	message[length > 0 ? length : 0] = '\0';
	return message;
}

CASE_WITH(test_states, set_up, tear_down)
{
	static const char reloading[] = "RELOADING=1\nMONOTONIC_USEC=";
	struct service service;

	service_open(&service);
	assert_false(service.ready);
	service_reloading(&service);
	service_reloaded(&service);
	assert_string_equal(heard(), "");
	service_ready(&service);
	assert_true(service.ready);
	assert_string_equal(heard(), "READY=1");
	service_reloading(&service);
	const char *message = heard();
	assert_int_equal(strncmp(message, reloading, strlen(reloading)), 0);
	assert_true(strtoll(message + strlen(reloading), NULL, 10) > 0);
	service_reloaded(&service);
	assert_string_equal(heard(), "READY=1");
	service_stopping(&service);
	assert_string_equal(heard(), "STOPPING=1");
	assert_string_equal(heard(), "");
}

CASE_WITH(test_status_only_when_it_changes, set_up, tear_down)
{
	struct service service;
	char text[1024];

	service_open(&service);
	service_status(&service, "1/2 ready");
	service_status(&service, "1/2 ready");
	service_status(&service, "2/2 ready");
	assert_string_equal(heard(), "STATUS=1/2 ready");
	assert_string_equal(heard(), "STATUS=2/2 ready");
	assert_string_equal(heard(), "");
	memset(text, 'x', sizeof(text));
	text[sizeof(text) - 1] = '\0';
	service_status(&service, text);
	service_status(&service, text);
	assert_int_equal(strlen(heard()), strlen("STATUS=") + SERVICE_STATUS_SIZE - 1);
	assert_string_equal(heard(), "");
	memcpy(text + SERVICE_STATUS_SIZE - 3, "\xe2\x82\xac", 3);
	service_status(&service, text);
	service_status(&service, text);
	assert_int_equal(strlen(heard()), strlen("STATUS=") + SERVICE_STATUS_SIZE - 3);
	assert_string_equal(heard(), "");
}

CASE_WITH(test_an_abstract_socket, set_up, tear_down)
{
	struct service service;
	char name[64];

	(void)close(manager);
	(void)snprintf(name, sizeof(name), "@dray-service-test-%d", (int)getpid());
	listen_at(name);
	service_open(&service);
	service_ready(&service);
	assert_string_equal(heard(), "READY=1");
}

CASE_WITH(test_the_watchdog, set_up, tear_down)
{
	struct service service;

	set("WATCHDOG_USEC", "40000000");
	service_open(&service);
	assert_int_equal(service.watchdog, 40 * CLOCK_SECOND);
	int64_t before = clock_monotonic();
	service_feed(&service, true);
	assert_string_equal(heard(), "WATCHDOG=1");
	assert_in_range(service.feed_at - 10 * CLOCK_SECOND, before, clock_monotonic());
	service.feed_at = CLOCK_NEVER; /* however slow this machine is */
	service_feed(&service, true);
	assert_string_equal(heard(), "");
	service.feed_at = 0;
	service_feed(&service, false);
	assert_string_equal(heard(), "");
	assert_true(service.feed_at > 0);
}

/* Its queue is full: readiness must not be lost, the rest is told as it then is. */
CASE_WITH(test_a_busy_manager, set_up, tear_down)
{
	struct service service;
	unsigned count = 0;

	service_open(&service);
	assert_true(service.feed_at == CLOCK_NEVER);
	while (service.feed_at == CLOCK_NEVER) /* however long its queue may be */
		service_status(&service, count++ % 2 == 0 ? "a" : "b");
	service_ready(&service);
	service_status(&service, "the last");
	assert_true(service.owes_ready && service.owes_status);
	while (strcmp(heard(), "") != 0)
		continue;
	service.feed_at = 0;
	service_feed(&service, true);
	assert_string_equal(heard(), "READY=1");
	assert_string_equal(heard(), "STATUS=the last");
	assert_string_equal(heard(), "");
	assert_true(service.feed_at == CLOCK_NEVER);
	assert_false(service.owes_ready || service.owes_status);
}

CASE_WITH(test_whose_watchdog, set_up, tear_down)
{
	static const struct {
		const char *time, *pid;
		int64_t watchdog;
	} cases[] = {
		{ NULL, NULL, 0 },
		{ "", NULL, 0 },
		{ "soon", NULL, 0 },
		{ "-5", NULL, 0 },
		{ "0", NULL, 0 },
		{ "1", NULL, 20000 },
		{ "30000000", "", 30000000 },
		{ "30000000", "1", 0 },
		{ "30000000", "x", 0 },
	};
	struct service service;
	char own[16];

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		set("WATCHDOG_USEC", cases[i].time);
		set("WATCHDOG_PID", cases[i].pid);
		service_open(&service);
		assert_int_equal(service.watchdog, cases[i].watchdog);
		assert_true((service.feed_at == CLOCK_NEVER) == (cases[i].watchdog == 0));
	}
	(void)snprintf(own, sizeof(own), "%d", (int)getpid());
	set("WATCHDOG_PID", own);
	service_open(&service);
	assert_int_equal(service.watchdog, 30000000);
}

/* Without a manager, or with one that cannot be reached, nothing happens. */
CASE_WITH(test_nobody_listens, set_up, tear_down)
{
	static const char *const names[] = { NULL, "", "relative", "@", "/nowhere/at/all" };
	char too_long[300];
	struct service service;

	memset(too_long, '/', sizeof(too_long));
	too_long[sizeof(too_long) - 1] = '\0';
	set("WATCHDOG_USEC", "1000000");
	for (size_t i = 0; i <= sizeof(names) / sizeof(names[0]); i++) {
		set("NOTIFY_SOCKET", i < sizeof(names) / sizeof(names[0]) ? names[i] : too_long);
		service_open(&service);
		service_ready(&service);
		service_status(&service, "a");
		service_feed(&service, true);
		service_stopping(&service);
		assert_true(service.ready);
	}
	assert_string_equal(heard(), "");
}
