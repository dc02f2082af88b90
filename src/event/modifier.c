/* Modifier letters: a table of what each sets, and their meaning as attribute bits. */
#include "event/modifier.h"

#include <string.h>

struct letter {
	char letter;
	size_t offset; /* of the bool in struct modifiers */
};

static const struct letter letters_known[] = {
	{ 'u', offsetof(struct modifiers, user) },        { 'k', offsetof(struct modifiers, kernel) },
	{ 'h', offsetof(struct modifiers, hypervisor) },  { 'G', offsetof(struct modifiers, guest) },
	{ 'H', offsetof(struct modifiers, host) },        { 'I', offsetof(struct modifiers, no_idle) },
	{ 'P', offsetof(struct modifiers, precise_max) }, { 'D', offsetof(struct modifiers, pinned) },
	{ 'e', offsetof(struct modifiers, exclusive) },   { 'W', offsetof(struct modifiers, weak) },
	{ 'S', offsetof(struct modifiers, sample_read) },
};

enum { PRECISE_LIMIT = 3 };

static const struct letter *letter_find(char c)
{
	for (size_t i = 0; i < ARRAY_SIZE(letters_known); i++)
		if (letters_known[i].letter == c)
			return &letters_known[i];
	return NULL;
}

bool modifiers_valid(const char *letters, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (letters[i] != 'p' && !letter_find(letters[i]))
			return false;
	return true;
}

static struct error *precise_add(unsigned *precise)
{
	if (*precise == PRECISE_LIMIT)
		return error_new(ERROR_USAGE, "event modifier 'p' given more than %d times", PRECISE_LIMIT);
	++*precise;
	return NULL;
}

static struct error *letter_add(char c, struct modifiers *seen)
{
	const struct letter *known = letter_find(c);

	if (c == 'p')
		return precise_add(&seen->precise);
	if (!known)
		return error_hint(error_new(ERROR_USAGE, "unknown event modifier '%c'", c),
				  "modifiers are u k h G H I p P D e W S; see perfmini-events(5)");

	bool *flag = (bool *)((char *)seen + known->offset);

	if (*flag)
		return error_new(ERROR_USAGE, "event modifier '%c' given twice", c);
	*flag = true;
	return NULL;
}

static void modifiers_merge(const struct modifiers *from, struct modifiers *into)
{
	for (size_t i = 0; i < ARRAY_SIZE(letters_known); i++) {
		size_t offset = letters_known[i].offset;

		*(bool *)((char *)into + offset) |= *(const bool *)((const char *)from + offset);
	}
	if (from->precise > into->precise)
		into->precise = from->precise;
	into->any = true;
}

struct error *modifiers_parse(const char *letters, size_t length, struct modifiers *ret)
{
	struct modifiers seen = { 0 };

	for (size_t i = 0; i < length; i++) {
		struct error *err = letter_add(letters[i], &seen);

		if (err)
			return err;
	}
	if (length)
		modifiers_merge(&seen, ret);
	return NULL;
}

/* perf leaves guests out of a plain event and of one with u or p, but not once it has another letter of its own. */
static bool guests_left_out(const struct modifiers *modifiers)
{
	if (modifiers->guest || modifiers->host)
		return !modifiers->guest;
	return !modifiers->any || modifiers->user || modifiers->precise;
}

void modifiers_apply(const struct modifiers *modifiers, bool core, struct event *event)
{
	struct perf_event_attr *attr = &event->attr;
	bool levels = modifiers->user || modifiers->kernel || modifiers->hypervisor;

	attr->exclude_user |= levels && !modifiers->user;
	attr->exclude_kernel |= levels && !modifiers->kernel;
	attr->exclude_hv |= levels && !modifiers->hypervisor;
	attr->exclude_host = modifiers->guest && !modifiers->host;
	attr->exclude_guest = (core || modifiers->host) && guests_left_out(modifiers);
	attr->exclude_idle = modifiers->no_idle;
	attr->precise_ip = modifiers->precise_max ? PRECISE_LIMIT : modifiers->precise;
	attr->pinned = modifiers->pinned;
	attr->exclusive = modifiers->exclusive;
	event->weak = modifiers->weak;
	event->sample_read = modifiers->sample_read;
	event->precise_max = modifiers->precise_max;
}
