#include "tests/support/relay.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/support/forwarder.h"

#define CUT      7
#define PATIENCE 60000 /* milliseconds without a byte; only a hanging test gets there */

struct ends {
	int client;
	int server;
	const char *text;
	bool after_answer;
};

static int connect_to(const char *host, int port)
{
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons((uint16_t)port) };
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (inet_pton(AF_INET, host, &address.sin_addr) != 1 ||
	    connect(fd, (struct sockaddr *)&address, sizeof(address)) != 0)
		return -1;
	return fd;
}

static bool pass(const char *bytes, ssize_t length, int to)
{
	return length > 0 && send(to, bytes, (size_t)length, MSG_NOSIGNAL) == length;
}

static bool ends_with(const char *bytes, size_t length, const char *text)
{
	size_t size = strlen(text);

	return length >= size && memcmp(bytes + length - size, text, size) == 0;
}

/* False when the connection is to end; *cut when the text was the reason. */
static bool from_client(const struct ends *ends, bool *cut)
{
	char bytes[65536];
	ssize_t length = recv(ends->client, bytes, sizeof(bytes), 0);

	*cut = length > 0 && ends_with(bytes, (size_t)length, ends->text);
	if (*cut && !ends->after_answer)
		return false;
	return pass(bytes, length, ends->server);
}

static bool from_server(const struct ends *ends, bool cut)
{
	char bytes[65536];
	ssize_t length = recv(ends->server, bytes, sizeof(bytes), 0);

	return !cut && pass(bytes, length, ends->client);
}

static int forward(const struct ends *ends)
{
	struct pollfd fds[] = { { .fd = ends->client, .events = POLLIN },
				{ .fd = ends->server, .events = POLLIN } };
	bool cut = false;

	while (poll(fds, 2, PATIENCE) > 0) {
		if (fds[1].revents != 0 && !from_server(ends, cut))
			break;
		if (fds[0].revents != 0 && !from_client(ends, &cut))
			break;
	}
	return cut ? CUT : 0;
}

struct relay relay_start(const char *host, int port, const char *text, bool after_answer)
{
	struct relay relay;
	int listener;

	relay.port = silent_listener(&listener);
	relay.process = fork();
	assert_true(relay.process >= 0);
	if (relay.process > 0) {
		close(listener);
		return relay;
	}
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	struct ends ends = { .client = accept4(listener, NULL, NULL, SOCK_CLOEXEC),
			     .server = connect_to(host, port),
			     .text = text,
			     .after_answer = after_answer };
	_exit(ends.client < 0 || ends.server < 0 ? 1 : forward(&ends));
}

bool relay_end(struct relay *relay)
{
	int status;

	assert_int_equal(waitpid(relay->process, &status, 0), relay->process);
	return WIFEXITED(status) && WEXITSTATUS(status) == CUT;
}
