#!/bin/sh
# Makes what the parts of contrib/cluster/compose.yaml know each other by, in the folder
# "secrets" beside this file: an authority of their own, a certificate for PostgreSQL and
# for NATS, passwords, and the key of the house. It makes nothing twice.
set -eu
umask 077
cd "$(dirname "$0")"
mkdir -p secrets
cd secrets

[ -f ca.pem ] || openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 3650 \
	-keyout ca.key -out ca.pem -subj "/CN=Copse" \
	-addext basicConstraints=critical,CA:true -addext keyUsage=critical,keyCertSign

# certificate NAME HOST…: a certificate for these hosts.
certificate() {
	name=$1
	shift
	[ ! -f "$name.pem" ] || return 0
	hosts=$(printf ',DNS:%s' "$@")
	openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout "$name.key" -out "$name.csr" -subj "/CN=$1"
	printf 'subjectAltName=%s\nextendedKeyUsage=serverAuth\n' "${hosts#,}" >"$name.ext"
	openssl x509 -req -in "$name.csr" -CA ca.pem -CAkey ca.key -CAcreateserial -days 3650 -extfile "$name.ext" -out "$name.pem"
	rm "$name.csr" "$name.ext"
}
certificate postgres primary standby
certificate nats nats

secret() { openssl rand -hex 24; }
[ -f postgres.password ] || secret >postgres.password
[ -f replicator.password ] || secret >replicator.password
[ -f postgres.pass ] || printf '*:*:copse:copse:%s\n' "$(cat postgres.password)" >postgres.pass
[ -f nats.pass ] || printf 'copse:%s\n' "$(secret)" >nats.pass
[ -f nats.conf ] || cat >nats.conf <<CONF
listen: 0.0.0.0:4222
tls { cert_file: /secrets/nats.pem, key_file: /secrets/nats.key }
authorization { user: copse, password: "$(cut -d: -f2 nats.pass)" }
CONF
[ -f key ] || openssl rand -hex 32 >key
