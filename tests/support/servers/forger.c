#include "tests/support/servers/forger.h"

#include <arpa/inet.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "tests/support/servers/forwarder.h"
#include "tests/support/test.h"

#define DONE     7     /* the exit status when it came to that command */
#define PATIENCE 60000 /* milliseconds without a byte; only a hanging test gets there */

/* MySQL's protocol. */
#define HEADER     4 /* length, length, length, number */
#define QUERY      0x03
#define PREPARE    0x16
#define EXECUTE    0x17
#define AN_OK      0x00
#define AN_END     0xfe
#define SHORT_END  16 /* bytes; a row that begins like an end is longer */
#define END_STATUS 3  /* where the flags are in it */
#define IN_TRANS   0x1

struct packet {
	unsigned char data[HEADER + 65536];
	size_t length; /* with the header; 0 = the connection's end */
};

struct talk {
	enum forgery forgery;
	unsigned at;
	unsigned count; /* of commands of that kind in the transaction */
	bool inside;
	bool attributes; /* what a query begins with, for clients that send them */
	bool first;      /* the next packet is the first of an answer */
	bool lying;
	bool done;
	struct packet packet;
};

static bool read_all(int fd, unsigned char *to, size_t length)
{
	return length == 0 || recv(fd, to, length, MSG_WAITALL) == (ssize_t)length;
}

static bool read_packet(int fd, struct packet *packet)
{
	packet->length = 0;
	if (!read_all(fd, packet->data, HEADER))
		return false;
	size_t length = packet->data[0] + 256U * packet->data[1] + 65536U * (size_t)packet->data[2];
	if (length > sizeof(packet->data) - HEADER || !read_all(fd, packet->data + HEADER, length))
		return false;
	packet->length = HEADER + length;
	return true;
}

static bool write_packet(int fd, const void *data, size_t length)
{
	return send(fd, data, length, MSG_NOSIGNAL) == (ssize_t)length;
}

/* Oracle's client puts the numbers of a query's attributes before its text: none, one set. */
static bool has_attributes(const struct packet *packet)
{
	return packet->length > HEADER + 3 && packet->data[HEADER] == QUERY &&
	       packet->data[HEADER + 1] == 0 && packet->data[HEADER + 2] == 1;
}

static bool says(const struct packet *packet, const char *sql)
{
	size_t length = strlen(sql);
	size_t text = HEADER + (has_attributes(packet) ? 3 : 1);

	return packet->length >= text + length && packet->data[HEADER] == QUERY &&
	       memcmp(packet->data + text, sql, length) == 0;
}

/* The server does it; the client never hears of it. */
static bool slip_in_rollback(const struct talk *talk, int server)
{
	static const char plain[] = "\x09\0\0\0\x03ROLLBACK";
	static const char attributes[] = "\x0b\0\0\0\x03\0\x01ROLLBACK";
	bool sent = talk->attributes ? write_packet(server, attributes, sizeof(attributes) - 1)
				     : write_packet(server, plain, sizeof(plain) - 1);
	struct packet answer;

	return sent && read_packet(server, &answer) && answer.data[HEADER] == AN_OK;
}

static bool commit_forgery(struct talk *talk, int server)
{
	talk->done = true;
	if (talk->forgery != FORGE_FLAG)
		return slip_in_rollback(talk, server);
	talk->lying = true;
	return true;
}

static bool from_client(struct talk *talk, int client, int server)
{
	struct packet *packet = &talk->packet;
	unsigned char kind = talk->forgery == FORGE_END_PREPARING ? PREPARE : EXECUTE;

	if (!read_packet(client, packet))
		return false;
	bool command = packet->data[HEADER - 1] == 0;
	talk->first = command;
	if (command && says(packet, "START TRANSACTION")) {
		talk->attributes = has_attributes(packet);
		talk->inside = true;
		talk->count = 0;
	}
	if (command && (says(packet, "COMMIT") || says(packet, "ROLLBACK")))
		talk->inside = talk->lying = false;
	if (command && talk->inside && !talk->done && packet->data[HEADER] == kind &&
	    ++talk->count == talk->at && !commit_forgery(talk, server))
		return false;
	return write_packet(server, packet->data, packet->length);
}

/* Where an OK's flags are: behind its kind and two numbers of one byte or more. */
static size_t status_of_ok(const unsigned char *body)
{
	size_t at = 1;

	for (int i = 0; i < 2; i++)
		at += body[at] < 0xfb ? 1 : body[at] == 0xfc ? 3 : body[at] == 0xfd ? 4 : 9;
	return at;
}

static void lie(struct packet *packet, bool first)
{
	unsigned char *body = packet->data + HEADER;

	if (first && body[0] == AN_OK)
		body[status_of_ok(body)] &= (unsigned char)~IN_TRANS;
	else if (body[0] == AN_END && packet->length < SHORT_END)
		body[END_STATUS] &= (unsigned char)~IN_TRANS;
}

static bool from_server(struct talk *talk, int client, int server)
{
	struct packet *packet = &talk->packet;

	if (!read_packet(server, packet))
		return false;
	if (talk->lying)
		lie(packet, talk->first);
	talk->first = false;
	return write_packet(client, packet->data, packet->length);
}

static int connect_to(const char *host, int port)
{
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons((uint16_t)port) };
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (inet_pton(AF_INET, host, &address.sin_addr) != 1 ||
	    connect(fd, (struct sockaddr *)&address, sizeof(address)) != 0)
		return -1;
	return fd;
}

static void serve(struct talk *talk, int client, int server)
{
	struct pollfd fds[] = { { .fd = client, .events = POLLIN },
				{ .fd = server, .events = POLLIN } };

	while (poll(fds, 2, PATIENCE) > 0) {
		if (fds[1].revents != 0 && !from_server(talk, client, server))
			break;
		if (fds[0].revents != 0 && !from_client(talk, client, server))
			break;
	}
}

struct forger forger_start(const char *host, int port, enum forgery forgery, unsigned at)
{
	static struct talk talk;
	struct forger forger;
	int listener;

	talk = (struct talk){ .forgery = forgery, .at = at };
	forger.port = silent_listener(&listener);
	forger.process = fork();
	assert_true(forger.process >= 0);
	if (forger.process > 0) {
		close(listener);
		return forger;
	}
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	int client = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
	int server = connect_to(host, port);
	if (client < 0 || server < 0)
		_exit(1);
	serve(&talk, client, server);
	_exit(talk.done ? DONE : 0);
}

bool forger_end(const struct forger *forger)
{
	int status;

	assert_int_equal(waitpid(forger->process, &status, 0), forger->process);
	return WIFEXITED(status) && WEXITSTATUS(status) == DONE;
}
