# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
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
{
	zeros 56
	printf 'ARM\144'
	zeros 4
	printf 'Linux version 6.99.0-fake (nobody) #1 SMP\n\0'
	zeros 4096
} >Image
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
chmod 755 qemu-* guest-pgtrace x86-pgtrace
