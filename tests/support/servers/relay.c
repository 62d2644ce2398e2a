#include "tests/support/servers/relay.h"

#include <string.h>
#include <sys/socket.h>

struct task {
	const char *text;
	bool after_answer;
	bool cut;
};

static bool pass(const char *bytes, ssize_t length, int to)
{
	return length > 0 && send(to, bytes, (size_t)length, MSG_NOSIGNAL) == length;
}

static bool ends_with(const char *bytes, size_t length, const char *text)
{
	size_t size = strlen(text);

	return length >= size && memcmp(bytes + length - size, text, size) == 0;
}

static bool from_client(void *data, int client, int server)
{
	struct task *task = data;
	char bytes[65536];
	ssize_t length = recv(client, bytes, sizeof(bytes), 0);

	task->cut = length > 0 && ends_with(bytes, (size_t)length, task->text);
	if (task->cut && !task->after_answer)
		return false;
	return pass(bytes, length, server);
}

static bool from_server(void *data, int client, int server)
{
	const struct task *task = data;
	char bytes[65536];
	ssize_t length = recv(server, bytes, sizeof(bytes), 0);

	return !task->cut && pass(bytes, length, client);
}

struct between relay_start(const char *host, int port, const char *text, bool after_answer)
{
	struct task task = { .text = text, .after_answer = after_answer };
	const struct between_manner manner = { from_client, from_server, &task.cut };

	return between_start(host, port, &manner, &task);
}
