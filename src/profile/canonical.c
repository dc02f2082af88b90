/* Names as they stay across builds. */
#include "profile/canonical.h"

#include <ctype.h>
#include <string.h>

enum suffix_number { NUMBER_NONE, NUMBER_OPTIONAL, NUMBER_NEEDED };

/* A suffix that a compiler or linker appends. Source: GCC's clone_function_name(), LLVM's GlobalOpt, hot-cold splitting,
 * function specialisation, coroutine splitting, ThinLTO promotion and -funique-internal-linkage-names. */
static const struct suffix {
	const char *text;
	enum suffix_number number;
	enum name_variant variant;
} suffixes[] = {
	{ ".llvm", NUMBER_NEEDED, NAME_PRIVATE },     { ".__uniq", NUMBER_NEEDED, NAME_PRIVATE },
	{ ".lto_priv", NUMBER_NEEDED, NAME_PRIVATE }, { ".localalias", NUMBER_OPTIONAL, NAME_PRIVATE },
	{ ".cfi", NUMBER_NONE, NAME_PRIVATE },        { ".constprop", NUMBER_NEEDED, NAME_PIECE },
	{ ".isra", NUMBER_NEEDED, NAME_PIECE },       { ".part", NUMBER_NEEDED, NAME_PIECE },
	{ ".cold", NUMBER_OPTIONAL, NAME_PIECE },     { ".clone", NUMBER_NEEDED, NAME_PIECE },
	{ ".specialized", NUMBER_NEEDED, NAME_PIECE }, { ".resume", NUMBER_NONE, NAME_PIECE },
	{ ".destroy", NUMBER_NONE, NAME_PIECE },      { ".cleanup", NUMBER_NONE, NAME_PIECE },
};

/* Where ".123" at the end begins, or length when there is none. */
static size_t before_number(const char *name, size_t length)
{
	size_t at = length;

	while (at && isdigit((unsigned char)name[at - 1]))
		at--;
	return at && at < length && name[at - 1] == '.' ? at - 1 : length;
}

/* Length of name without this suffix; length itself when it does not end so. */
static size_t cut_suffix(const char *name, size_t length, const struct suffix *suffix)
{
	size_t size = strlen(suffix->text), numbered = before_number(name, length);
	size_t end = suffix->number == NUMBER_NONE ? length : numbered;

	if (suffix->number == NUMBER_NEEDED && numbered == length)
		return length;
	if (end > size && !memcmp(name + end - size, suffix->text, size))
		return end - size;
	return length;
}

/* "@GLIBC_2.4" and "@@GLIBC_2.4"; "@plt" names another function and stays. */
static size_t cut_version(const char *name, size_t length)
{
	const char *at = memchr(name, '@', length);

	if (!at || at == name || !strcmp(at, "@plt"))
		return length;
	return (size_t)(at - name);
}

/* The hash of Rust's legacy mangling: "17h0123456789abcdefE" at the end of a _ZN name. Its length, 0 for none. */
static size_t rust_hash_length(const char *name, size_t length)
{
	enum { HASH = 16, WHOLE = 3 + HASH + 1 };

	if (length <= WHOLE || strncmp(name, "_ZN", 3) || memcmp(name + length - WHOLE, "17h", 3) ||
	    name[length - 1] != 'E')
		return 0;
	for (size_t i = length - 1 - HASH; i < length - 1; i++)
		if (!isxdigit((unsigned char)name[i]))
			return 0;
	return WHOLE;
}

/* Take off one suffix; the length as it was when none is left. */
static size_t cut_one(const char *name, size_t length, enum name_variant *variant)
{
	size_t cut;

	for (size_t i = 0; i < ARRAY_SIZE(suffixes); i++) {
		cut = cut_suffix(name, length, &suffixes[i]);
		if (cut == length)
			continue;
		if (*variant != NAME_PIECE)
			*variant = suffixes[i].variant;
		return cut;
	}
	return length;
}

enum name_variant canonical_name(const char *mangled, struct text *ret)
{
	enum name_variant variant = NAME_PLAIN;
	size_t whole = strlen(mangled), length = cut_version(mangled, whole);

	if (length < whole)
		variant = NAME_PRIVATE;
	for (;;) {
		size_t cut = cut_one(mangled, length, &variant);

		if (cut == length)
			break;
		length = cut;
	}

	/* Some toolchains append ".N" behind the hash. */
	size_t numbered = before_number(mangled, length);
	size_t hash = rust_hash_length(mangled, numbered);

	if (!hash) {
		text_append_bytes(ret, mangled, length);
		return variant;
	}
	text_append_bytes(ret, mangled, numbered - hash);
	text_append_char(ret, 'E');
	return variant == NAME_PIECE ? NAME_PIECE : NAME_PRIVATE;
}

