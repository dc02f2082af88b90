# make             build/release/perfmini           make VARIANT=asan check    (release dev asan tsan cov fuzz)
# make demo        set up, build, count a workload  make install PREFIX=/usr DESTDIR=/tmp/stage
# make check       lint, unit and command tests     make check-all, check-guest, check-slurm, check-corpus CORPUS=DIR
# make examples    the experiments of examples/; EXAMPLE=e4-two-builds runs one
# A new source, test, page or table is found by its place: this file is not edited for it.
VERSION := 0.1.0
VARIANT ?= release
BUILD   ?= build/$(VARIANT)
PREFIX  ?= /usr/local
bindir  ?= $(PREFIX)/bin
mandir  ?= $(PREFIX)/share/man
bashdir ?= $(PREFIX)/share/bash-completion/completions
zshdir  ?= $(PREFIX)/share/zsh/site-functions

.DEFAULT_GOAL := all
include tests/deps.mk

WARNINGS := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith -Wwrite-strings -Wvla -Wundef
CFLAGS   ?= -O2 -g
override CPPFLAGS += -Isrc -I. -D_FILE_OFFSET_BITS=64 -D_GNU_SOURCE -DPERFMINI_VERSION='"$(VERSION)"'
override CFLAGS   += -std=gnu11 -pthread -fno-pie $(WARNINGS) $(shell pkg-config --cflags $(PACKAGES) 2>/dev/null)
# The libraries with large tables of addresses are linked in, at fixed places, where there is an archive: as shared
# objects their relocation takes longer than a short run of stat.
archive   = $(or $(filter /%,$(shell $(CC) -print-file-name=lib$(1).a)),-l$(1))
ARCHIVES := $(foreach lib,gsl gslcblas pfm opcodes bfd iberty,$(call archive,$(lib))) \
	$(filter /%,$(shell $(CC) -print-file-name=libsframe.a))
LDLIBS   := $(ARCHIVES) $(shell pkg-config --libs $(filter-out gsl,$(PACKAGES)) 2>/dev/null) -lpanelw -lm -ldl

CFLAGS_release :=
CFLAGS_dev  := -O0 -Werror
CFLAGS_asan := -O1 -Werror -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all
CFLAGS_tsan := -O1 -fsanitize=thread
CFLAGS_cov  := -O0 --coverage
CFLAGS_fuzz := -O1 -Werror -fsanitize=fuzzer-no-link,address,undefined
ifeq ($(VARIANT),fuzz)
CC := clang
endif
ifeq ($(origin CFLAGS_$(VARIANT)),undefined)
$(error VARIANT is one of release dev asan tsan cov fuzz, not $(VARIANT))
endif
override CFLAGS  += $(CFLAGS_$(VARIANT))
override LDFLAGS += -no-pie $(filter -fsanitize=address% -fsanitize=thread --coverage,$(CFLAGS_$(VARIANT)))

ifeq ($(V),)
Q := @
say = @printf '  %-5s %s\n' $(1) $(2)
endif

