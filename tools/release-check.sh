#!/usr/bin/env bash
# Uses what `make release` has made, as people will: docs/release.md says what is tried.
# It wants root on a Debian. What this machine cannot do is named at the end and passed
# over, unless STRICT=1; REBUILD=0 leaves out the second build from the source archive.
set -euo pipefail
cd "$(dirname "$0")/.."
dist=$PWD/dist
[ -e "$dist/SHA256SUMS" ] || { echo "There is no release in dist/: run make release." >&2; exit 1; }
version=$(sed -n 's/^const release = "\(.*\)"$/\1/p' cmd/copse/version.go)
work=$(mktemp -d)
tried=() passed=() running=() net=() way=()

end() {
	[ -z "${first:-}" ] || kill -KILL "$first" 2>/dev/null || true
	for pid in ${running[@]+"${running[@]}"}; do kill "$pid" 2>/dev/null || true; done
	rm -rf "$work"
}
trap end EXIT
trap 'echo "WRONG: line $LINENO: $BASH_COMMAND" >&2' ERR
step() { printf '\n== %s\n' "$*"; }
good() { tried+=("$*"); }
lacks() { passed+=("$*"); echo "not tried: $*"; }
wrong() { echo "WRONG: $*" >&2; exit 1; }

# have PROGRAM PACKAGE: whether a program is there, or can be installed without asking.
have() {
	command -v "$1" >/dev/null && return
	[ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || return
	apt-get install -y --no-install-recommends "$2" >"$work/apt" 2>&1 && command -v "$1" >/dev/null
}

# started COMMAND…: starts a server, and waits until it has said where it is: $url, $pid.
started() {
	local i
	: >"$work/said" # what the server before has said must not be read for what this one says
	"$@" >"$work/said" 2>"$work/log" &
	pid=$!
	running+=("$pid")
	for ((i = 0; i < 600; i++)); do
		url=$(sed -n 's/^Copse is at //p' "$work/said")
		[ -z "$url" ] || break
		kill -0 "$pid" 2>/dev/null || break
		sleep 0.1
	done
	[ -n "$url" ] || { cat "$work/said" "$work/log" >&2; wrong "it does not start: $*"; }
}

# stopped: tells the server to stop, as systemd does, and expects it to end in peace.
stopped() {
	kill -TERM "$pid"
	wait "$pid" || wrong "it ended with $?: $(tail -3 "$work/log")"
	running=()
}

ask() { ${net[@]+"${net[@]}"} curl ${way[@]+"${way[@]}"} -fsS --retry 60 --retry-delay 1 --retry-connrefused --max-time 60 -b "$work/cookies" -c "$work/cookies" -H 'Content-Type: application/json' "$@"; }

# looked: the page, the licences, the figures, and that it is ready.
looked() {
	[ "$(ask "$url/readyz")" = ready ] || wrong "it is not ready"
	ask -o "$work/got" --compressed "$url/" && grep -q '<title>Copse' "$work/got" || wrong "there is no page"
	ask -o "$work/got" --compressed "$url/licences.txt" && grep -q modernc.org/sqlite "$work/got" || wrong "there are no licences"
	ask "$url/metrics" >"$work/metrics"
	grep -q "^copse_build_info{.*version=\"$version\"} 1" "$work/metrics" || wrong "the figures do not tell the version"
}

# played: a guest sits down at a table and begins with a bot: $table.
played() {
	rm -f "$work/cookies"
	ask -d '{"name":"Tester"}' "$url/api/me" >/dev/null
	table=$(ask -d '{"game":"bosk","seats":2}' "$url/api/tables" | sed -n 's/.*"table":"\([^"]*\)".*/\1/p')
	[ -n "$table" ] || wrong "no table is set"
	ask -d '{"nonce":"000102030405060708090a0b0c0d0e0f"}' "$url/api/tables/$table/sit" >/dev/null
	ask -d '{"fill":"level:1"}' "$url/api/tables/$table/start" >/dev/null
}

# kept: the table is still there, and the guest sits at it.
kept() {
	ask -o "$work/got" "$url/api/me/tables" && grep -q "\"table\":\"$table\"" "$work/got" || wrong "the table is gone"
}

step "checksums"
(cd "$dist" && sha256sum -c --quiet SHA256SUMS && [ "$(ls | grep -vc '^SHA256SUMS$')" = "$(wc -l <SHA256SUMS)" ]) || wrong "checksums"
good "checksums of $(wc -l <"$dist/SHA256SUMS") files"

step "archives"
ran=
for archive in "$dist"/copse-"$version"-*-*.tar.gz "$dist"/copse-"$version"-*.zip; do
	[ -e "$archive" ] || continue
	name=$(basename "$archive" | sed 's/\.tar\.gz$//; s/\.zip$//')
	case $name in *-source) continue ;; esac
	case $archive in
	*.zip) have unzip unzip && unzip -q "$archive" -d "$work" || { lacks "$name: needs unzip"; continue; } ;;
	*) tar xzf "$archive" -C "$work" ;;
	esac
	for file in LICENSE licences.txt README.md CHANGELOG.md SECURITY.md copse.1 completions/_copse contrib/copse.service contrib/copse.socket contrib/nginx.conf contrib/Caddyfile docs/host.md; do
		[ -s "$work/$name/$file" ] || wrong "$name has no $file"
	done
	program=$work/$name/copse
	[ -e "$program" ] || program+=.exe
	go version -m "$program" >"$work/got"
	grep -q 'CGO_ENABLED=0' "$work/got" || wrong "$name is linked with C"
	awk '$1 == "dep" { print $2 "@" $3 }' "$work/got" | sort -u >"$work/$name.deps"
	while read -r dep; do grep -q "\"pkg:golang/$dep\"" "$dist/copse-$version.cdx.json" || wrong "the SBOM lacks $dep of $name"; done <"$work/$name.deps"
	case $name in
	*-linux-amd64 | *-linux-386) run=() ;;
	*-linux-arm64) if have qemu-aarch64-static qemu-user-static; then run=(qemu-aarch64-static); else lacks "$name: needs QEMU"; continue; fi ;;
	*-linux-armv7) if have qemu-arm-static qemu-user-static; then run=(qemu-arm-static); else lacks "$name: needs QEMU"; continue; fi ;;
	*) lacks "$name was unpacked and looked at: another system is needed to run it"; continue ;;
	esac
	said=$(${run[@]+"${run[@]}"} "$program" --version) || wrong "$name does not run"
	case $said in "copse $version"*) ;; *) wrong "$name says $said" ;; esac
	printf '%s\n' '{"do":"new","game":"treesociety","seats":2}' '{"do":"moves"}' | ${run[@]+"${run[@]}"} "$program" engine | grep -c '"ok":true' | grep -qx 2 || wrong "$name: the engine does not answer"
	ran+=" ${name#copse-"$version"-}"
