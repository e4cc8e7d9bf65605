# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2034,SC2154 # variables are shared with run.sh
# lab build: wrong usage, wrong topics, and builds of a make-believe source that lies in the
# cache already.  Nothing is fetched.

fails 'lab build: no topic' 2 'too few arguments' lab build
fails 'lab build: three arguments' 2 "'c' is one argument too many" lab build a b c
fails 'lab build: unknown configuration' 2 '--config.*fast' lab build a --config fast
fails 'lab build: unknown size of pages' 2 '--pages.*8K' lab build a --pages 8K
for value in 0 513 abc; do
	fails "lab build: jobs '$value'" 2 '--jobs' lab build a "--jobs=$value"
done

# What builds kernels need not be installed here: the make-believe source needs only make and patch.
mkdir "$scratch/programs" "$scratch/few"
for program in flex bison bc pahole aarch64-linux-gnu-gcc; do
	printf '#!/bin/sh\necho "%s 1.0"\n' $program >"$scratch/programs/$program"
done
chmod 755 "$scratch/programs"/*
few=$PATH
PATH=$scratch/programs:$PATH

# A source of two files, whose Makefile does as a kernel's would.
linux=$scratch/cache/pgtrace/linux/1.0-1
mkdir -p "$linux/pristine/mm" "$linux/tree/mm"
cat >"$linux/pristine/Makefile" <<'END'
alldefconfig:
	mkdir -p $(O)
	grep -v NEVER $$KCONFIG_ALLCONFIG >$(O)/.config
Image:
	mkdir -p $(O)/arch/arm64/boot $(O)/include/config
	echo $(LOCALVERSION) >>$(O)/runs
	@! grep -Hn 'wrong' mm/*.c | sed 's/:\([0-9]*\):/:\1:1: error: /' | grep .
	cat mm/*.c >$(O)/arch/arm64/boot/Image
	echo 1.0$(LOCALVERSION) >$(O)/include/config/kernel.release
	: >$(O)/System.map
modules:
modules_install:
	mkdir -p $(INSTALL_MOD_PATH)/lib/modules/1.0$(LOCALVERSION)
%.o: %.c
	echo $@ >>$(O)/objects
	@! grep -Hn 'wrong' $< | sed 's/:\([0-9]*\):/:\1:1: error: /' | grep .
.PHONY: alldefconfig Image modules modules_install
END
printf 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n' >"$linux/pristine/mm/a.c"
printf 'same\n' >"$linux/pristine/mm/b.c"
cp -a "$linux/pristine/." "$linux/tree/"

mkdir -p patches/topic patches/never patches/stale patches/fuzzy patches/bad patches/far patches/outside
printf '# pinned\nlinux-source-1.0 1.0-1\n' >patches/source
echo 'CONFIG_A=y' >patches/measured.config
echo 'CONFIG_DEBUG=y' >patches/debug.config
for size in 4 16 64; do
	echo "CONFIG_PAGES_${size}K=y" >patches/pages-${size}K.config
done
printf 'step stock\nstep first\n\t1.patch\nstep second\n\t2.patch\nstep broken\n\t3.patch\n' \
	>patches/topic/series
cat >patches/topic/1.patch <<'END'
--- a/mm/a.c
+++ b/mm/a.c
@@ -1,4 +1,4 @@
 one
-two
+TWO
 three
 four
--- /dev/null
+++ b/mm/new.c
@@ -0,0 +1 @@
+new
END
cat >patches/topic/2.patch <<'END'
--- a/mm/a.c
+++ b/mm/a.c
@@ -4,4 +4,4 @@
 four
 five
-six
+SIX
 seven
END
cat >patches/topic/3.patch <<'END'
--- a/mm/b.c
+++ b/mm/b.c
@@ -1 +1,2 @@
 same
+wrong
END
printf 'step s\n\ts.patch\n' | tee patches/stale/series patches/fuzzy/series patches/outside/series \
	>patches/never/series
echo 'CONFIG_NEVER=y' >patches/never/config
printf 'step s\n\tabsent.patch\n' >patches/far/series
printf 'patch\n' >patches/bad/series
sed 's/two/deux/' patches/topic/1.patch >patches/stale/s.patch
sed 's/^ four/ vier/' patches/topic/1.patch >patches/fuzzy/s.patch
cp patches/topic/1.patch patches/never/s.patch
sed 's,b/mm/new.c,b/../../new.c,' patches/topic/1.patch >patches/outside/s.patch

fails 'lab build: no directory of patches' 1 'absent: no directory' lab build topic --patches absent
fails 'lab build: no such topic' 1 'no topic other.*other/series' lab build other --patches patches
fails 'lab build: not a topic' 1 '\.\./x: not the name' lab build ../x --patches patches
fails 'lab build: no such step' 1 'no step third: it has stock, first, second, broken' \
	lab build topic third --patches patches
fails 'lab build: series is wrong' 1 'bad/series:1: neither' lab build bad --patches patches
fails 'lab build: a patch is not there' 1 'absent\.patch' lab build far --patches patches
wrap="env PATH=$scratch/few"
fails 'lab build: nothing to build with' 1 'missing: make gcc .*aarch64-linux-gnu-gcc.*make setup' \
	lab build topic --patches patches
wrap=''
printf '# nothing\n' >patches/topic/source
mkdir none
cp -r patches/measured.config patches/topic none/
: >none/source
fails 'lab build: no source is named' 1 'none/source: no line' lab build topic stock --patches none
fails 'lab fetch: no such step' 1 'no step third' lab fetch topic/third --patches patches
fails 'lab fetch: not a kernel of the topic' 1 "'fast' is none of" \
	lab fetch topic/first:fast --patches patches
fails 'lab run: no such step, before QEMU' 1 'no step third' \
	lab run topic/third --patches patches --guest-pgtrace ./guest-pgtrace

# builds NAME PATTERN ARGUMENT...: status 0, and standard output is PATTERN to the letter
builds()
{
	name=$1 pattern=$2
	shift 2
	run_pgtrace "$@"
	expect_status 0
	grep -Eqx -e "$pattern" "$out" || fault "stdout does not match \"$pattern\""
	! grep -q '^pgtrace' "$err" || fault 'complains'
}

# tree_is TEXT: what the C files hold, one behind another
tree_is()
{
	[ "$(cat "$linux/tree/mm"/*.c | tr '\n' ' ')" = "$1 " ] || fault 'the tree is not as patched'
}

built=$scratch/cache/pgtrace/built
objects=$linux/build-measured-4K
builds 'lab build: a step' "1\.0-topic-second $built/topic-second\+[0-9a-f]{16}/Image" \
	lab build topic second --patches patches
tree_is 'one TWO three four five SIX seven same new'
cmp -s "$built"/topic-second+*/Image "$objects/arch/arm64/boot/Image" || fault 'another Image'
grep -qx 'CONFIG_PAGES_4K=y' "$built"/topic-second+*/config || fault 'no configuration'
grep -qx -e '+SIX' "$built"/topic-second+*/recipe || fault 'no recipe'
ls -d "$built"/topic-second+*/lib/modules/1.0-topic-second >/dev/null 2>&1 || fault 'no modules'
pass_or_fail 'lab build: a step'

