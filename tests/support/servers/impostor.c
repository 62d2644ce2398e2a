#include "tests/support/servers/impostor.h"

#include <sys/socket.h>

#include "tests/support/servers/forwarder.h"
#include "tests/support/test.h"

#define PATIENCE 10 /* seconds for what a client has to say */

/* What MySQL clients and servers can, as far as it matters here. */
#define LONG_PASSWORD     0x1U
#define CONNECT_WITH_DB   0x8U
#define PROTOCOL_41       0x200U
#define TLS               0x800U
#define TRANSACTIONS      0x2000U
#define SECURE_CONNECTION 0x8000U
#define PLUGIN_AUTH       0x80000U

/* PostgreSQL's packets before the first one with a protocol. */
#define ASKS_FOR_TLS 80877103U
#define ASKS_FOR_GSS 80877104U

struct talk {
	struct impostor *impostor;
	int fd;
	SSL *tls; /* NULL = in the clear, as yet */
	unsigned char data[16384];
	size_t length;
};

static bool say(struct talk *talk, const void *data, size_t length)
{
	if (talk->tls)
		return SSL_write(talk->tls, data, (int)length) == (int)length;
	return send(talk->fd, data, length, MSG_NOSIGNAL) == (ssize_t)length;
}

/* What comes next, behind what came before: at most so much. False at the end. */
static bool hear(struct talk *talk, size_t most)
{
	size_t left = sizeof(talk->data) - talk->length;
	size_t room = most < left ? most : left;
	unsigned char *to = talk->data + talk->length;
	ssize_t got = talk->tls ? SSL_read(talk->tls, to, (int)room) : recv(talk->fd, to, room, 0);
	const char *secret = talk->impostor->secret;

	if (got <= 0)
		return false;
	talk->length += (size_t)got;
	if (memmem(talk->data, talk->length, secret, strlen(secret)))
		atomic_store(&talk->impostor->heard, true);
	return true;
}

static void hear_answer(struct talk *talk)
{
	while (!atomic_load(&talk->impostor->heard) && talk->length < sizeof(talk->data) &&
	       hear(talk, sizeof(talk->data)))
		continue;
}

static bool turn_to_tls(struct talk *talk)
{
	talk->tls = SSL_new(talk->impostor->context);
	return talk->tls && SSL_set_fd(talk->tls, talk->fd) == 1 && SSL_accept(talk->tls) == 1;
}

/* MySQL */

static bool say_packet(struct talk *talk, unsigned number, const unsigned char *body, size_t length)
{
	unsigned char packet[512] = { (unsigned char)length, (unsigned char)(length >> 8), 0,
				      (unsigned char)number };

	memcpy(packet + 4, body, length);
	return say(talk, packet, 4 + length);
}

/* Not a byte more: behind the wish for TLS its first message may have come already. */
static bool hear_exactly(struct talk *talk, size_t length)
{
	while (talk->length < length)
		if (!hear(talk, length - talk->length))
			return false;
	return true;
}

/* One packet of a client, alone in `data`. Its number, or -1. */
static int hear_packet(struct talk *talk)
{
	talk->length = 0;
	if (!hear_exactly(talk, 4) ||
	    !hear_exactly(talk, 4U + talk->data[0] + 256U * talk->data[1]))
		return -1;
	return talk->data[3];
}

static size_t put(unsigned char *to, const char *text)
{
	memcpy(to, text, strlen(text) + 1);
	return strlen(text) + 1;
}

static bool greet(struct talk *talk)
{
	const struct impostor_manner *manner = &talk->impostor->manner;
	unsigned can = LONG_PASSWORD | CONNECT_WITH_DB | PROTOCOL_41 | TRANSACTIONS |
		       SECURE_CONNECTION | PLUGIN_AUTH | (manner->tls ? TLS : 0);
	unsigned char body[256] = { 10 };
	size_t at = 1 + put(body + 1, "8.0.36");

	at += 4;                          /* the connection's number */
	at += put(body + at, "saltsalt"); /* and a filler */
	body[at++] = (unsigned char)can;
	body[at++] = (unsigned char)(can >> 8);
	body[at++] = 45; /* utf8mb4 */
	body[at++] = 2;  /* SERVER_STATUS_AUTOCOMMIT */
	body[at++] = 0;
	body[at++] = (unsigned char)(can >> 16);
	body[at++] = (unsigned char)(can >> 24);
	body[at++] = 21; /* bytes of salt with their NUL */
	at += 10;
	at += put(body + at, "saltsaltsalt");
	at += put(body + at, manner->at_once ? manner->plugin : "mysql_native_password");
	return say_packet(talk, 0, body, at);
}

