# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2016 # what a make-believe QEMU does expands when it runs
#
# inputs.sh - bad and make-believe inputs, made in the current directory for run.sh.

zeros()
{
	head -c "$1" /dev/zero
}

# Recordings with one thing wrong, from the good one.
head -n -1 base >truncated
head -c 5000 base >cut-off
sed 's/"schema":1/"schema":99/' base >schema
sed 's/"arch":"arm64"/"arch":"riscv64"/' base >other-arch
sed '0,/"arch":"arm64"/s//"arch":"riscv64"/' base >mixed-arch
sed 's/"type":"end","lines":[0-9]*/"type":"end","lines":7/' base >miscounted
sed '3d' base >line-lost
sed 's/"value":[0-9][0-9]*/"value":"many"/' base >wrong-type
sed '0,/"value":[0-9]*/s//"value":-4/' base >negative
sed '0,/"value":[0-9]*/s//"value":99999999999999999999/' base >huge
sed '1d' base >headless
sed 's/^{"type":"host".*/[1, 2]/' base >not-object
echo hello >not-json
: >empty
printf '\n' >blank
{ zeros 3000; echo; } >nulls
mkdir directory

# An arm64 Image that boots nothing, an arm64 program that runs nowhere, and an x86 one.
make_image()	# SIZE: of the image that its header says, the third byte, as printf %b takes it
{
	zeros 18
	printf '%b' "$1"
	zeros 37
	printf 'ARM\144'
	zeros 4
	printf 'Linux version 6.99.0-fake (nobody) #1 SMP\n\0'
	zeros 4096
}
make_image '\0020' >Image
zeros 4096 >not-image
{
	printf '\177ELF\002\001\001'
	zeros 11
	printf '\267\000'
	zeros 44
} >guest-pgtrace
{
	printf '\177ELF\002\001\001'
	zeros 11
	printf '\076\000'
	zeros 44
} >x86-pgtrace
mkdir modules

# Programs in the place of QEMU: $1 what to say as a version, $2 what to do when started.
make_qemu()
{
	printf '#!/bin/sh\ncase "$*" in\n*-version*) echo "QEMU emulator version %s";;\n*) %s;;\nesac\n' \
		"$1" "$2"
}
make_qemu 10.0.2 'echo "no such device" >&2; exit 1' >qemu-fails
make_qemu 10.0.2 'exit 0' >qemu-ends
make_qemu 10.0.2 'kill -9 $$' >qemu-dies
make_qemu 10.0.2 'exec sleep 1000' >qemu-hangs
make_qemu 10.0.2 'for arg; do :; done; echo "$arg" >&2; exit 1' >qemu-says-parameters
make_qemu 5.2.0 'exit 1' >qemu-old
cat >qemu-mute <<'END'
#!/bin/sh
# Says one thing on the console, and then no more.
for arg; do
	case $arg in
	--version) echo "QEMU emulator version 10.0.2"; exit ;;
	file,id=console,path=*) echo 'Booting Linux' >"${arg#*path=}" ;;
	esac
done
exec sleep 1000
END

# A QEMU whose guest says which kernel it is: $1 its parameters, $2 its symbols; $3 what to do when
# it is started with a plugin, once the guest has spoken and the plugin's output is known as $counts.
make_qemu_guest()
{
	cat <<END
#!/bin/sh
for arg; do
	case \$arg in
	--version) echo "QEMU emulator version 10.0.2"; exit ;;
	file,id=recording,path=*) recording=\${arg#*path=} ;;
	file,id=status,path=*) status=\${arg#*path=} ;;
	*,plan=*) counts=\${arg#*,out=} counts=\${counts%%,*} ;;
	esac
done
cat >"\$recording" <<'END2'
{"type":"recording","schema":1,"tool":"pgtrace 0","started_at":"2026-11-30T12:00:00Z"}
{"type":"host","arch":"arm64","kernel_release":"6.99.0-fake","kernel_version":"v",\
"build_id":"abcd","config_digest":null,"config_digest_reason":"none","cpu":"c","n_cpus":2,\
"page_size":4096,"memory_bytes":1048576,"accelerator":"tcg","cmdline":"$1","boot_id":"b"}
{"type":"kallsyms","text":"$2"}
{"type":"end","lines":4}
END2
echo '{"status":0}' >"\$status"
[ -n "\${counts-}" ] || exit 0
$3
END
}
symbols='ffff800080010000 T _stext\nffff800080011000 T cpu_switch_to\nffff800080400000 R _etext\n'
make_qemu_guest '' "$symbols" 'exit 1' >qemu-kaslr
make_qemu_guest nokaslr 'ffff800080210000 T _stext\nffff800080400000 R _etext\n' 'exit 1' >qemu-moved
make_qemu_guest nokaslr 'ffff800080010000 T _stext\nffff800080400000 R _etext\n' 'exit 1' >qemu-no-switch
make_qemu_guest nokaslr "$symbols" 'rm "$status"
	echo "pgtrace-tcg: needs API 4" >&2; echo "qemu: no plugin" >&2; exit 1' >qemu-api
