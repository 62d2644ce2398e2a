/*
 * What a service manager is told (systemd's Type=notify): datagrams to the socket that
 * NOTIFY_SOCKET names. Without one everything here does nothing.
 */
#ifndef SERVICE_H
#define SERVICE_H

#include <stdbool.h>
#include <stdint.h>

#define SERVICE_STATUS_SIZE 192

struct service {
	const char *socket; /* in the environment; NULL = nobody wants to know */
	int64_t watchdog;   /* it must hear from us so often, microseconds; 0 = need not */
	int64_t feed_at;    /* clock_monotonic: when service_feed is due; CLOCK_NEVER = never */
	bool ready;
	bool owes_ready, owes_status;     /* it was too busy to be told */
	char status[SERVICE_STATUS_SIZE]; /* as it was told */
};

/* Looks at the environment. */
void service_open(struct service *service);

/* Working: once all that was configured is. */
void service_ready(struct service *service);

/* Before it is ready, reloads are part of its start, and not told. */
void service_reloading(struct service *service);
void service_reloaded(struct service *service);
void service_stopping(struct service *service);

/* One line for people, sent when it is another one. */
void service_status(struct service *service, const char *text);

/* Feeds the watchdog when that is due and all loops turn, and tells what it could not be told. */
void service_feed(struct service *service, bool turning);

#endif
