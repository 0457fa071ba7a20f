#!/bin/sh
# Run once, when the primary is made: a role for the standby, nobody without TLS, and
# from the next start on a commit waits for the standby.
set -eu
psql -v ON_ERROR_STOP=1 -U "$POSTGRES_USER" -d "$POSTGRES_DB" -v password="$(cat /tmp/replicator.password)" <<'SQL'
CREATE ROLE replicator LOGIN REPLICATION PASSWORD :'password';
ALTER SYSTEM SET synchronous_standby_names = 'standby';
SQL
cat >"$PGDATA/pg_hba.conf" <<'HBA'
local   all          all                       trust
hostssl all          all         all           scram-sha-256
hostssl replication  replicator  all           scram-sha-256
HBA