make_qemu_guest nokaslr "$symbols" 'echo "pgtrace-tcg: out: the disk is full" >&2' >qemu-full
make_qemu_guest nokaslr "$symbols" 'echo nonsense >"$counts"' >qemu-nonsense
make_qemu_guest nokaslr "$symbols" \
	'cat >"$counts" <<END3
{"type":"tcg","schema":1,"qemu_api":4,"vcpus":2,"build_id":"ffff","instructions":false,"model":null,\
"windows":0,"open":false}
{"type":"end","lines":2}
END3' >qemu-other-kernel
: >plugin.so

# A QEMU that plays a guest: the symbols where nothing counts from outside, else a recording of
# one window and what the plugin makes of it, from the directory that PLAY names.
cat >qemu-plays <<'END'
#!/bin/sh
play=$PLAY
case "$*" in
*-version*) echo "QEMU emulator version 10.0.2"; exit ;;
*out=*) ;;
*) play=play-symbols ;;
esac
for arg; do
	case $arg in
	file,id=recording,path=*) cp "$play/recording" "${arg#*path=}" ;;
	file,id=status,path=*) echo '{"status":0}' >"${arg#*path=}" ;;
	*,out=*) counts=${arg#*,out=}; [ ! -e "$play/counts" ] ||
		cp "$play/counts" "${counts%%,*}" ;;
	esac
done
END
played_host()
{
	echo '{"type":"recording","schema":1,"tool":"pgtrace 0","started_at":"2026-11-30T12:00:00Z"}'
	echo '{"type":"host","arch":"arm64","kernel_release":"6.99.0-fake","kernel_version":"v",'\
'"build_id":"aabb","config_digest":null,"config_digest_reason":"r","cpu":"c","n_cpus":2,'\
'"page_size":4096,"memory_bytes":1,"accelerator":"tcg","cmdline":"nokaslr","boot_id":"b"}'
}
played_site()	# NUMBER ADDRESS MECHANISM HITS
{
	printf '{"type":"site","workload":"munmap","repeat":1,"site":%s,"function":"flush","offset":%s,'\
'"address":"0xffff80008000%s","kind":"dsb.ish","mechanism":"%s","window":1,"hits":%s,'\
'"in_probe":%s,"outside":0,"interrupt":0}\n' "$1" "$1" "$2" "$3" "$4" "$4"
}
played_recording()	# MISSED
{
	played_host
	echo '{"type":"run","workload":"munmap","run":1,"pass":"counts","mechanism":"kprobe",'\
'"n_sites":1,"first_site":null,"window":1,"window_ns":5}'
	played_site 0 1000 kprobe 7
	played_site 1 1004 watched 0
	echo '{"type":"site","workload":"munmap","repeat":1,"site":2,"function":"entry","offset":8,'\
'"address":"0xffff800080002008","kind":"isb","mechanism":null,"window":null,"hits":null,'\
'"in_probe":null,"outside":null,"interrupt":null,"reason":"exception entry"}'
	printf '{"type":"loss","workload":"munmap","repeat":1,"missed":%s,"recursion":0,'\
'"overflow":0,"unbalanced":0}\n' "$1"
	echo '{"type":"end","lines":8}'
}
played_hits()	# ADDRESS KIND HITS
{
	for window in null 1; do
		printf '{"type":"site","window":%s,"address":"0xffff80008000%s","word":"0xd5033b9f",'\
'"kind":"%s","hits":%s,"stepped":0}\n' $window "$1" "$2" "$3"
	done
}
played_counts()	# HITS VCPUS
{
	echo '{"type":"tcg","schema":1,"qemu_api":4,"vcpus":2,"build_id":"aabb",'\
'"instructions":false,"model":null,"windows":1,"open":false}'
	printf '{"type":"window","window":1,"vcpus":%s,"instructions":null}\n' "$2"
	played_hits 1000 dsb.ish "$1"
	played_hits 2008 isb 9
	echo '{"type":"end","lines":7}'
}
mkdir play-symbols play-equal play-differs play-loss play-window play-nothing
{
	played_host
	printf '%s%s%s\n' '{"type":"kallsyms","text":"ffff800080000000 T _text\nffff800080000000 T _stext\n' \
		'ffff800080000800 T cpu_switch_to\nffff800080001000 T flush\nffff800080002000 T entry\n' \
		'ffff800080010000 T _etext\n"}'
	echo '{"type":"end","lines":4}'
} >play-symbols/recording
for play in equal differs window nothing; do
	played_recording 0 >play-$play/recording
done
played_recording 3 >play-loss/recording
played_counts 7 2 >play-equal/counts
played_counts 8 2 >play-differs/counts
played_counts 7 2 >play-loss/counts
played_counts 7 1 >play-window/counts
chmod 755 qemu-* guest-pgtrace x86-pgtrace