static bool ask_mysql(struct talk *talk, int number)
{
	const struct impostor_manner *manner = &talk->impostor->manner;
	unsigned char body[256] = { 0xfe };
	size_t at = 1 + put(body + 1, manner->plugin);

	if (manner->question)
		at += put(body + at, manner->question);
	return say_packet(talk, (unsigned)number + 1, body, at);
}

static void serve_mysql(struct talk *talk)
{
	const struct impostor_manner *manner = &talk->impostor->manner;
	int number = greet(talk) ? hear_packet(talk) : -1;

	if (number >= 0 && manner->tls && (talk->data[5] & (TLS >> 8)))
		number = turn_to_tls(talk) ? hear_packet(talk) : -1;
	if (number < 0)
		return;
	atomic_fetch_add(&talk->impostor->asked, 1);
	if (ask_mysql(talk, number))
		hear_answer(talk);
}

/* PostgreSQL */

static uint32_t number_at(const unsigned char *data)
{
	return (uint32_t)data[0] << 24 | (uint32_t)data[1] << 16 | (uint32_t)data[2] << 8 | data[3];
}

/* The first packet: its second number. 0 at the end. */
static uint32_t hear_start(struct talk *talk)
{
	talk->length = 0;
	if (!hear_exactly(talk, 8) || !hear_exactly(talk, number_at(talk->data)))
		return 0;
	return number_at(talk->data + 4);
}

static void serve_postgresql(struct talk *talk)
{
	static const unsigned char question[] = { 'R', 0, 0, 0, 8, 0, 0, 0, 3 };
	uint32_t wish = hear_start(talk);

	while (wish == ASKS_FOR_TLS || wish == ASKS_FOR_GSS) {
		bool tls = wish == ASKS_FOR_TLS && talk->impostor->manner.tls;
		if (!say(talk, tls ? "S" : "N", 1) || (tls && !turn_to_tls(talk)))
			return;
		wish = hear_start(talk);
	}
	if (wish == 0)
		return;
	atomic_fetch_add(&talk->impostor->asked, 1);
	if (say(talk, question, sizeof(question)))
		hear_answer(talk);
}

static void serve(struct impostor *impostor, int fd)
{
	const struct timeval patience = { .tv_sec = PATIENCE };
	struct talk talk = { .impostor = impostor, .fd = fd };

	(void)setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	if (impostor->manner.postgresql)
		serve_postgresql(&talk);
	else
		serve_mysql(&talk);
	SSL_free(talk.tls);
	(void)close(fd);
}

static void *serve_all(void *context)
{
	struct impostor *impostor = context;
	int fd;

	while ((fd = accept4(impostor->listener, NULL, NULL, SOCK_CLOEXEC)) >= 0)
		serve(impostor, fd);
	return NULL;
}

void impostor_start(struct impostor *impostor, const struct impostor_manner *manner,
		    const char *secret)
{
	*impostor = (struct impostor){ .manner = *manner, .secret = secret };
	(void)signal(SIGPIPE, SIG_IGN); /* OpenSSL writes to clients that have left */
	if (manner->tls)
		impostor->context =
			impostor_context(impostor->certificate, sizeof(impostor->certificate));
	impostor->port = silent_listener(&impostor->listener);
	assert_int_equal(pthread_create(&impostor->thread, NULL, serve_all, impostor), 0);
}

bool impostor_end(struct impostor *impostor)
{
	(void)shutdown(impostor->listener, SHUT_RDWR);
	assert_int_equal(pthread_join(impostor->thread, NULL), 0);
	(void)close(impostor->listener);
	SSL_CTX_free(impostor->context);
	if (impostor->certificate[0] != '\0')
		(void)unlink(impostor->certificate);
	return atomic_load(&impostor->heard);
}
