/*
 * Reports to a service manager (systemd's Type=notify). If NOTIFY_SOCKET is set, dray sends
 * datagrams to the socket that it names; otherwise nothing here has an effect.
 */
#ifndef SERVICE_H
#define SERVICE_H

#include <stdbool.h>
#include <stdint.h>

#define SERVICE_STATUS_SIZE 192

struct service {
	const char *socket; /* from the environment; NULL = there is no service manager */
	int64_t watchdog;   /* how often it must hear from us, microseconds; 0 = it need not */
	int64_t feed_at;    /* clock_monotonic: when service_feed is due; CLOCK_NEVER = never */
	bool ready;
	bool owes_ready, owes_status;     /* not sent yet, because it was busy */
	char status[SERVICE_STATUS_SIZE]; /* as last sent */
};

/* Reads the environment. */
void service_open(struct service *service);

/* Reports that everything that is configured works. */
void service_ready(struct service *service);

/* The same, if it has not been reported. */
void service_started(struct service *service);

/* The start waits for its database; with --wait it has ended, as nobody need wait with it. */
void service_waits(struct service *service, const char *status, bool with_wait);

/* Reloads before readiness are part of the start and not reported. */
void service_reloading(struct service *service);
void service_reloaded(struct service *service);
void service_stopping(struct service *service);

/* One line for people, sent if it has changed. */
void service_status(struct service *service, const char *text);

/* Feeds the watchdog if that is due and all loops turn, and repeats what could not be sent. */
void service_feed(struct service *service, bool turning);

#endif
