/* Naming and numbering of mapped objects. */
#include "profile/object.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/intern.h"
#include "base/memory.h"
#include "base/text.h"
#include "perfdata/record.h"
#include "profile/index.h"

struct objects_index {
	struct index by_identity;
};

size_t object_kernel_name_length(const char *path)
{
	static const char *const names[] = { "[kernel.kallsyms]", "[kernel.vmlinux]", "[kernel]",
					     "[guest.kernel.kallsyms" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (text_starts_with(path, names[i])) {
			const char *close = strchr(path, ']');

			return close ? (size_t)(close - path) + 1 : strlen(path);
		}
	return 0;
}

static bool is_anonymous(const char *path)
{
	return !strcmp(path, "//anon") || text_starts_with(path, "//anon ") || text_starts_with(path, "/dev/zero") ||
	       text_starts_with(path, "/anon_hugepage") || text_starts_with(path, "[anon:") ||
	       text_starts_with(path, "/memfd:");
}

static bool is_special(const char *path)
{
	return text_starts_with(path, "[stack") || text_starts_with(path, "/SYSV") || !strcmp(path, "[heap]");
}

/* "/lib/modules/6.1/kernel/fs/ext4-fs.ko.xz" is shown as "[ext4_fs]". */
static const char *module_shown(struct objects *objects, const char *path)
{
	const char *base = text_base_name(path);
	const char *dot = strstr(base, ".ko");
	auto_text struct text out = { 0 };

	if (base[0] == '[')
		return intern_text(objects->names, base);
	text_append_char(&out, '[');
	for (const char *c = base; *c && c != dot; c++)
		text_append_char(&out, *c == '-' ? '_' : *c);
	text_append_char(&out, ']');
	return intern_text(objects->names, out.bytes);
}

static const char *jit_shown(struct objects *objects, uint32_t pid)
{
	char name[32];

	snprintf(name, sizeof(name), "[JIT] tid %u", pid);
	return intern_text(objects->names, name);
}

static enum object_kind mapping_kind(const struct mapping_record *mapping, bool is_kernel)
{
	if (is_kernel)
		return object_kernel_name_length(mapping->path) ? OBJECT_KERNEL : OBJECT_MODULE;
	if (is_anonymous(mapping->path))
		return OBJECT_ANONYMOUS;
	return is_special(mapping->path) ? OBJECT_SPECIAL : OBJECT_FILE;
}

static uint32_t objects_append(struct objects *objects, const struct object *object)
{
	array_grow(&objects->items, objects->count, &objects->capacity);
	objects->items[objects->count] = *object;
	return (uint32_t)objects->count++;
}

static uint64_t identity(const struct object *object)
{
	uint64_t hash = hash_combine(object->kind, (uintptr_t)object->path);

	if (object->kind == OBJECT_ANONYMOUS || object->kind == OBJECT_SPECIAL)
		hash = hash_combine(hash, object->pid);
	if (object->kind == OBJECT_KSYMBOL)
		hash = hash_combine(hash, object->load_address);
	return hash_combine(hash, hash_bytes(object->build_id, object->build_id_size));
}

static uint32_t objects_intern(struct objects *objects, const struct object *object)
{
	uint64_t key = identity(object);
	uint32_t found = index_find(&objects->index->by_identity, key);

	if (found == INDEX_NONE) {
		found = objects_append(objects, object);
		index_add(&objects->index->by_identity, key, found);
	}
	return found;
}

static void copy_build_id(struct object *object, const uint8_t *build_id, size_t size)
{
	object->build_id_size = size <= sizeof(object->build_id) ? size : sizeof(object->build_id);
	if (object->build_id_size)
		memcpy(object->build_id, build_id, object->build_id_size);
}

/* "[kernel.kallsyms]_text" with the symbol's address as its offset. */
static struct kernel_reference kernel_reference(struct objects *objects, const struct mapping_record *mapping)
{
	const char *symbol = mapping->path + object_kernel_name_length(mapping->path);

	return (struct kernel_reference){ intern_text(objects->names, *symbol ? symbol : "_text"),
					  mapping->file_offset ? mapping->file_offset : mapping->address };
}

uint32_t objects_of_mapping(struct objects *objects, const struct mapping_record *mapping, bool is_kernel)
{
	struct object object = { .kind = mapping_kind(mapping, is_kernel), .pid = mapping->pid };

	copy_build_id(&object, mapping->build_id, mapping->build_id ? mapping->build_id_size : 0);
	object.path = intern_text(objects->names, mapping->path);
	object.shown = intern_text(objects->names, text_base_name(mapping->path));
	switch (object.kind) {
	case OBJECT_KERNEL:
		object.path = intern_bytes(objects->names, mapping->path, object_kernel_name_length(mapping->path));
		object.shown = object.path;
		object.reference = kernel_reference(objects, mapping);
		break;
	case OBJECT_MODULE:
		object.shown = module_shown(objects, mapping->path);
		object.load_address = mapping->address;
		break;
	case OBJECT_ANONYMOUS:
		object.shown = jit_shown(objects, mapping->pid);
		break;
	default:
		break;
	}
	return objects_intern(objects, &object);
}

uint32_t objects_of_ksymbol(struct objects *objects, const struct ksymbol_record *symbol)
{
	struct object object = { .kind = OBJECT_KSYMBOL, .load_address = symbol->address, .length = symbol->length };

	object.path = object.shown = intern_text(objects->names, symbol->name);
	return objects_intern(objects, &object);
}

uint32_t objects_kernel(struct objects *objects)
{
	struct object object = { .kind = OBJECT_KERNEL };

	object.path = object.shown = intern_text(objects->names, "[kernel.kallsyms]");
	return objects_intern(objects, &object);
}

void objects_set_build_id(struct objects *objects, const char *path, const uint8_t *build_id, size_t size)
{
	const char *name = intern_text(objects->names, path);

	for (size_t i = 1; i < objects->count; i++)
		if (objects->items[i].path == name && !objects->items[i].build_id_size)
			copy_build_id(&objects->items[i], build_id, size);
}

struct objects *objects_create(struct intern *names)
{
	struct objects *objects = memory_zeroed(1, sizeof(*objects));
	struct object unknown = { .kind = OBJECT_UNKNOWN };

	objects->names = names;
	objects->index = memory_zeroed(1, sizeof(*objects->index));
	unknown.path = unknown.shown = intern_text(names, "[unknown]");
	objects_append(objects, &unknown);
	return objects;
}

void objects_destroy(struct objects *objects)
{
	if (!objects)
		return;
	index_release(&objects->index->by_identity);
	free(objects->index);
	free(objects->items);
	free(objects);
}
