#include "tests/support/servers/between.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "tests/support/servers/forwarder.h"
#include "tests/support/test.h"

#define DONE     7
#define PATIENCE 60000 /* milliseconds without a byte; only a hanging test gets there */

static int connect_to(const char *host, int port)
{
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons((uint16_t)port) };
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (inet_pton(AF_INET, host, &address.sin_addr) != 1 ||
	    connect(fd, (struct sockaddr *)&address, sizeof(address)) != 0)
		return -1;
	return fd;
}

static void serve(const struct between_manner *manner, void *data, int client, int server)
{
	struct pollfd fds[] = { { .fd = client, .events = POLLIN },
				{ .fd = server, .events = POLLIN } };

	while (poll(fds, 2, PATIENCE) > 0) {
		if (fds[1].revents != 0 && !manner->from_server(data, client, server))
			break;
		if (fds[0].revents != 0 && !manner->from_client(data, client, server))
			break;
	}
}

struct between between_start(const char *host, int port, const struct between_manner *manner,
			     void *data)
{
	struct between between;
	int listener;

	between.port = silent_listener(&listener);
	between.process = fork();
	assert_true(between.process >= 0);
	if (between.process > 0) {
		close(listener);
		return between;
	}
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	int client = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
	int server = connect_to(host, port);
	if (client < 0 || server < 0)
		_exit(1);
	serve(manner, data, client, server);
	_exit(*manner->done ? DONE : 0);
}

bool between_end(struct between *between)
{
	int status;

	assert_int_equal(waitpid(between->process, &status, 0), between->process);
	return WIFEXITED(status) && WEXITSTATUS(status) == DONE;
}