bool name_is_numbered(const char *demangled)
{
	return strstr(demangled, "{lambda(") || strstr(demangled, "{unnamed type#") || strstr(demangled, "{closure#") ||
	       strstr(demangled, "'lambda") || strstr(demangled, "__cxx_global_var_init");
}

static const char anonymous[] = "(anonymous namespace)";

/* The end of a bracketed part that begins at open; NULL when it is never closed. */
static const char *bracket_end(const char *open)
{
	char closing = *open == '<' ? '>' : *open == '(' ? ')' : '}';
	int depth = 0;

	for (const char *at = open; *at; at++) {
		if (closing == '>' && at > open && at[-1] == '-' && *at == '>')
			continue; /* "->" in a decltype */
		if (*at == *open)
			depth++;
		else if (*at == closing && --depth == 0)
			return at + 1;
	}
	return NULL;
}

/* Length of "operator<<" and the like at text, so that its characters are not taken for brackets; else 0. */
static size_t operator_length(const char *text)
{
	static const char *const symbols[] = { "()", "[]", "<<=", ">>=", "<=>", "->*", "<<", ">>", "<=", ">=", "->", "<", ">" };

	if (strncmp(text, "operator", 8))
		return 0;
	for (size_t i = 0; i < ARRAY_SIZE(symbols); i++)
		if (text_starts_with(text + 8, symbols[i]))
			return 8 + strlen(symbols[i]);
	return text[8] == ' ' ? strcspn(text, "(") : 8; /* a conversion: "operator bool" */
}

/* One piece of a demangled name: copies what stays, forgets a return type at a blank. Returns where to go on. */
static const char *copy_piece(const char *at, struct text *ret, size_t start)
{
	size_t operator = operator_length(at);

	if (operator) {
		text_append_bytes(ret, at, operator);
		return at + operator;
	}
	if (text_starts_with(at, anonymous)) {
		text_append(ret, anonymous);
		return at + strlen(anonymous);
	}
	if (*at == '{') { /* {lambda(int)#2}: the word stays, parameters and number go */
		const char *end = bracket_end(at);
		size_t word = strcspn(at, "(#}");

		text_append_bytes(ret, at, word);
		text_append_char(ret, '}');
		return end ? end : at + strlen(at);
	}
	if (*at == '<' || *at == '(') {
		const char *end = bracket_end(at);

		return end ? end : at + strlen(at);
	}
	if (*at == ' ' && (at[1] == '<' || at[1] == '(')) /* "operator<< <char>" */
		return at + 1;
	if (*at == ' ' && strncmp(at, " const", 6) && strncmp(at, " [clone", 7)) {
		ret->length = start; /* what stood before was the return type */
		ret->bytes[start] = '\0';
		return at + 1;
	}
	if (*at == ' ')
		return at + strlen(at);
	text_append_char(ret, *at);
	return at + 1;
}

void name_without_signature(const char *demangled, struct text *ret)
{
	size_t start = ret->length;

	text_append(ret, "");
	for (const char *at = demangled; *at;)
		at = copy_piece(at, ret, start);
	if (ret->length == start)
		text_append(ret, demangled);
}

/* "libx.so.1.2" and "libx-1.2.so" are "libx.so". */
static void append_library(const char *name, const char *so, struct text *ret)
{
	size_t stem = (size_t)(so - name), end = stem;

	while (end && (isdigit((unsigned char)name[end - 1]) || name[end - 1] == '.'))
		end--;
	if (end < stem && end && name[end - 1] == '-')
		stem = end - 1;
	text_append_bytes(ret, name, stem);
	text_append(ret, ".so");
}

/* The first ".so" that ends the name or begins a version; NULL for none. */
static const char *library_suffix(const char *name)
{
	for (const char *so = strstr(name, ".so"); so; so = strstr(so + 1, ".so"))
		if (so[3] == '\0' || (so[3] == '.' && isdigit((unsigned char)so[4])))
			return so;
	return NULL;
}

static void append_module(const char *name, size_t length, struct text *ret)
{
	text_append_char(ret, '[');
	for (size_t i = 0; i < length; i++) /* file names have '-', modules '_' */
		text_append_char(ret, name[i] == '-' ? '_' : name[i]);
	text_append_char(ret, ']');
}

void canonical_object(const char *path, struct text *ret)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	const char *so = library_suffix(name), *ko = strstr(name, ".ko"), *deleted = strstr(name, " (deleted)");

	if (text_starts_with(path, "[kernel") || text_starts_with(path, "[guest.kernel") ||
	    text_starts_with(name, "vmlinux"))
		text_append(ret, "[kernel]");
	else if (path[0] == '[')
		text_append(ret, path);
	else if (ko && (!ko[3] || ko[3] == '.'))
		append_module(name, (size_t)(ko - name), ret);
	else if (so && (!deleted || so < deleted))
		append_library(name, so, ret);
	else
		text_append_bytes(ret, name, deleted ? (size_t)(deleted - name) : strlen(name));
}
