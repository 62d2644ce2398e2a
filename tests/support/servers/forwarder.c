#include "tests/support/servers/forwarder.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <poll.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "db/url.h"
#include "tests/support/test.h"

#define MAXIMUM_PAIRS 64
#define LOOPBACK      "127.0.0.1"
#define LOOK          10 /* milliseconds until a change of mode is seen by connections at rest */

struct forwarder_shared {
	_Atomic(enum forwarder_mode) mode;
	atomic_uint turns;
	char text[32]; /* how requests that are cut end; written before the mode is set */
	_Atomic(enum forwarder_mode) then;
};

/* What a slow network has of one direction; meanwhile nothing more is read. */
struct lag {
	int64_t due; /* clock_monotonic; 0 = nothing */
	size_t length;
	char data[16384];
};

/* One client and its connection to the server. */
struct pair {
	int client;
	int server;
	bool client_spoke; /* last */
	bool answering;    /* CUT_ANSWER, DISMISS: the request is with the server */
	bool dead;         /* HALF: for ever */
	struct lag *up;    /* to the server; made when first needed */
	struct lag *down;
};

struct relay {
	struct forwarder_shared *shared;
	int listener;
	struct sockaddr_storage address;
	socklen_t address_length;
	struct pair pairs[MAXIMUM_PAIRS];
	nfds_t count;
};

static int listen_any(const char *where, int *port)
{
	struct sockaddr_in address = { .sin_family = AF_INET };
	socklen_t length = sizeof(address);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	assert_true(fd >= 0);
	assert_int_equal(inet_pton(AF_INET, where, &address.sin_addr), 1);
	assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof(address)), 0);
	assert_int_equal(listen(fd, 16), 0);
	assert_int_equal(getsockname(fd, (struct sockaddr *)&address, &length), 0);
	*port = ntohs(address.sin_port);
	return fd;
}

int silent_listener(int *fd)
{
	int port = 0;

	*fd = listen_any(LOOPBACK, &port);
	return port;
}

static bool write_all(int fd, const char *data, size_t length)
{
	while (length > 0) {
		ssize_t sent = send(fd, data, length, MSG_NOSIGNAL);
		if (sent <= 0)
			return false;
		data += sent;
		length -= (size_t)sent;
	}
	return true;
}

static void accept_pair(struct relay *relay)
{
	struct pair pair = { .client = accept(relay->listener, NULL, NULL), .server = -1 };

	if (pair.client < 0)
		return;
	pair.server = socket(relay->address.ss_family, SOCK_STREAM, 0);
	if (relay->count == MAXIMUM_PAIRS || pair.server < 0 ||
	    connect(pair.server, (struct sockaddr *)&relay->address, relay->address_length) != 0) {
		(void)close(pair.client);
		(void)close(pair.server);
		return;
	}
	relay->pairs[relay->count++] = pair;
}

static void close_pair(struct relay *relay, nfds_t at, bool reset)
{
	const struct linger linger = { .l_onoff = 1 };
	struct pair *pair = &relay->pairs[at];

	if (reset) {
		(void)setsockopt(pair->client, SOL_SOCKET, SO_LINGER, &linger, sizeof(linger));
		(void)setsockopt(pair->server, SOL_SOCKET, SO_LINGER, &linger, sizeof(linger));
	}
	(void)close(pair->client);
	(void)close(pair->server);
	free(pair->up);
	free(pair->down);
	*pair = relay->pairs[--relay->count];
}

/* Sends, or keeps for later what a slow network has. */
static bool pass(struct relay *relay, struct lag **lag, int to, const char *data, size_t length)
{
	if (atomic_load(&relay->shared->mode) != FORWARDER_DELAY)
		return write_all(to, data, length);
	if (!*lag)
		*lag = calloc(1, sizeof(**lag));
	if (!*lag)
		return false;
	memcpy((*lag)->data, data, length);
	(*lag)->length = length;
	(*lag)->due = clock_monotonic() + FORWARDER_LAG_MS * CLOCK_MILLISECOND;
	return true;
}

static bool held(const struct lag *lag)
{
	return lag && lag->due > 0;
}

static bool deliver(struct lag *lag, int to)
{
	if (!held(lag) || clock_monotonic() < lag->due)
		return true;
	lag->due = 0;
	return write_all(to, lag->data, lag->length);
}

