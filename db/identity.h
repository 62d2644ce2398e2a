/*
 * Which server a connection has reached. A different one than before may lack what that one had
 * confirmed: a replica that was promoted, a node of a cluster, a restored backup under the same
 * address.
 */
#ifndef IDENTITY_H
#define IDENTITY_H

struct identity {
	char text[128]; /* of the last server that reported it; "" = none yet */
	unsigned met;   /* how often it differed from the one before */
};

/* The server of a new connection; "" = it does not report its identity. */
void identity_seen(struct identity *identity, const char *text);

#endif
