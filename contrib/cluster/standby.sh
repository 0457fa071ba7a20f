#!/bin/sh
# Copies the primary, once it is up, and follows it from then on.
set -eu
install -o postgres -m 600 /secrets/postgres.key /secrets/postgres.pem /secrets/ca.pem /tmp
(umask 077 && printf '*:*:*:replicator:%s\n' "$(cat /secrets/replicator.password)" >/tmp/pass)
chown postgres /tmp/pass
data=/var/lib/postgresql/data
chown postgres "$data"
if [ ! -f "$data/PG_VERSION" ]; then
	until gosu postgres pg_basebackup -D "$data" -R -X stream \
		-d "host=primary user=replicator application_name=standby sslmode=verify-full sslrootcert=/tmp/ca.pem passfile=/tmp/pass"; do
		sleep 1
	done
	chmod 700 "$data"
fi
exec gosu postgres postgres -D "$data" -c ssl=on -c ssl_cert_file=/tmp/postgres.pem -c ssl_key_file=/tmp/postgres.key -c max_connections=200
