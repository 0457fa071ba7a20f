#!/bin/sh
# Starts systemd as the first process of a bare Debian in a folder: for
# tools/release-check.sh, in namespaces of its own, so that a package meets a real one.
# A chroot would not do: in one no user namespace can be made, which units want.
set -e
root=$1
mount --make-rprivate /
mount --bind "$root" "$root"
cd "$root"
mount -t proc proc proc
mount -t sysfs -o ro sys sys
mount -t cgroup2 cgroup2 sys/fs/cgroup
mount -t tmpfs tmpfs run
mount -t tmpfs tmpfs tmp
mount -t tmpfs tmpfs dev
for d in null zero full random urandom tty; do
	touch dev/$d
	mount --bind /dev/$d dev/$d
done
mkdir dev/shm dev/pts
mount -t devpts devpts dev/pts -o newinstance,ptmxmode=0666
ln -s pts/ptmx dev/ptmx
ln -s /proc/self/fd dev/fd
ip link set lo up
mkdir -p mnt
pivot_root . mnt
umount -l /mnt
exec /usr/bin/env -i container=other PATH=/usr/sbin:/usr/bin /lib/systemd/systemd --log-target=console --show-status=0
