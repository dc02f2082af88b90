/* Turning what a machine of the other byte order wrote into our own. */
#ifndef PERFDATA_BYTEORDER_H
#define PERFDATA_BYTEORDER_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perfdata/layout.h"

/* Words at any alignment, in file order. */
uint64_t get_u64(const void *at, bool swapped);
uint32_t get_u32(const void *at, bool swapped);

/* At any alignment. */
void swap_u64s(void *words, size_t count);

/* A word of two u32 that was swapped as one word: its halves changed places. */
void exchange_halves(void *word);

/* In place. */
void attr_swap(struct perf_event_attr *attr);

/* The body of a record of type (not SAMPLE), in place; tail_size: bytes of the sample_id at its end. Text and
 * build ids stay as they are. size: bytes of the body. */
void record_swap(uint32_t type, uint16_t misc, void *body, size_t size, size_t tail_size);
/* The sample_id at the end of a record's body. */
void sample_id_swap(const struct sample_layout *layout, void *body, size_t size);
/* The flags word of a branch entry, already swapped as a word: the bit fields stand the other way round. */
uint64_t branch_flags_swap(uint64_t flags);

#endif