# It is not built again: nothing to tell, and make was not run.
works 'lab build: again' "1\.0-topic-second $built/topic-second\+" \
	lab build topic second --patches patches
works 'lab fetch: a step' "$built/topic-second\+[0-9a-f]{16}/Image" \
	lab fetch topic/second --patches patches
faults=''
[ "$(cat "$objects/runs")" = '-topic-second' ] || fault 'built twice'
pass_or_fail 'lab build: once is enough'

# Back to a step with fewer patches: what is the same is not written again.
before_b=$(stat -c '%i %y' "$linux/tree/mm/b.c") before_new=$(stat -c '%i %y' "$linux/tree/mm/new.c")
builds 'lab build: fewer patches' '1\.0-topic-first .*' lab build topic first --patches patches
tree_is 'one TWO three four five six seven same new'
[ "$(stat -c '%i %y' "$linux/tree/mm/b.c")" = "$before_b" ] || fault 'touches an unpatched file'
[ "$(stat -c '%i %y' "$linux/tree/mm/new.c")" = "$before_new" ] || fault 'writes a file again'
pass_or_fail 'lab build: fewer patches'
builds 'lab build: no patches' '1\.0-topic-stock .*' lab build topic stock --patches patches
tree_is 'one two three four five six seven same'
[ "$(cat "$linux/pristine/mm/a.c")" = "$(cat "$linux/tree/mm/a.c")" ] || fault 'pristine changed'
pass_or_fail 'lab build: no patches'

