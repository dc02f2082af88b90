# What the build and the tests need from the system: Debian's names, and how each is found.
PACKAGES := libdw libelf ncursesw popt jansson gsl libzstd zlib

DEBIAN_BUILD := gcc libc6-dev pkg-config libdw-dev libelf-dev libpfm4-dev binutils-dev libiberty-dev libncurses-dev \
	libpopt-dev libjansson-dev libgsl-dev libzstd-dev zlib1g-dev
DEBIAN_TEST  := libcmocka-dev bats universal-ctags shellcheck mandoc git jq gawk

# The files that stand for the packages: the build stops early, and by name, when one is missing.
NEEDED_HEADERS := elfutils/libdw.h perfmon/pfmlib.h bfd.h dis-asm.h libiberty/demangle.h popt.h jansson.h \
	gsl/gsl_cdf.h zstd.h zlib.h ncurses.h
have_packages = pkg-config --exists $(PACKAGES) && \
	printf '\#include <%s>\n' stdio.h $(filter-out dis-asm.h bfd.h,$(NEEDED_HEADERS)) | $(CC) -E -xc - >/dev/null 2>&1

INSTALL := apt-get install -y --no-install-recommends

need-packages:
	@$(have_packages) || { echo 'missing development files. Run:  make deps   (as root; or:' >&2; \
	echo '  $(INSTALL) $(DEBIAN_BUILD)   )' >&2; exit 1; }

# Everything for the build and for `make check`. DEPS_ONLY=build leaves the tests' tools out.
deps:
	@if [ "$$(id -u)" != 0 ]; then echo 'make deps needs root. Run:' >&2; \
	echo '  sudo $(INSTALL) $(DEBIAN_BUILD) $(DEBIAN_TEST)' >&2; exit 1; fi
	@command -v apt-get >/dev/null || { echo 'make deps knows apt only; install what provides: $(NEEDED_HEADERS)' >&2; exit 1; }
	apt-get update -q
	DEBIAN_FRONTEND=noninteractive $(INSTALL) $(DEBIAN_BUILD) $(if $(filter build,$(DEPS_ONLY)),,$(DEBIAN_TEST))

.PHONY: deps need-packages
