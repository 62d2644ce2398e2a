/*
 * INT and TERM while a command works in many transactions: they are kept back and asked for
 * between two, so that neither ends one in its middle.
 */
#ifndef INTERRUPT_H
#define INTERRUPT_H

void interrupt_hold(void);

/* The signal that has come, or 0. */
int interrupt_asked(void);

/* The exit status of a command that ended because of it, as shells tell it: 130 or 143. */
#define INTERRUPT_STATUS(signal) (128 + (signal))

#endif
