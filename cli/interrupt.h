/*
 * For commands of many transactions: INT and TERM are blocked, and the command asks for them
 * between two transactions, so that they do not interrupt one.
 */
#ifndef INTERRUPT_H
#define INTERRUPT_H

void interrupt_hold(void);

/* The signal that is pending, or 0. */
int interrupt_asked(void);

/* The exit status of a command that was ended by the signal, as shells report it: 130 or 143. */
#define INTERRUPT_STATUS(signal) (128 + (signal))

#endif