SOURCES := $(wildcard arch/*.c src/*/*.c)
OBJECTS := $(SOURCES:%.c=$(BUILD)/%.o) $(BUILD)/events/embedded.o
UNITS   := $(wildcard tests/unit/test_*.c)
UNIT_SUPPORT := $(filter-out $(UNITS),$(wildcard tests/unit/*.c))
FUZZERS := $(patsubst tests/fuzz/%.c,$(BUILD)/%,$(wildcard tests/fuzz/fuzz_*.c))
HEADERS := $(wildcard arch/*.h src/*/*.h)
PAGES   := perfmini.1 $(wildcard man/*.[1-8])
TABLES  := $(wildcard events/*.tsv)
BATS    := $(wildcard tests/cli/*.bats)

all: $(BUILD)/perfmini

$(BUILD)/perfmini: $(BUILD)/src/main.o $(BUILD)/libperfmini.a
	$(call say,LINK,$@)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) $^ $(LDLIBS) -o $@

$(BUILD)/libperfmini.a: $(OBJECTS)
	$(call say,AR,$@)
	$(Q)rm -f $@ && $(AR) rcs $@ $^

$(BUILD)/%.o: %.c $(BUILD)/flags | need-packages
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D) && $(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c $< -o $@

# What the workloads do is found by their frame pointers, up to main.
$(patsubst %,$(BUILD)/src/%,workload/%.o cmd/workload.o main.o): private override CFLAGS += \
	-fno-omit-frame-pointer -fno-optimize-sibling-calls

# Kinds of a workload that differ by build only, as programs of their own: real build ids for diff and ab.
SINGLES := $(addprefix $(BUILD)/workloads/,branch-base branch-imm branch-l1 branch-mem \
	syscall-none syscall-global syscall-imm)
workloads: $(SINGLES)
$(BUILD)/workloads/%: src/cmd/single/main.c $(wildcard src/workload/*.c) $(BUILD)/libperfmini.a
	$(call say,LINK,$@)
	$(Q)mkdir -p $(@D) && $(CC) $(CPPFLAGS) $(CFLAGS) -fno-omit-frame-pointer -fno-optimize-sibling-calls \
	-DSINGLE_WORKLOAD='"$(firstword $(subst -, ,$*))"' -DSINGLE_KIND=$(lastword $(subst -, ,$*)) \
	$< src/workload/$(firstword $(subst -, ,$*)).c $(LDFLAGS) $(BUILD)/libperfmini.a $(LDLIBS) -o $@

# events/NAME.tsv becomes  const char events_NAME_tsv[]  in the program.
$(BUILD)/events/embedded.c: $(TABLES) tests/lint/embed.sh
	$(Q)mkdir -p $(@D) && sh tests/lint/embed.sh $(TABLES) > $@
$(BUILD)/events/embedded.o: $(BUILD)/events/embedded.c $(BUILD)/flags
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) -c $< -o $@

# Changed flags or compiler rebuild everything; the same ones nothing.
$(BUILD)/flags: FORCE
	@mkdir -p $(@D) && echo '$(CC) $(CPPFLAGS) $(CFLAGS)' | cmp -s - $@ || echo '$(CC) $(CPPFLAGS) $(CFLAGS)' > $@

# Tests collect themselves: any  void test_MODULE__what_holds(void **state)  in tests/unit/test_*.c.
$(BUILD)/unit_tests.h: $(UNITS)
	$(Q)mkdir -p $(@D) && sed -n 's/^void \(test_[a-z0-9_]*\)(void \*\*state)$$/TEST(\1)/p' $(UNITS) > $@

$(BUILD)/tests/unit/%.o: private override CPPFLAGS += -Itests -I$(BUILD) -DTESTS='"$(CURDIR)/tests"'
$(BUILD)/tests/unit/%.o: private override CFLAGS += -Wno-missing-prototypes -Wno-write-strings
$(BUILD)/tests/unit/run.o: $(BUILD)/unit_tests.h

$(BUILD)/unit: $(UNITS:%.c=$(BUILD)/%.o) $(UNIT_SUPPORT:%.c=$(BUILD)/%.o) $(BUILD)/libperfmini.a
	$(call say,LINK,$@)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) $^ $(LDLIBS) -lcmocka -o $@

# On a fresh machine the second make sees what the first one installed.
check:
	@$(have_test_packages) || $(MAKE) --no-print-directory deps
	@$(MAKE) --no-print-directory check-installed
check-installed: all check-lint check-unit check-cli check-fuzz-corpus

# UNIT=text runs the unit tests whose name holds it; CLI=stat the command tests of that file.
check-unit: $(BUILD)/unit
	$(Q)$< $(UNIT)

check-cli: $(BUILD)/perfmini $(SINGLES)
	$(Q)PERFMINI=$(abspath $(BUILD))/perfmini bats $(if $(CLI),tests/cli/$(CLI).bats,$(BATS))

check-lint: check-layers check-headers check-registry check-sizes check-shell

check-layers:
	$(Q)awk -f tests/lint/layers.awk src/LAYERS $(SOURCES) $(HEADERS)

# Every command has its source, page and tests; every option stands in its page.
check-registry: $(BUILD)/perfmini
	$(Q)sh tests/lint/registry.sh $<

# Each header compiles alone.
check-headers:
	$(Q)for h in $(HEADERS); do echo "#include \"$${h#src/}\"" | \
	$(CC) $(CPPFLAGS) $(CFLAGS) -fsyntax-only -xc - || exit 1; done

# Functions up to 60 lines, files up to 500, headers up to 150.
check-sizes:
	$(Q)if command -v ctags >/dev/null; then \
	ctags -x --c-kinds=f --_xformat='%N %n %e %F' $(SOURCES) | awk -v limit=60 -f tests/lint/sizes.awk; \
	else echo 'skipped: check-sizes (no ctags)'; fi
	$(Q)wc -l $(SOURCES) $(HEADERS) | awk '$$2 ~ /\.c$$/ && $$1 > 500 || $$2 ~ /\.h$$/ && $$1 > 150 \
	{ print $$2 ": " $$1 " lines"; bad = 1 } END { exit bad }'

# In a test "! command" alone fails nothing: it needs "|| false" behind it.
check-shell:
	$(Q)! grep -nE '^[[:space:]]*! ' $(BATS) | grep -v '||'
	$(Q)if command -v shellcheck >/dev/null; then \
	shellcheck -S warning $$(find tests .ci examples -name "*.sh" -o -path .ci/run -o -path "examples/*/run" -o -name pmu-guest -o -path tests/slurm/cluster); else echo 'skipped: check-shell (no shellcheck)'; fi

# Inputs that once broke something, replayed through each fuzz target without a fuzzer.
check-fuzz-corpus: $(FUZZERS:$(BUILD)/%=$(BUILD)/replay_%)
	$(Q)for t in $^; do d=tests/fuzz/corpus/$${t##*/replay_fuzz_}; [ ! -d $$d ] || $$t $$d/* || exit 1; done

$(BUILD)/replay_fuzz_%: tests/fuzz/fuzz_%.c tests/fuzz/replay.c $(BUILD)/libperfmini.a
	$(call say,LINK,$@)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS) $^ $(LDLIBS) -o $@

# VARIANT=fuzz make fuzz: the libFuzzer programs.
fuzz: $(FUZZERS)
$(BUILD)/fuzz_%: tests/fuzz/fuzz_%.c $(BUILD)/libperfmini.a
	$(call say,LINK,$@)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS) -fsanitize=fuzzer $^ $(LDLIBS) -o $@

check-guest: all
	$(Q)PMU_GUEST_PKGS='$(filter %-dev,$(DEBIAN_BUILD))' tests/guest/run.sh $(BUILD) $(GUEST)

check-slurm: all
	$(Q)tests/slurm/run.sh $(BUILD)

check-corpus: all
	$(Q)sh tests/corpus/run.sh $(BUILD)/perfmini '$(CORPUS)'

check-all: check
	$(MAKE) VARIANT=asan check
	$(MAKE) VARIANT=tsan check-unit
	$(MAKE) VARIANT=cov all
	$(MAKE) VARIANT=dev CC=clang BUILD=build/clang all build/clang/unit
	$(MAKE) check-valgrind

# The command tests again, each perfmini of theirs under valgrind.
check-valgrind: all
	$(Q)if command -v valgrind >/dev/null; then tests/lint/valgrind.sh $(abspath $(BUILD)) \
	$(filter-out %/install.bats %/completion.bats %/pages.bats,$(BATS)); \
	else echo 'skipped: check-valgrind (no valgrind)'; fi

golden: all
	sh tests/golden/run.sh --rewrite $(BUILD)/perfmini

# Set up, build, and count a workload: what the README shows.
DEMO := stat --repeat 5 perfmini workload pipe 100000
demo:
	@$(have_packages) || $(MAKE) --no-print-directory deps DEPS=build
	@$(MAKE) --no-print-directory all
	@echo '$$ perfmini $(DEMO)'
	@PATH="$(abspath $(BUILD)):$$PATH" perfmini $(DEMO)

# Each experiment in a folder of its own below the build, where its files stay.
EXAMPLES := $(notdir $(patsubst %/run,%,$(wildcard examples/*/run)))
examples: all workloads
	$(Q)for e in $(or $(EXAMPLE),$(EXAMPLES)); do echo "== $$e"; mkdir -p $(BUILD)/examples/$$e && (cd $(BUILD)/examples/$$e && \
	PERFMINI=$(abspath $(BUILD))/perfmini $(CURDIR)/examples/$$e/run) || exit 1; done

install: all
	install -D -m 755 $(BUILD)/perfmini $(DESTDIR)$(bindir)/perfmini
	for page in $(PAGES); do install -D -m 644 $$page $(DESTDIR)$(mandir)/man$${page##*.}/$${page##*/} || exit 1; done
	install -D -m 644 src/cmd/completion/perfmini.bash $(DESTDIR)$(bashdir)/perfmini
	install -D -m 644 src/cmd/completion/perfmini.zsh $(DESTDIR)$(zshdir)/_perfmini

uninstall:
	rm -f $(DESTDIR)$(bindir)/perfmini $(DESTDIR)$(bashdir)/perfmini $(DESTDIR)$(zshdir)/_perfmini
	for page in $(PAGES); do rm -f $(DESTDIR)$(mandir)/man$${page##*.}/$${page##*/}; done

clean:
	rm -rf build

FORCE:
.PHONY: all workloads demo examples check check-installed check-unit check-cli check-lint check-layers check-registry check-headers check-sizes check-shell \
	check-fuzz-corpus check-guest check-slurm check-corpus check-all check-valgrind golden fuzz install uninstall clean FORCE
.DELETE_ON_ERROR:
.SECONDARY:

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
