/* libpfm4: names to attributes, which CPUs it knows, and what it lists. */
#include "event/pfm.h"

#include <linux/perf_event.h>
/* <linux/perf_event.h> must stand before libpfm4's own copy of it. */
#include <perfmon/pfmlib.h>
#include <perfmon/pfmlib_perf_event.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/text.h"
#include "event/resolve.h"

/* Events of CPUs that are not here encode only with this set when the library starts. The measured command must
 * not inherit it: it would move that command's stack. */
static bool pfm_ready(void)
{
	static const char inactive[] = "LIBPFM_ENCODE_INACTIVE";
	const char *set = getenv(inactive);

	if (!set)
		setenv(inactive, "1", 1);

	bool ready = pfm_initialize() == PFM_SUCCESS;

	if (!set)
		unsetenv(inactive);
	return ready;
}

static bool pmu_info(int pmu, pfm_pmu_info_t *info)
{
	memset(info, 0, sizeof(*info));
	info->size = sizeof(*info);
	return pfm_get_pmu_info((pfm_pmu_t)pmu, info) == PFM_SUCCESS;
}

static bool is_cpu(const pfm_pmu_info_t *info)
{
	return info->is_present && info->type == PFM_PMU_TYPE_CORE && strcmp(info->name, "ix86arch") != 0;
}

const char *pfm_host_cpu(struct arena *arena)
{
	auto_text struct text cpus = { 0 };
	struct utsname host;
	pfm_pmu_info_t info;
	int pmu;

	if (uname(&host))
		return "unknown/unknown";
	if (pfm_ready())
		pfm_for_all_pmus(pmu)
			if (pmu_info(pmu, &info) && is_cpu(&info))
				text_format(&cpus, "%s%s/%s", cpus.length ? "," : "", host.machine, info.name);
	if (!cpus.length)
		text_format(&cpus, "%s/unknown", host.machine);
	return arena_strdup(arena, cpus.bytes);
}

static int encode(const char *text, struct perf_event_attr *attr, char **full)
{
	pfm_perf_encode_arg_t arg = { .attr = attr, .fstr = full, .size = sizeof(arg) };

	*attr = (struct perf_event_attr){ .size = sizeof(*attr) };
	return pfm_get_os_event_encoding(text, PFM_PLM0 | PFM_PLM3 | PFM_PLMH, PFM_OS_PERF_EVENT_EXT, &arg);
}

/* One try: text as it is, then without its last words as long as they are modifiers of ours. *length: of what was
 * encoded. libpfm4 goes first, since a unit mask may be one letter ("snb::L2_LINES_IN:S"). */
static int encode_peeling(const char *text, struct perf_event_attr *attr, char **full, size_t *length)
{
	auto_free char *left = memory_strdup(text);

	for (;;) {
		int status = encode(left, attr, full);
		char *colon = strrchr(left, ':');

		*length = strlen(left);
		if (status == PFM_SUCCESS || !colon || colon == left || colon[-1] == ':' || !colon[1] ||
		    !modifiers_valid(colon + 1, strlen(colon + 1)))
			return status;
		*colon = '\0';
	}
}

/* The PMU a full name ("skl::UOPS_RETIRED:ALL:…") belongs to; false when it is none. */
static bool pmu_of(const char *full, pfm_pmu_info_t *info)
{
	const char *end = strstr(full, "::");
	int pmu;

	pfm_for_all_pmus(pmu)
		if (end && pmu_info(pmu, info) && strlen(info->name) == (size_t)(end - full) &&
		    !strncmp(info->name, full, (size_t)(end - full)))
			return true;
	return false;
}

struct encoded {
	struct perf_event_attr attr;
	char *full;    /* libpfm4's whole name; the caller frees */
	size_t length; /* of the text without the modifiers that follow */
	pfm_pmu_info_t pmu;
};

static void encoded_release(struct encoded *encoded)
{
	free(encoded->full);
}

/* Try "pmu::text" on every PMU for which present is as wanted. */
static int encode_on_any(const char *text, bool present, struct encoded *ret)
{
	int pmu, worst = PFM_ERR_NOTFOUND;
	pfm_pmu_info_t info;

	pfm_for_all_pmus(pmu) {
		if (!pmu_info(pmu, &info) || !info.is_present != !present)
			continue;

		auto_free char *named = memory_format("%s::%s", info.name, text);
		int status = encode_peeling(named, &ret->attr, &ret->full, &ret->length);

		if (status == PFM_SUCCESS) {
			ret->length -= strlen(named) - strlen(text);
			ret->pmu = info;
			return status;
		}
		if (status != PFM_ERR_NOTFOUND)
			worst = status;
	}
	return worst;
}

static int encode_text(const char *text, struct encoded *ret)
{
	int status;

	if (strstr(text, "::")) {
		status = encode_peeling(text, &ret->attr, &ret->full, &ret->length);
		if (status == PFM_SUCCESS && !pmu_of(ret->full, &ret->pmu))
			status = PFM_ERR_NOTFOUND;
		return status;
	}
	status = encode_on_any(text, true, ret);
	return status == PFM_ERR_NOTFOUND ? encode_on_any(text, false, ret) : status;
}

