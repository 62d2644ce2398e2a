#include "process/service.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/log/log.h"
#include "common/text/parse.h"

#define FEEDINGS     4 /* within the watchdog's time */
#define SHORTEST     (20 * CLOCK_MILLISECOND)
#define MESSAGE_SIZE 256
#define AGAIN        (1 * CLOCK_SECOND)
#define PATIENCE     (200 * CLOCK_MILLISECOND) /* for a manager that does not read */

/* A name that begins with '@' is an abstract address, not a file. */
static socklen_t make_address(const char *name, struct sockaddr_un *address)
{
	size_t length = strlen(name);

	*address = (struct sockaddr_un){ .sun_family = AF_UNIX };
	if (length < 2 || length >= sizeof(address->sun_path) || !strchr("/@", name[0]))
		return 0;
	memcpy(address->sun_path, name, length);
	if (name[0] == '@')
		address->sun_path[0] = '\0';
	return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length);
}

static bool send_to(int fd, const char *name, const char *message)
{
	const struct timeval patience = { .tv_usec = PATIENCE };
	struct sockaddr_un address;
	socklen_t length = make_address(name, &address);

	(void)setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
	return length > 0 && sendto(fd, message, strlen(message), MSG_NOSIGNAL,
				    (const struct sockaddr *)&address, length) >= 0;
}

static bool tell(const struct service *service, const char *message)
{
	if (!service->socket)
		return true;
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	bool sent = fd >= 0 && send_to(fd, service->socket, message);
	if (fd >= 0)
		close(fd);
	if (!sent)
		log_event(LOG_DEBUG, "service.not_told", LOG_TEXT("socket", service->socket),
			  LOG_TEXT("message", message));
	return sent;
}

/* If the manager is too busy to take the message, it is soon sent again. */
static bool owe(struct service *service, bool sent)
{
	int64_t again = clock_monotonic() + AGAIN;

	if (!sent && again < service->feed_at)
		service->feed_at = again;
	return !sent;
}

/* Called before any thread is started, and nothing changes the environment. */
static const char *variable(const char *name)
{
	const char *value = getenv(name); /* NOLINT(concurrency-mt-unsafe) */

	return value && *value ? value : NULL;
}

/* If WATCHDOG_PID is set, the watchdog is for that process only. */
static int64_t watchdog_time(void)
{
	const char *time = variable("WATCHDOG_USEC");
	const char *owner = variable("WATCHDOG_PID");
	int64_t pid = getpid();
	int64_t interval;

	if (owner && (parse_int(owner, 1, INT32_MAX, &pid) != STATUS_OK || pid != getpid()))
		return 0;
	if (!time || parse_int(time, 1, INT64_MAX, &interval) != STATUS_OK)
		return 0;
	return interval > SHORTEST ? interval : SHORTEST;
}

void service_open(struct service *service)
{
	*service = (struct service){ .socket = variable("NOTIFY_SOCKET"), .feed_at = CLOCK_NEVER };
	if (!service->socket)
		return;
	service->watchdog = watchdog_time();
	if (service->watchdog > 0)
		service->feed_at = clock_monotonic();
}

void service_ready(struct service *service)
{
	service->ready = true;
	service->owes_ready = owe(service, tell(service, "READY=1"));
}

void service_started(struct service *service)
{
	if (!service->ready)
		service_ready(service);
}

/* The manager's clock is CLOCK_MONOTONIC, which stands still while the host sleeps. */
void service_reloading(struct service *service)
{
	char message[MESSAGE_SIZE];
	struct timespec now = { 0 };

	if (!service->ready)
		return;
	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	(void)snprintf(message, sizeof(message), "RELOADING=1\nMONOTONIC_USEC=%" PRId64,
		       (int64_t)now.tv_sec * CLOCK_SECOND + now.tv_nsec / 1000);
	(void)tell(service, message);
}

void service_reloaded(struct service *service)
{
	if (service->ready)
		service_ready(service);
}

void service_stopping(struct service *service)
{
	(void)tell(service, "STOPPING=1");
}

static void tell_status(struct service *service)
{
	char message[MESSAGE_SIZE];

	(void)snprintf(message, sizeof(message), "STATUS=%s", service->status);
	service->owes_status = owe(service, tell(service, message));
}

/* Cut before a character that does not fit: a manager may refuse what is no UTF-8. */
void service_status(struct service *service, const char *text)
{
	char status[SERVICE_STATUS_SIZE];
	size_t length = strnlen(text, sizeof(status) - 1);

	while (length > 0 && ((unsigned char)text[length] & 0xc0) == 0x80)
		length--;
	(void)snprintf(status, sizeof(status), "%.*s", (int)length, text);
	if (!service->socket || strcmp(service->status, status) == 0)
		return;
	memcpy(service->status, status, sizeof(status));
	tell_status(service);
}

void service_waits(struct service *service, const char *status, bool with_wait)
{
	service_status(service, status);
	if (with_wait)
		service_started(service);
}

void service_feed(struct service *service, bool turning)
{
	int64_t now = clock_monotonic();

	if (now < service->feed_at)
		return;
	service->feed_at = service->watchdog > 0 ? now + service->watchdog / FEEDINGS : CLOCK_NEVER;
	if (service->owes_ready)
		service_ready(service);
	if (service->owes_status)
		tell_status(service);
	if (service->watchdog > 0 && turning)
		(void)tell(service, "WATCHDOG=1");
}