static bool is_meant(const struct forwarder_shared *shared, const char *data, size_t length)
{
	size_t size = strlen(shared->text);

	return length >= size && memcmp(data + length - size, shared->text, size) == 0;
}

/* False: the pair is to be closed. */
static bool from_client(struct relay *relay, struct pair *pair)
{
	char data[16384];
	ssize_t got = recv(pair->client, data, sizeof(data), 0);
	enum forwarder_mode mode = atomic_load(&relay->shared->mode);

	if (got <= 0)
		return false;
	if (!pair->client_spoke)
		atomic_fetch_add(&relay->shared->turns, 1);
	pair->client_spoke = true;
	if (mode == FORWARDER_REFUSE)
		return false;
	bool meant = is_meant(relay->shared, data, (size_t)got);
	if (mode == FORWARDER_CUT_REQUEST && meant) {
		atomic_store(&relay->shared->mode, atomic_load(&relay->shared->then));
		return false;
	}
	pair->answering = (mode == FORWARDER_CUT_ANSWER || mode == FORWARDER_DISMISS) && meant;
	return pass(relay, &pair->up, pair->server, data, (size_t)got);
}

/* "Ready for query" at the end of the answer becomes an error that ends the connection. */
static bool dismiss(const struct pair *pair, const char *data, size_t length)
{
	static const char ready[] = { 'Z', 0, 0, 0, 5 };
	static const char goodbye[] = "E\0\0\0\x3aSFATAL\0VFATAL\0C57P01\0"
				      "Mterminating connection, a test\0"; /* and its own NUL */
	size_t at = length - sizeof(ready) - 1;

	return length > sizeof(ready) && memcmp(data + at, ready, sizeof(ready)) == 0 &&
	       write_all(pair->client, data, at) &&
	       write_all(pair->client, goodbye, sizeof(goodbye));
}

static bool from_server(struct relay *relay, struct pair *pair)
{
	char data[16384];
	ssize_t got = recv(pair->server, data, sizeof(data), 0);

	if (got <= 0)
		return false;
	enum forwarder_mode mode = atomic_load(&relay->shared->mode);
	if (pair->answering) {
		pair->answering = false;
		atomic_store(&relay->shared->mode, atomic_load(&relay->shared->then));
		return mode == FORWARDER_DISMISS && dismiss(pair, data, (size_t)got);
	}
	if (mode == FORWARDER_SILENT)
		return true;
	pair->client_spoke = false;
	return pass(relay, &pair->down, pair->client, data, (size_t)got);
}

/* Neither side is to learn that the other has closed, or the server would end its session. */
static void swallow(struct pair *pair, bool client)
{
	int *fd = client ? &pair->client : &pair->server;
	char data[16384];

	if (recv(*fd, data, sizeof(data), 0) > 0)
		return;
	(void)close(*fd);
	*fd = -1;
}

static void serve_pair(struct relay *relay, nfds_t at, const struct pollfd *pollers)
{
	struct pair *pair = &relay->pairs[at];
	bool open = true;

	if (pair->dead) {
		for (int side = 0; side < 2; side++)
			if (pollers[side].revents)
				swallow(pair, side == 0);
		return;
	}
	if (pollers[0].revents)
		open = from_client(relay, pair);
	if (open && pollers[1].revents)
		open = from_server(relay, pair);
	open = open && deliver(pair->up, pair->server) && deliver(pair->down, pair->client);
	if (!open)
		close_pair(relay, at, false);
}

/* Modes that concern connections at rest too. */
static void obey_mode(struct relay *relay)
{
	while (atomic_load(&relay->shared->mode) == FORWARDER_STALL)
		clock_sleep(LOOK * CLOCK_MILLISECOND);
	if (atomic_load(&relay->shared->mode) == FORWARDER_DROP)
		while (relay->count > 0)
			close_pair(relay, relay->count - 1, true);
	if (atomic_load(&relay->shared->mode) == FORWARDER_HALF)
		for (nfds_t i = 0; i < relay->count; i++)
			relay->pairs[i].dead = true;
}