/* Levels that libpfm4 read itself become modifiers, so that a group's join them. */
static void take_modifiers(const struct perf_event_attr *attr, struct modifiers *modifiers)
{
	if (attr->exclude_user || attr->exclude_kernel) {
		modifiers->user |= !attr->exclude_user;
		modifiers->kernel |= !attr->exclude_kernel;
		modifiers->any = true;
	}
	if (attr->precise_ip > modifiers->precise)
		modifiers->precise = attr->precise_ip;
	modifiers->pinned |= attr->pinned;
	modifiers->exclusive |= attr->exclusive;
}

static void add_event(struct event_machine *machine, const struct encoded *encoded, struct event_found *found)
{
	const struct pmu_set *pmus = event_machine_pmus(machine);
	struct event *event = event_found_add(found);

	event->attr.type = encoded->attr.type;
	event->attr.config = encoded->attr.config;
	event->attr.config1 = encoded->attr.config1;
	event->attr.config2 = encoded->attr.config2;
	take_modifiers(&encoded->attr, &found->modifiers);
	for (size_t i = 0; i < pmus->count && event->attr.type > PERF_TYPE_BREAKPOINT; i++) {
		const struct pmu *pmu = &pmus->items[i];

		if (pmu->type != event->attr.type)
			continue;
		event->pmu = pmu->name;
		event->cpus = pmu->cpus;
		event->system_wide = pmu->system_wide;
	}
}

static struct error *other_cpu(struct event_machine *machine, const char *text, const struct encoded *encoded)
{
	return error_hint(error_new(ERROR_UNSUPPORTED, "event '%s' is of another CPU: %s (%s)", text,
				    encoded->pmu.desc, encoded->pmu.name),
			  "this CPU is %s; 'perfmini list' shows its events", event_machine_cpu(machine));
}

static struct error *refused(const char *text, int status)
{
	if (status == PFM_ERR_NOTFOUND)
		return error_new(ERROR_NOT_FOUND, "unknown event '%s'", text);
	if (status == PFM_ERR_ATTR || status == PFM_ERR_UMASK || status == PFM_ERR_ATTR_VAL)
		return error_hint(error_new(ERROR_NOT_FOUND, "event '%s': libpfm4: %s", text, pfm_strerror(status)),
				  "'perfmini list --details %.*s' shows its unit masks",
				  (int)strcspn(strstr(text, "::") ? strstr(text, "::") + 2 : text, ":"),
				  strstr(text, "::") ? strstr(text, "::") + 2 : text);
	if (status == PFM_ERR_NOTSUPP)
		return error_hint(error_new(ERROR_UNSUPPORTED, "event '%s': its PMU is not on this machine", text),
				  "'perfmini list' shows the events that are");
	return error_new(ERROR_USAGE, "event '%s': libpfm4: %s", text, pfm_strerror(status));
}

struct error *pfm_resolve(struct event_machine *machine, const char *text, struct event_found *found)
{
	cleanup(encoded_release) struct encoded encoded = { 0 };
	int status;

	if (strchr(text, '/') || !*text || !pfm_ready())
		return error_new(ERROR_NOT_FOUND, "unknown event '%s'", text);
	status = encode_text(text, &encoded);
	if (status != PFM_SUCCESS)
		return refused(text, status);
	if (!encoded.pmu.is_present && !machine->roots.any_cpu)
		return other_cpu(machine, text, &encoded);
	add_event(machine, &encoded, found);
	for (const char *word = text + encoded.length; *word == ':';) {
		size_t length = strcspn(word + 1, ":");
		struct error *err = modifiers_parse(word + 1, length, &found->modifiers);

		if (err)
			return err;
		word += 1 + length;
	}
	return NULL;
}

void pfm_each_event(bool any, void (*visit)(const struct pfm_event *event, void *closure), void *closure)
{
	pfm_pmu_info_t pmu;
	int id;

	if (!pfm_ready())
		return;
	pfm_for_all_pmus(id) {
		if (!pmu_info(id, &pmu) || (!any && !pmu.is_present) || pmu.type == PFM_PMU_TYPE_OS_GENERIC)
			continue;
		for (int i = pmu.first_event; i != -1; i = pfm_get_event_next(i)) {
			pfm_event_info_t info = { .size = sizeof(info) };

			if (pfm_get_event_info(i, PFM_OS_PERF_EVENT, &info) != PFM_SUCCESS)
				continue;
			visit(&(struct pfm_event){ pmu.name, pmu.desc, info.name, info.desc, pmu.is_present, i },
			      closure);
		}
	}
}

void pfm_each_mask(int index, void (*visit)(const char *name, const char *description, void *closure), void *closure)
{
	pfm_event_info_t event = { .size = sizeof(event) };

	if (pfm_get_event_info(index, PFM_OS_PERF_EVENT, &event) != PFM_SUCCESS)
		return;
	for (int i = 0; i < event.nattrs; i++) {
		pfm_event_attr_info_t mask = { .size = sizeof(mask) };

		if (pfm_get_event_attr_info(index, i, PFM_OS_PERF_EVENT, &mask) == PFM_SUCCESS &&
		    mask.type == PFM_ATTR_UMASK)
			visit(mask.name, mask.desc, closure);
	}
}