done
good "archives unpacked, SBOM held against their binaries; run:$ran"
here=$work/copse-$version-linux-amd64/copse

step "a server from the archive"
if [ -x "$here" ]; then
	started env COPSE_ADDR=127.0.0.1:0 "$here" serve --data "$work/data"
	looked
	played
	stopped
	started env COPSE_ADDR=127.0.0.1:0 "$here" serve --data "$work/data"
	kept
	stopped
	good "a server from the archive: started, played on, started again"
	if tools/promtool.sh "$work/metrics"; then good "alerts, dashboard and figures by promtool"; else wrong "promtool"; fi
fi

step "man page and completions"
man=$work/copse-$version-linux-amd64/copse.1
if have mandoc mandoc; then
	mandoc -T lint -W warning "$man" | grep -vE 'WARNING: (missing date|cannot parse date)' >"$work/lint" && { cat "$work/lint"; wrong "the man page"; }
	good "man page by mandoc"
else lacks "the man page: needs mandoc"; fi
if have groff groff; then groff -man -Tutf8 -ww -Wbreak -K utf8 "$man" >/dev/null 2>"$work/lint"; [ ! -s "$work/lint" ] || { cat "$work/lint"; wrong "the man page"; }; good "man page by groff"; fi
export PATH="$work/copse-$version-linux-amd64:$PATH"
if have fish fish; then
	offered=$(fish --no-config -c "source $work/copse-$version-linux-amd64/completions/copse.fish; complete -C 'copse serve --op'; complete -C 'copse box '; complete -C 'copse serve --log '")
	for want in --open-metrics show check json; do grep -q -- "^$want" <<<"$offered" || wrong "fish does not offer $want"; done
	good "completion by fish"
