/*
 * A server that is none: it greets as a MySQL or PostgreSQL server does, with a certificate of its
 * own making or without TLS, asks for the password in the clear, and remembers whether it came.
 */
#ifndef IMPOSTOR_H
#define IMPOSTOR_H

#include <openssl/ssl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

struct impostor_manner {
	bool postgresql; /* else MySQL */
	bool tls;
	const char *plugin;   /* MySQL: what it asks for, such as "mysql_clear_password" */
	const char *question; /* MySQL: the plugin's first data; NULL = none */
	bool at_once;         /* MySQL: the greeting asks already */
};

struct impostor {
	struct impostor_manner manner;
	const char *secret;   /* the password that it is after */
	int port;             /* on 127.0.0.1 */
	char certificate[64]; /* a file, to be trusted or not; "" without TLS */
	int listener;
	SSL_CTX *context;
	atomic_bool heard; /* the password */
	atomic_uint asked; /* how often it got as far as asking for it */
	pthread_t thread;
};

/* Starts one in a thread; ends the test when it cannot. */
void impostor_start(struct impostor *impostor, const struct impostor_manner *manner,
		    const char *secret);

/* Ends it. True when it was told the password, in TLS or without. */
bool impostor_end(struct impostor *impostor);

/* A context with a key of its own and a certificate for 127.0.0.1, which is written to `path`. */
SSL_CTX *impostor_context(char *path, size_t size);

#endif
