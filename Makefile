# SPDX-License-Identifier: GPL-2.0-only
# make demo       from an empty Debian 12: set up, boot two kernels, write and print the A/B report
# make test       from an empty Debian 12: set up and pass every test, guests included
# make            build into build/         make check   all tests but the guests
# make ab-all     all topics of kernel-patches into reports/: builds, boots, hours
# make guest      the static arm64 programs that run in guests
# make check-patches   the patches apply and compile      make check-boots   their kernels pass
# make check-tamper    and a patch that is wrong does not: minutes to hours, these three
# make clang      compile everything with clang      make fuzz   build/fuzz-recording
# make O=DIR      build into DIR            make V=1     show commands
# make SAN=address,undefined O=build/san    sanitized build in its own tree
# make ARCH=arm64 CROSS_COMPILE=aarch64-linux-gnu- STATIC=1 SYSROOT=DIR O=build/arm64

O	?= build
SAN	?=
V	?= 0
STATIC	?=
SYSROOT	?=

CLANG	?= clang
BPFTOOL	?= bpftool
CACHE	:= $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/pgtrace
HOSTARCH := $(patsubst x86_64,x86,$(patsubst aarch64,arm64,$(shell uname -m)))
ARCH	?= $(HOSTARCH)
ifeq ($(origin CC),default)
CC	:= $(CROSS_COMPILE)gcc
AR	:= $(CROSS_COMPILE)ar
endif

WARN	:= -Wall -Wextra -Werror -Wshadow -Wstrict-prototypes -Wmissing-prototypes \
	   -Wvla -Wformat=2
CFLAGS	?= -O2 -g
cflags	:= $(CFLAGS) -std=gnu11 $(WARN) -D_GNU_SOURCE -Iuser
ldflags	:= $(LDFLAGS)
ifneq ($(SAN),)
cflags	+= -fsanitize=$(SAN) -fno-sanitize-recover=all -fno-omit-frame-pointer
ldflags	+= -fsanitize=$(SAN)
endif
ifneq ($(STATIC),)
ldflags	+= -static
endif

# Where the target keeps its headers and libraries: natively, or unpacked packages.
triplet	:= $(shell $(CC) -print-multiarch 2>/dev/null)
ifneq ($(SYSROOT),)
cflags	+= -isystem $(SYSROOT)/usr/include -isystem $(SYSROOT)/usr/include/$(triplet)
ldflags	+= -L$(SYSROOT)/usr/lib/$(triplet)
endif
purelibs := -ljansson -lgsl -lgslcblas -lm
libs	:= -lbpf -lelf -lz $(purelibs)

# BPF_PROG() hides a ctx parameter that -Wextra would report in every program.
bpfflags := -target bpf -mcpu=v3 -O2 -g -std=gnu11 -Wall -Wextra -Werror \
	   -Wno-unused-parameter -D__TARGET_ARCH_$(ARCH) -I. -Ibpf \
	   $(addprefix -idirafter ,$(wildcard /usr/include/$(triplet) /usr/$(triplet)/include))