builds 'lab build: debug and large pages' '1\.0-topic-first-debug-16k .*' \
	lab build topic first --config debug --pages 16K --patches patches
grep -qx 'CONFIG_DEBUG=y' "$built"/topic-first-debug-16k+*/config || fault 'no debug.config'
grep -qx 'CONFIG_PAGES_16K=y' "$built"/topic-first-debug-16k+*/config || fault 'no pages.config'
pass_or_fail 'lab build: debug and large pages'
works 'lab fetch: debug and large pages' 'topic-first-debug-16k\+' \
	lab fetch topic/first:16K:debug --patches patches

ends 'lab build: it does not compile' 1 \
	"does not build: mm/b\.c:2:1: error: wrong \(log: $scratch/cache/pgtrace/logs/build-topic-broken\.log\)" \
	lab build topic broken --patches patches
faults=''
grep -q 'error: wrong' "$scratch/cache/pgtrace/logs/build-topic-broken.log" || fault 'the log is gone'
[ ! -e "$scratch/cache/pgtrace/logs/build-topic-first.log" ] || fault 'keeps a log that tells nothing'
! ls -d "$built"/topic-broken* >"$out" 2>&1 || fault 'keeps what is not whole'
pass_or_fail 'lab build: the log is kept'

builds 'lab build: only what changes' 'topic/second compiles' \
	lab build topic second --check --patches patches
[ "$(sort -u "$objects/objects" | tr '\n' ' ')" = 'mm/a.o mm/new.o ' ] || fault 'not these objects'
pass_or_fail 'lab build: only what changes'
ends 'lab build: what changes does not compile' 1 'mm/b\.c:2:1: error: wrong' \
	lab build topic broken --check --patches patches

ends 'lab build: a patch does not apply' 1 \
	'stale/s\.patch does not apply to linux-source-1\.0 1\.0-1 without fuzz: Hunk #1 FAILED' \
	lab build stale --patches patches
ends 'lab build: a patch needs fuzz' 1 'fuzzy/s\.patch does not apply.*Hunk #1 FAILED' \
	lab build fuzzy --patches patches
ends 'lab build: a patch leaves the tree' 1 'outside/s\.patch: no patch with paths' \
	lab build outside --patches patches
ends 'lab build: an option that cannot be had' 1 "'CONFIG_NEVER=y' cannot be had" \
	lab build never --patches patches

# A kernel that we built is asked whether it complained about itself; another is not.
make_qemu 10.0.2 'case $* in *pgtrace.splat=fail*) echo asked;; *) echo not asked;; esac >&2; exit 1' \
	>qemu-asked
chmod 755 qemu-asked
own='--guest-pgtrace ./guest-pgtrace --qemu ./qemu-asked --no-plugin'
# shellcheck disable=SC2086 # $own is options and their values
{
ends 'lab run: a step is a kernel' 1 '1\.0-topic-first: QEMU failed.*: asked' \
	lab run topic/first --patches patches $own -- munmap
ends 'lab run: an Image is not asked for splats' 1 'QEMU failed.*: not asked' \
	lab run ./Image $own -- munmap
}
PATH=$few

# Told to stop while make runs, it ends make too, keeps no log, and can go on later.
# shellcheck disable=SC2016 # $(O) is make's
sed -i 's/^Image:$/Image:\n\t[ ! -e $(O)\/slow ] || sleep 1000/' "$linux/tree/Makefile"
: >"$objects/slow"
printf 'step slow\n\t1.patch\n' >patches/bad/series
cp patches/topic/1.patch patches/bad/
PATH=$scratch/programs:$PATH
told_to_stop '^building' lab build bad --patches patches
expect_last_line 'interrupted while make ran'
[ ! -e "$scratch/cache/pgtrace/logs/build-bad-slow.log" ] || fault 'keeps a log'
rm "$objects/slow"
pass_or_fail 'lab build: told to stop'
builds 'lab build: goes on' '1\.0-bad-slow .*' lab build bad --patches patches
pass_or_fail 'lab build: goes on'
PATH=$few
