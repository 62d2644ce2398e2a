/* What HUP means: read the files again, or the end of the terminal that we were started on. */
#ifndef HANGUP_H
#define HANGUP_H

enum hangup {
	HANGUP_RELOAD,
	HANGUP_STOP,    /* our terminal is gone */
	HANGUP_NOTHING, /* it was ignored when we were started (nohup) */
};

/* Notes how we were started, before HUP is handled. */
void hangup_init(void);

/*
 * What a HUP with this si_code means. Queued ones (SI_QUEUE) come from `dray reload`, whatever has
 * become of the terminal.
 */
enum hangup hangup_meaning(int code);

#endif