# The pure rooms, which need no kernel and no libbpf; the unit tests link these alone.
pure	:= $(wildcard user/base/*.c user/probe/*.c user/recording/*.c user/compare/*.c user/report/*.c) \
	   user/trace/cpus.c user/trace/linear_map.c user/trace/snapshot.c user/trace/watch.c user/trace/tracefs.c \
	   user/cmd/linear_map_output.c \
	   $(addprefix user/lab/,ab_plan.c apt_text.c arch.c breakpoint_choice.c build_name.c console_log.c \
	   cpio.c flash_text.c kconfig.c kernel_name.c memory_text.c module_info.c order.c patch_text.c qemu.c scope_plan.c series.c splat.c \
	   symbols_text.c tcg_join.c tcg_line.c \
	   tcg_lines.c tcg_result.c tcg_unseen.c verify.c vmalloc_test_log.c) \
	   $(addprefix user/tcg/,accesses.c cores.c kinds.c mmu.c options.c output.c places.c plan.c scopes.c \
	   steps.c tlb.c tlbi.c walk.c where.c windows.c)
kernel	:= $(filter-out $(pure),$(wildcard user/trace/*.c user/lab/*.c))
cmd	:= $(filter-out $(pure),$(wildcard user/cmd/*.c)) user/main.c
bpf	:= $(wildcard bpf/*.bpf.c)
# QEMU's plugin, for the machine that QEMU runs on; it shares what it can with the program.
plugin	:= $(wildcard user/tcg/*.c) user/base/buf.c user/base/diag.c user/base/file.c \
	   user/probe/descriptor.c user/probe/insn.c
picobj	:= $(patsubst %.c,$(O)/pic/%.o,$(plugin))
glib	 = $(shell pkg-config $(1) glib-2.0)
unit	:= $(patsubst %.c,$(O)/%,$(wildcard tests/unit/*.c))
obj	 = $(patsubst %.c,$(O)/%.o,$(1))
skel	:= $(patsubst bpf/%.bpf.c,$(O)/bpf/%.skel.h,$(bpf))

ifeq ($(V),0)
say	= @printf '  %-7s %s\n' $(1) $(patsubst $(O)/%,%,$@);
Q	= @
endif

all: $(O)/pgtrace $(O)/pgtrace-tcg.so

$(O)/pgtrace: $(call obj,$(cmd) $(kernel)) $(O)/libpgtrace.a
	$(call say,LINK)$(CC) $^ $(ldflags) $(libs) -o $@

$(O)/pgtrace-tcg.so: $(picobj)
	$(call say,LINK)$(CC) -shared -flto $^ $(ldflags) $(call glib,--libs) -o $@

$(O)/pic/%.o: %.c $(O)/flags
	$(call say,CC)mkdir -p $(@D) && $(CC) $(cflags) $(call glib,--cflags) -fPIC \
		-fvisibility=hidden -flto -MMD -MP -c $< -o $@

# Unit tests link this and nothing else: the pure rooms cannot need BPF or root.
$(O)/libpgtrace.a: $(call obj,$(pure))
	$(call say,AR)rm -f $@ && $(AR) rcs $@ $^

# Objects also depend on the flags they were built with.
$(O)/flags: FORCE
	$(Q)mkdir -p $(@D); echo '$(CC) $(cflags) $(ldflags) $(bpfflags)' | cmp -s - $@ || \
		echo '$(CC) $(cflags) $(ldflags) $(bpfflags)' >$@

$(O)/%.o: %.c $(O)/flags
	$(call say,CC)mkdir -p $(@D) && $(CC) $(cflags) -MMD -MP -c $< -o $@

$(call obj,$(kernel)): cflags += -Ibpf -I$(O)/bpf
$(call obj,$(kernel)): | $(skel)	# exist before the first compile; .d files do the rest

$(O)/bpf/%.bpf.o: bpf/%.bpf.c $(O)/flags
	$(call say,BPF)mkdir -p $(@D) && $(CLANG) $(bpfflags) -MMD -MP -c $< -o $@

$(O)/bpf/%.skel.h: $(O)/bpf/%.bpf.o
	$(call say,SKEL)$(BPFTOOL) gen skeleton $< name $* >$@

# What is put to kernels under test in a guest; of the rooms that need a kernel it takes what it needs.
$(O)/checks: $(call obj,$(wildcard tests/patches/checks/*.c)) $(O)/libpgtrace-kernel.a $(O)/libpgtrace.a
	$(call say,LINK)$(CC) $^ $(ldflags) $(libs) -o $@

$(O)/libpgtrace-kernel.a: $(call obj,$(kernel))
	$(call say,AR)rm -f $@ && $(AR) rcs $@ $^

$(O)/tests/patches/%.o: cflags += -Itests

$(O)/tests/unit/%: tests/unit/%.c $(O)/libpgtrace.a
	$(call say,TEST)mkdir -p $(@D) && $(CC) $(cflags) -MMD -MP -MT $@ -MF $@.d \
		$< $(O)/libpgtrace.a $(ldflags) -lcriterion $(purelibs) -o $@

# The plugin in a process that pretends to be QEMU, whose functions it looks for in the program.
$(O)/tests/plugin/test-plugin: $(wildcard tests/plugin/*.c) $(wildcard tests/plugin/*.h) $(O)/flags
	$(call say,TEST)mkdir -p $(@D) && $(CC) $(cflags) $(call glib,--cflags) -Itests/plugin \
		$(filter %.c,$^) -rdynamic $(ldflags) $(call glib,--libs) -o $@

# ---- guests ----

guest: $(O)/pgtrace $(O)/pgtrace-tcg.so
	$(Q)$(MAKE) --no-print-directory O=$(O)/arm64 ARCH=arm64 CROSS_COMPILE=aarch64-linux-gnu- \
		STATIC=1 SYSROOT="$$($(O)/pgtrace lab fetch sysroot)" $(O)/arm64/pgtrace $(O)/arm64/checks

setup:
	$(Q)user/lab/setup.sh

demo: setup
	$(Q)$(MAKE) --no-print-directory guest
	$(O)/pgtrace lab ab 6.1 6.12 --boot -o $(O)/reports/stock-6.1-vs-6.12 -- \
		hotplug vmalloc pageout-file pageout-anon munmap

# Every topic in turn, whatever became of the one before.
topics	:= $(patsubst kernel-patches/%/series,%,$(wildcard kernel-patches/*/series))