/* A side that is -1 is passed over by poll; so is one whose last words are still on their way. */
static nfds_t fill_pollers(const struct relay *relay, struct pollfd pollers[])
{
	pollers[0] = (struct pollfd){ .fd = relay->listener, .events = POLLIN };
	for (nfds_t i = 0; i < relay->count; i++) {
		const struct pair *pair = &relay->pairs[i];
		pollers[1 + 2 * i] = (struct pollfd){ .fd = held(pair->up) ? -1 : pair->client,
						      .events = POLLIN };
		pollers[2 + 2 * i] = (struct pollfd){ .fd = held(pair->down) ? -1 : pair->server,
						      .events = POLLIN };
	}
	return relay->count;
}

static void relay_forever(struct relay *relay)
{
	for (;;) {
		struct pollfd pollers[1 + 2 * MAXIMUM_PAIRS];

		obey_mode(relay);
		nfds_t count = fill_pollers(relay, pollers);
		if (poll(pollers, 1 + 2 * count, LOOK) < 0)
			continue;
		/* Backwards, since a closed pair is replaced by the last. */
		for (nfds_t i = count; i-- > 0;)
			serve_pair(relay, i, &pollers[1 + 2 * i]);
		if (pollers[0].revents)
			accept_pair(relay);
	}
}

static void resolve(struct relay *relay, const char *host, int port)
{
	struct addrinfo hints = { .ai_socktype = SOCK_STREAM };
	struct addrinfo *found = NULL;
	char service[16];

	(void)snprintf(service, sizeof(service), "%d", port);
	assert_int_equal(getaddrinfo(host, service, &hints, &found), 0);
	memcpy(&relay->address, found->ai_addr, found->ai_addrlen);
	relay->address_length = found->ai_addrlen;
	freeaddrinfo(found);
}

void forwarder_start(struct forwarder *forwarder, const char *host, int port)
{
	forwarder_start_on(forwarder, LOOPBACK, host, port);
}

void forwarder_start_on(struct forwarder *forwarder, const char *address, const char *host,
			int port)
{
	struct relay relay = { 0 };

	resolve(&relay, host, port);
	relay.listener = listen_any(address, &forwarder->port);
	relay.shared = mmap(NULL, sizeof(*relay.shared), PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert_true(relay.shared != MAP_FAILED);
	forwarder->shared = relay.shared;
	forwarder->pid = fork();
	assert_true(forwarder->pid >= 0);
	if (forwarder->pid == 0) {
		(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
		relay_forever(&relay);
	}
	(void)close(relay.listener);
}

void forwarder_stop(struct forwarder *forwarder)
{
	assert_int_equal(kill(forwarder->pid, SIGKILL), 0);
	assert_int_equal(waitpid(forwarder->pid, NULL, 0), forwarder->pid);
	(void)munmap(forwarder->shared, sizeof(*forwarder->shared));
}

void forwarder_cut(struct forwarder *forwarder, enum forwarder_mode mode, const char *text,
		   enum forwarder_mode then)
{
	struct forwarder_shared *shared = forwarder->shared;

	assert_true((size_t)snprintf(shared->text, sizeof(shared->text), "%s", text) <
		    sizeof(shared->text));
	atomic_store(&shared->then, then);
	atomic_store(&shared->mode, mode);
}

void forwarder_mode(struct forwarder *forwarder, enum forwarder_mode mode)
{
	forwarder_cut(forwarder, mode, "", FORWARDER_PASS);
}

const char *forwarder_url(struct forwarder *forwarder, struct arena *arena, const char *url)
{
	struct db_url parsed;

	must(url_parse, arena, arena_strdup(arena, url), &parsed);
	if (!parsed.host || parsed.host[0] == '/')
		fail_msg("a test server's url must name a host: %s", url);
	bool postgresql = strncmp(parsed.scheme, "postgres", 8) == 0;
	int port = parsed.port > 0 ? parsed.port : postgresql ? 5432 : 3306;
	forwarder_start(forwarder, parsed.host, port);
	/* Everything before the host stays as it is, in its encoding. */
	const char *authority = strstr(url, "://") + 3;
	size_t end = strcspn(authority, "/");
	size_t user = end;
	while (user > 0 && authority[user - 1] != '@')
		user--;
	return arena_printf(arena, "%.*s127.0.0.1:%d%.*s?%s", (int)(authority + user - url), url,
			    forwarder->port, (int)strcspn(authority + end, "?"), authority + end,
			    postgresql ? "sslmode=disable" : "ssl-mode=DISABLED");
}

unsigned forwarder_turns(const struct forwarder *forwarder)
{
	return atomic_load(&forwarder->shared->turns);
}
