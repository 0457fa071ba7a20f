//go:build planted

package postgres

import "os"

// This file is in the binary that package cluster builds for its tests, and in no
// other: with COPSE_PLANTED_NEXT it is as the version after this one will be, which
// has brought the database one step further. Who cancels commits on purpose takes for
// done what the server calls done, as a plain client would.
func init() {
	if os.Getenv("COPSE_PLANTED") == "cancel" {
		heed = nil
	}
	if os.Getenv("COPSE_PLANTED_NEXT") != "" {
		migrations = append(migrations, migration{"next.sql", "ALTER TABLE people ADD COLUMN hat int NOT NULL DEFAULT 0; ALTER TABLE entries ADD COLUMN hat int NOT NULL DEFAULT 0; CREATE TABLE hats (of text NOT NULL)"})
	}
}
