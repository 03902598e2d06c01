/* What the HPU does for a handler: the functions of calls.c, each a jump into the runtime. The order is that of enum spin_call. */
#ifndef ISLE_SPIN_CALLS_H
#define ISLE_SPIN_CALLS_H

#include <stdint.h>

#define ISLE_SPIN_IMAGE_MAGIC 0x4e495053u /* "SPIN" */
#define ISLE_SPIN_IMAGE_VERSION 1u

#define ISLE_SPIN_CALLS(X) \
    X(isle_send) X(isle_put) X(isle_to_host) X(isle_from_host) X(isle_host_word) X(isle_copy) X(isle_host_wait) X(isle_cycles) X(isle_self) \
        X(isle_print) X(isle_reserve) X(isle_store_reserved) X(isle_pause) X(isle_exit)

/* Each returns 0 or SPIN_FAIL where nothing else is said. Host addresses come in two halves. */
uint32_t isle_send(const void *frame, uint32_t length);
uint32_t isle_put(uint32_t destination, const void *data, uint32_t length);
uint32_t isle_to_host(uint32_t high, uint32_t low, uint32_t from, uint32_t length);
uint32_t isle_from_host(uint32_t high, uint32_t low, uint32_t to, uint32_t length);
uint32_t isle_host_word(uint32_t high, uint32_t low, uint32_t data_high, uint32_t data_low);
uint32_t isle_copy(const void *from, void *to, uint32_t length);
/* Waits until the host has answered the request of this number. */
uint32_t isle_host_wait(uint32_t number);
uint32_t isle_cycles(void);
/* The HPU's number. */
uint32_t isle_self(void);
uint32_t isle_print(const char *text, uint32_t length);
uint32_t isle_reserve(volatile const uint32_t *word);
/* 0: stored. */
uint32_t isle_store_reserved(volatile uint32_t *word, uint32_t value);
uint32_t isle_pause(uint32_t cycles);
/* Ends the handler as a trap does. */
uint32_t isle_exit(uint32_t cause);

#endif