else lacks "completion in fish: needs fish"; fi
if have zsh zsh; then
	mkdir -p "$work/zsh" && cp "$work/copse-$version-linux-amd64/completions/_copse" "$work/zsh"
	cat >"$work/complete.zsh" <<-'ZSH'
		zmodload zsh/zpty
		zpty -b shell zsh -f -i
		zpty -w shell "PS1= PS2=; fpath=($1 \$fpath); autoload -Uz compinit; compinit -u -D; bindkey '^I' list-choices; LISTMAX=1000"
		zpty -w shell "print -r 'be''gun'"
		said=; while zpty -r shell line && said+=$line && [[ $said != *begun$'\r'* ]]; do :; done
		zpty -w -n shell "$2"$'\t'
		said=
		for i in {1..100}; do
			if zpty -r -t shell line; then said+=$line; else sleep 0.1; fi
			[[ $said != *"$3"* ]] || { print found; break; }
		done
		zpty -d shell
	ZSH
	for try in "copse serve --op|--open-metrics" "copse box |show" "copse serve --log=|json" "copse |completion"; do
		[ "$(zsh -f "$work/complete.zsh" "$work/zsh" "${try%|*}" "${try#*|}")" = found ] || wrong "zsh does not offer ${try#*|} after ${try%|*}"
	done
	good "completion by zsh"
else lacks "completion in zsh: needs zsh"; fi

# A bare Debian, made once: $root is a fresh copy of it.
bare() {
	local mirror codename
	codename=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
	if [ ! -e bin/debian.tar ]; then
		mirror=$(apt-get indextargets --format '$(REPO_URI) $(CODENAME)' | awk -v c="$codename" '$2 == c { print $1; exit }')
		mkdir -p bin
		debootstrap --variant=minbase --include=systemd "$codename" "$work/debian" "$mirror" >"$work/debootstrap" 2>&1 || { tail -5 "$work/debootstrap"; return 1; }
		tar cf bin/debian.tar.next -C "$work/debian" . && mv bin/debian.tar.next bin/debian.tar
		rm -rf "$work/debian"
	fi
	root=$work/$1
	mkdir -p "$root" && tar xf bin/debian.tar -C "$root"
	echo '127.0.0.1 localhost' >"$root/etc/hosts"
	[ -e "$root/dev/null" ]
}

# booted: starts systemd in $root, as on a machine of its own with a network of its own.
# inside COMMAND… runs there.
booted() {
	local i
	unshare --mount --pid --fork --kill-child --uts --ipc --cgroup --net sh tools/boot.sh "$root" >"$work/boot" 2>&1 &
	running+=("$!")
	for ((i = 0; i < 120; i++)); do
		first=$(pgrep -P "${running[-1]}" | head -1)
		if [ -n "$first" ]; then
			case $(inside systemctl is-system-running 2>/dev/null) in running | degraded) net=(nsenter -t "$first" -n) && return ;; esac
		fi
		kill -0 "${running[-1]}" 2>/dev/null || break
		sleep 1
	done
	cat "$work/boot"
	return 1
}
inside() { nsenter -t "$first" --all /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive "$@"; }

# machine: the life of the .deb on a machine that systemd runs.
machine() {
	local was
	dpkged() { cp "$1" "$root/var/copse.deb" && inside dpkg -i /var/copse.deb >"$work/dpkg" 2>&1 || { cat "$work/dpkg"; wrong "dpkg"; }; }
	active() { inside systemctl is-active --quiet copse || { inside systemctl status copse; wrong "copse.service does not run"; }; }
	url=http://localhost:8080
	dpkged "$dist/copse_${version}_amd64.deb"
	active
	whole
	looked
	played
	inside systemctl start copse-backup.service || wrong "no backup"
	ls "$root"/var/lib/copse-backup/copse-*.db.key >/dev/null || wrong "no backup"
	echo 'COPSE_BOTS=1' >>"$root/etc/copse.env"
	was=$(inside systemctl show -P MainPID copse)
	dpkged "$work/next/copse_$version+1_amd64.deb"
	inside dpkg -s copse | grep -c "^Version: $version+1" >/dev/null || wrong "it was not upgraded"
	active
	[ "$(inside systemctl show -P MainPID copse)" != "$was" ] || wrong "the old one still runs"
	grep -qx 'COPSE_BOTS=1' "$root/etc/copse.env" || wrong "the upgrade has changed the settings"
	looked
	kept
	echo 'COPSE_BOTS=many' >>"$root/etc/copse.env"
	inside systemctl restart copse || true
	for ((i = 0; i < 30; i++)); do [ "$(inside systemctl is-active copse)" != failed ] || break; sleep 1; done
	[ "$(inside systemctl show -P ExecMainStatus copse) $(inside systemctl show -P NRestarts copse)" = "2 0" ] || wrong "a wrong setting is tried again and again"
	sed -i '/many/d' "$root/etc/copse.env"
	inside systemctl restart copse
	kept
	[ "$(inside systemctl show -P Type copse) $(inside systemctl show -P WatchdogUSec copse)" = "notify 1min" ] || wrong "it does not tell systemd how it does"
	# On sockets: its own, and one that systemd opens, which stays while it is started anew.
	net=()
	echo 'COPSE_ADDR=unix:/run/copse/copse.sock' >>"$root/etc/copse.env"
	inside systemctl restart copse || wrong "it does not start with a Unix socket"
	way=(--unix-socket "/proc/$first/root/run/copse/copse.sock")
	url=http://localhost
	looked
	kept
	[ "$(stat -c %a "/proc/$first/root/run/copse/copse.sock")" = 660 ] || wrong "anybody may open its socket"
	inside systemctl stop copse
	[ ! -e "/proc/$first/root/run/copse/copse.sock" ] || wrong "it has left its socket"
	inside systemctl enable --now copse.socket 2>/dev/null || wrong "copse.socket"
	way=(--unix-socket "/proc/$first/root/run/copse.sock")
	looked # which starts it
	active
	inside systemctl kill --signal=KILL copse
	kept
	inside systemctl restart copse &
	kept
	wait $!
	active
	sed -i '/unix:/d' "$root/etc/copse.env"
	inside systemctl stop copse.socket copse 2>/dev/null
	inside systemctl disable copse.socket 2>/dev/null
	inside systemctl start copse
	way=() net=(nsenter -t "$first" -n) url=http://localhost:8080
	kept
	inside dpkg -r copse >"$work/dpkg" 2>&1 || { cat "$work/dpkg"; wrong "dpkg"; }
	inside systemctl is-active --quiet copse && wrong "it still runs"
	gone
	dpkged "$dist/copse_${version}_amd64.deb"
	active
	kept
	inside dpkg -P copse >"$work/dpkg" 2>&1 || { cat "$work/dpkg"; wrong "dpkg"; }
	gone
	[ ! -e "$root/etc/copse.env" ] || wrong "purge has left the settings"
	[ -z "$(inside dpkg --audit)" ] || wrong "dpkg --audit"
	kill -KILL "$first" # with it goes everything that it has started; unshare itself heeds no signal
	wait "${running[-1]}" 2>/dev/null || true
	running=() net=() first=
}

# unit: starts the service of $root as its unit says: as its user, with its settings.
unit() {
	local unit=$root/usr/lib/systemd/system/copse.service settings=() line user
	user=$(sed -n 's/^User=//p' "$unit")
	while read -r line; do settings+=("${line//%S//var/lib}"); done < <(sed -n 's/^Environment=//p' "$unit")
	while read -r line; do settings+=("$line"); done < <(grep -v '^#' "$root/etc/copse.env" | grep .)
	# shellcheck disable=SC2046 # the command is words
	started chroot --userspec="$user:$user" "$root" /usr/bin/env -i "${settings[@]}" $(sed -n 's/^ExecStart=//p' "$unit")
}

# whole: everything of the package is where it belongs.
whole() {
	[ "$(stat -c %a "$root/var/lib/copse")" = 700 ] || wrong "others can look into the data folder"
	[ "$(stat -c %u "$root/var/lib/copse")" = "$(sed -n 's/^copse:[^:]*:\([0-9]*\):.*/\1/p' "$root/etc/passwd")" ] || wrong "the data folder is not the user's"
	grep -q '^copse:.*nologin$' "$root/etc/passwd" || wrong "there is no user copse, or it can sign in"
	[ -L "$root/etc/systemd/system/multi-user.target.wants/copse.service" ] || wrong "the service does not start with the machine"
	zcat "$root/usr/share/man/man1/copse.1.gz" | grep -c '^.TH COPSE 1' >/dev/null || wrong "there is no man page"
	chroot "$root" systemd-analyze verify --man=no /usr/lib/systemd/system/copse.service /usr/lib/systemd/system/copse.socket /usr/lib/systemd/system/copse-backup.service /usr/lib/systemd/system/copse-backup.timer >"$work/verify" 2>&1 || { cat "$work/verify"; wrong "a unit"; }
	[ ! -s "$work/verify" ] || { cat "$work/verify"; wrong "a unit"; }
}

# gone: nothing of the package is there, but the games are.
gone() {
	[ ! -e "$root/usr/bin/copse" ] && [ ! -e "$root/usr/lib/systemd/system/copse.service" ] || wrong "it is still there"
	[ ! -L "$root/etc/systemd/system/multi-user.target.wants/copse.service" ] || wrong "the service would still start"
	[ -s "$root/var/lib/copse/copse.db" ] && [ -s "$root/var/lib/copse/key" ] || wrong "the games are gone"
}

# trip INSTALL UPGRADE REMOVE AGAIN: the life of a package in $root.
trip() {
	$1
	whole
	echo 'COPSE_ADDR=127.0.0.1:0' >>"$root/etc/copse.env"
	unit
	looked
	played
	# A backup as the timer's unit makes it.
	install -d -o "$(stat -c %u "$root/var/lib/copse")" -m 700 "$root/var/lib/copse-backup"
	# shellcheck disable=SC2046 # the command is words
	chroot --userspec=copse:copse "$root" /usr/bin/env -i COPSE_DATA=/var/lib/copse $(sed -n 's/^ExecStart=//p' "$root/usr/lib/systemd/system/copse-backup.service" | sed 's#%S#/var/lib#g') | grep -c 'read to the end and good' >/dev/null || wrong "no backup"
	stopped
	$2
	whole
	grep -q '^COPSE_ADDR=127.0.0.1:0$' "$root/etc/copse.env" || wrong "the upgrade has changed the settings"
	unit
	looked
	kept
	stopped
	$3
	gone
	$4
	unit
	kept
	stopped
	$3
	gone
}

case $(uname -m) in x86_64) ;; *) lacks "packages and the image: this is no amd64" ; root= ;; esac
if [ "$(uname -m)" = x86_64 ] && [ "$(id -u)" = 0 ] && have debootstrap debootstrap; then
	step "the .deb in a bare Debian"
	(cd tools && go run ./release -out "$work/next" -calls "$version+1" -only linux-amd64 packages >/dev/null)
	bare machine || wrong "no Debian can be made"
	if booted; then
		machine
		good ".deb on a bare Debian with systemd as its first process: installed and started, played on, backed up by its unit, upgraded, served on a Unix socket and on one of systemd, removed, installed again, purged; the games were kept"
	else
		net=()
		lacks "the .deb under systemd: it cannot be started here as a first process"
	fi
	bare deb || wrong "no Debian can be made"
	dpkged() { cp "$1" "$root/tmp/copse.deb" && chroot "$root" /usr/bin/env DEBIAN_FRONTEND=noninteractive dpkg -i /tmp/copse.deb >"$work/dpkg" 2>&1 || { cat "$work/dpkg"; wrong "dpkg"; }; }
	install_deb() { dpkged "$dist/copse_${version}_amd64.deb"; }
	upgrade_deb() { dpkged "$work/next/copse_$version+1_amd64.deb"; chroot "$root" dpkg -s copse | grep -c "^Version: $version+1" >/dev/null || wrong "it was not upgraded"; }
	remove_deb() { chroot "$root" dpkg -r copse >"$work/dpkg" 2>&1 || { cat "$work/dpkg"; wrong "dpkg"; }; }
	trip install_deb upgrade_deb remove_deb install_deb
	chroot "$root" dpkg -P copse >"$work/dpkg" 2>&1 || wrong "purge"
	gone
	[ ! -e "$root/etc/copse.env" ] || wrong "purge has left the settings"
	[ -z "$(chroot "$root" dpkg --audit)" ] || wrong "dpkg --audit"
	good ".deb on a bare Debian without a running systemd: the same by hand, as its units say; units by systemd-analyze"

	if have rpm rpm; then
		step "the .rpm"
		for package in "$dist"/*.rpm; do rpm -K "$package" >/dev/null && rpm -qlp "$package" 2>/dev/null | grep -cx /usr/bin/copse >/dev/null || wrong "$package"; done
		bare rpm || wrong "no root can be made"
		rpm --root "$root" --initdb
		rpmed() { rpm --root "$root" --nodeps "$@" >"$work/rpm.log" 2>&1 || { cat "$work/rpm.log"; wrong "rpm $*"; }; }
		install_rpm() { rpmed -i "$dist/copse-$version-1.x86_64.rpm"; rm -f "$root/etc/copse.env.rpmsave"; }
		again_rpm() { install_rpm; echo 'COPSE_ADDR=127.0.0.1:0' >>"$root/etc/copse.env"; }
		upgrade_rpm() { rpmed -U "$work/next/copse-$version+1-1.x86_64.rpm"; }
		remove_rpm() { rpmed -e copse; }
		trip install_rpm upgrade_rpm remove_rpm again_rpm
		good ".rpm: read back, installed in a root of its own, started, upgraded, removed; the games were kept (dependencies by name were not looked at: the root is a Debian)"
	else lacks "the .rpm: needs rpm"; fi
else lacks "the .deb and the .rpm: they need root, debootstrap and an amd64"; fi

step "the image"
mkdir -p "$work/oci" && tar xf "$dist/copse-$version-oci.tar" -C "$work/oci"
(cd "$work/oci/blobs/sha256" && for blob in *; do echo "$blob  $blob"; done | sha256sum -c --quiet) || wrong "a blob is not what its name says"
node -e '
	const fs = require("fs"), at = process.argv[1];
	const read = (d) => JSON.parse(fs.readFileSync(at + "/blobs/sha256/" + d.digest.slice(7)));
	for (const d of read(JSON.parse(fs.readFileSync(at + "/index.json")).manifests[0]).manifests) {
		const manifest = read(d), { config } = read(manifest.config);
		console.log([d.platform.architecture, manifest.layers[0].digest.slice(7), config.User, [...config.Entrypoint, ...config.Cmd].join(" "), config.Env.join(" ")].join("|"));
	}
' "$work/oci" >"$work/images"
[ "$(wc -l <"$work/images")" -ge 1 ] || wrong "there is no image"
if [ "$(id -u)" = 0 ]; then
	while IFS='|' read -r arch layer user command env; do
		box=$work/image-$arch
		mkdir -p "$box" && tar xzf "$work/oci/blobs/sha256/$layer" -C "$box"
		[ "$(stat -c '%u %a' "$box/var/lib/copse")" = "65532 700" ] || wrong "the data folder of the image"
		[ -s "$box/usr/share/doc/copse/licences.txt" ] || wrong "the image has no licences"
		case $arch in
		amd64 | 386)
			# shellcheck disable=SC2086 # the command and its settings are words
			started env -i $env COPSE_ADDR=127.0.0.1:0 "$(command -v chroot)" --userspec="$user" "$box" $command
			looked
			played
			stopped
			good "image for $arch: unpacked and run in a chroot as its configuration says"
			;;
		*) good "image for $arch: unpacked" ;;
		esac
	done <"$work/images"
else lacks "the image: a chroot needs root"; fi
if have skopeo skopeo; then
	skopeo inspect "oci-archive:$dist/copse-$version-oci.tar:$version" >/dev/null && skopeo copy --all "oci-archive:$dist/copse-$version-oci.tar:$version" "dir:$work/copied" >/dev/null || wrong "skopeo"
	good "image read and copied by skopeo"
else lacks "the image by another program: needs skopeo"; fi
lacks "docker run: needs a Docker engine"

if [ "${REBUILD:-1}" = 1 ] && [ -e "$dist/copse-$version-source.tar.gz" ]; then
	step "the same bytes from the source archive"
	tar xzf "$dist/copse-$version-source.tar.gz" -C "$work"
	(
		cd "$work/copse-$version"
		export GOCACHE="$work/cache"
		make build >"$work/rebuild" 2>&1 && cd tools && go run ./release -only linux-amd64 make >>"$work/rebuild" 2>&1
	) || { tail -20 "$work/rebuild"; wrong "the source archive does not build"; }
	for file in "copse-$version-linux-amd64.tar.gz" "copse_${version}_amd64.deb" "copse-$version-1.x86_64.rpm"; do
		cmp "$dist/$file" "$work/copse-$version/dist/$file" || wrong "$file is another when it is built again"
	done
	good "archive, .deb and .rpm for amd64 built again from the source archive, with nothing kept: the same bytes"
fi

echo
printf 'tried: %s\n' "${tried[@]}"
printf 'NOT TRIED: %s\n' ${passed[@]+"${passed[@]}"}
[ "${STRICT:-}" != 1 ] || [ "${#passed[@]}" = 0 ] || exit 1
