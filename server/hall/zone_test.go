package hall

import (
	"fmt"
	"strings"
	"testing"
	"time"
	_ "time/tzdata"

	"copse/table"
)

func TestShiftsOfAZone(t *testing.T) {
	now := time.Date(2026, 1, 8, 8, 0, 0, 0, time.UTC)
	minute := func(y int, m time.Month, d, hour int) int {
		return int(time.Date(y, m, d, hour, 0, 0, 0, time.UTC).Unix() / 60)
	}
	for zone, want := range map[string]table.Shifts{
		"UTC":          {0},
		"Asia/Kolkata": {330},
		"Europe/Zurich": {60, minute(2026, 3, 29, 1), 120, minute(2026, 10, 25, 1), 60,
			minute(2027, 3, 28, 1), 120, minute(2027, 10, 31, 1), 60},
		"America/New_York": {-300, minute(2026, 3, 8, 7), -240, minute(2026, 11, 1, 6), -300,
			minute(2027, 3, 14, 7), -240, minute(2027, 11, 7, 6), -300},
	} {
		got, err := shifts(zone, now)
		if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: %v, %v", zone, got, err)
		}
	}
	for _, zone := range []string{"", "Local", "Europe/Nowhere", "../../etc/passwd", "/etc/localtime", "Europe/Zurich\x00", "Zürich", strings.Repeat("x", 65), " UTC"} {
		if got, err := shifts(zone, now); err == nil {
			t.Errorf("%q: %v", zone, got)
		}
	}
}

// TestARematchKnowsItsPlace: years later the clocks are changed on other days.
func TestARematchKnowsItsPlace(t *testing.T) {
	h := newTestHall(t)
	anna, ben := h.account("anna"), h.account("ben")
	set := settings("bosk", 2)
	set.Pace, set.Night, set.Zone = table.Days, table.Night{From: 1320, To: 480}, "Europe/Zurich"
	id := h.begun(set, anna, ben)
	h.do(id, anna, func(p table.Person) table.Command { return table.Resign{Person: p} })
	look := func(id string) *table.Settings {
		s, err := h.Look(t.Context(), id, anna)
		h.good(err)
		return s.Look.Settings
	}
	if s := look(id).Shifts; len(s) != 9 || s[0] != 60 {
		t.Errorf("the table keeps the nights %v", s)
	}
	h.wait(3 * 365 * 24 * time.Hour)
	next, err := h.Rematch(t.Context(), id, anna)
	h.good(err)
	if s, was := look(next).Shifts, look(id).Shifts; len(s) != 9 || s[1] <= was[7] {
		t.Errorf("the rematch keeps the nights %v after %v", s, was)
	}
	set.Zone = "Europe/Nowhere"
	_, err = h.Create(t.Context(), set)
	h.refused("server.zone", err)
}