ab-all: guest
	$(Q)status=0; for topic in $(topics); do \
		$(O)/pgtrace lab ab $$topic -o reports/$$topic || status=1; \
	done; exit $$status

# ---- tests ----

san	:= $(O)/san

check: $(O)/pgtrace $(O)/pgtrace-tcg.so $(O)/tests/plugin/test-plugin
	$(Q)$(MAKE) --no-print-directory O=$(san) SAN=address,undefined unit-tests $(san)/pgtrace
	$(Q)tests/run.sh $(O) $(san)

# Every patch of kernel-patches applies, compiles and is clean: minutes, and some GB of cache.
check-patches: $(O)/pgtrace
	$(Q)tests/patches/run.sh $(O)

# Every debug kernel boots and passes what it must, without a word of complaint: hours.
check-boots: guest
	$(Q)tests/patches/boot.sh $(O) $(BOOTS)

# What is wrong with a patch comes out; what changes nothing does not.
check-tamper: guest
	$(Q)tests/patches/tamper.sh $(O)

unit-tests: $(unit)

# The other compiler's warnings; its objects are of no other use.
clang:
	$(Q)$(MAKE) --no-print-directory O=$(O)/clang CC=clang $(O)/clang/pgtrace unit-tests

# libFuzzer on the reader, the comparison and the renderers: build/fuzz-recording CORPUS
fuzz: $(O)/fuzz-recording
$(O)/fuzz-recording: tests/fuzz/fuzz_recording.c $(pure)
	$(call say,FUZZ)mkdir -p $(@D) && clang $(cflags) -O1 -fsanitize=fuzzer,address,undefined \
		$< $(filter user/base/% user/recording/% user/compare/% user/report/% user/probe/%,$(pure)) \
		$(purelibs) -o $@

test: setup
	$(Q)$(MAKE) --no-print-directory guest $(O)/tests/plugin/test-plugin
	$(Q)$(MAKE) --no-print-directory clang
	$(Q)$(MAKE) --no-print-directory O=$(san) SAN=address,undefined unit-tests $(san)/pgtrace
	$(Q)tests/run.sh --guests $(O) $(san)

clean:
	rm -rf $(O)

.PHONY: ab-all all check check-boots check-patches check-tamper clang clean demo fuzz guest setup test unit-tests FORCE
.DELETE_ON_ERROR:
.SECONDARY:

-include $(patsubst %.o,%.d,$(call obj,$(pure) $(kernel) $(cmd)) \
	$(patsubst bpf/%.c,$(O)/bpf/%.o,$(bpf))) $(addsuffix .d,$(unit)) $(picobj:.o=.d) $(patsubst %.c,$(O)/%.d,$(wildcard tests/patches/checks/*.c))
