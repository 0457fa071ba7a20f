package table

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"strconv"
)

// Invite is the secret part of the link to a table from which the host has sent
// somebody away. Whoever sits down must bring it, so that the person who was sent
// away does not come back under another name by the old link. It changes each time
// the host sends somebody away. It is empty as long as nobody was sent away, and at
// a table that is open to all, which needs no link.
func (t *Table) Invite() string { return t.invite(&t.now) }

func (t *Table) invite(s *state) string {
	if len(s.barred) == 0 || t.settings.Visible == ForAll {
		return ""
	}
	mac := hmac.New(sha256.New, t.keep.Secret[:])
	mac.Write(strconv.AppendInt([]byte("copse invite 1\n"), int64(len(s.barred)), 10))
	return hex.EncodeToString(mac.Sum(nil)[:6])
}

// invited tells whether somebody who brings this invite may sit down.
func (t *Table) invited(s *state, brought string) bool {
	want := t.invite(s)
	return want == "" || hmac.Equal([]byte(want), []byte(brought))
}
