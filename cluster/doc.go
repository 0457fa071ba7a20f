// Package cluster proves what many nodes promise: three real ones play real games on
// a real PostgreSQL with a synchronous standby and a real NATS, while a nemesis kills
// and pauses them, cuts and slows what lies between them, crashes the database and
// has the standby take over. Clients over HTTP and streams keep everything that they
// were told, and in the end the logs must explain it.
//
// There is nothing here but tests. `make test` has a short form of them, `make
// cluster` a long one.
package cluster
