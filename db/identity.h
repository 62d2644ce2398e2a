/*
 * Which server a connection found. Another one than the last time may lack what that had confirmed:
 * a replica that was promoted, a node of a cluster, a restored backup under the same address.
 */
#ifndef IDENTITY_H
#define IDENTITY_H

struct identity {
	char text[128]; /* of the last connection that was told; "" = none yet */
	unsigned met;   /* how often it was another one than before */
};

/* A new connection's server; "" = it does not tell. */
void identity_seen(struct identity *identity, const char *text);

#endif
