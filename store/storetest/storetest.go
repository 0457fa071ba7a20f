// Package storetest holds an adapter of a store to what package store promises.
package storetest

import (
	"context"
	"fmt"
	"testing"
	"time"

	"copse/store"
)

// Fresh makes a new and empty place for a test and says how to open it. Opened
// again after it was closed, it holds what was in it.
type Fresh func(t *testing.T) (open func() (store.Store, error))

// Run holds an adapter to every promise.
func Run(t *testing.T, fresh Fresh) {
	for _, promise := range []struct {
		name string
		hold func(*testing.T, *trial)
	}{
		{"ALogIsNumberedFromZero", numbered},
		{"ASecondWriterLosesAndIsTold", secondWriter},
		{"OfManyWritersOneWins", manyWriters},
		{"OfManyWhoMakeATableOneDoes", manyMakers},
		{"ManyTablesAtOnce", manyTables},
		{"OneConflictFailsNobodyElse", strangers},
		{"AnAppendIsWholeOrNotAtAll", whole},
		{"BytesAreCopied", copied},
		{"AnAppendMayBeRepeated", repeated},
		{"OfManyRepetitionsOneIsWritten", manyRepetitions},
		{"AKeyIsForOneRequest", reused},
		{"APackedLogReadsTheSame", packed},
		{"PackingLosesNothing", packedInBetween},
		{"KeysOutliveTheGameByADay", keysOfThePacked},
		{"ReadsAndAppendsAreLinearizable", linearizable},
		{"WhatIsTooLargeIsRefused", tooLarge},
		{"WhatIsNotThereIsNone", nothing},
		{"ACancelledCallerWritesNothing", cancelled},
		{"SnapshotsAreACache", snapshots},
		{"OpenTablesAreListed", listed},
		{"MyTablesBeginWithMyTurn", sitting},
		{"TablesAreDue", due},
		{"DueTablesAreClaimedOnce", dueClaimed},
		{"OfManyWhoLookOneGetsATable", manyLooks},
		{"HeadsOfManyTables", heads},
		{"PagesPassOverNoTable", pages},
		{"ADroppedTableIsGone", dropped},
		{"WhereSomebodyHasComeNothingIsDropped", droppedInVain},
		{"TheIndexFollowsAModel", model},
		{"PeopleAreKeptAndChanged", people},
		{"OfTwoChangesNeitherIsLost", changes},
		{"TextsAreAnyBytes", texts},
		{"ADeletedPersonIsForgotten", forgotten},
		{"WhoIsDeletedSitsNowhere", deletedWhileSitting},
		{"WhoStaysAwayIsMissed", unseen},
		{"PassesRunOut", passes},
		{"ManyAreAskedForAtOnce", manyAsked},
		{"ALinkIsGoodOnce", links},
		{"SignOutEverywhere", signOut},
		{"PassesAreBounded", manyPasses},
		{"ChatIsInOrder", chat},
		{"OfManyWhoSayTheSameOneIsHeard", manyLines},
		{"JobsAreDoneAtLeastOnce", jobs},
		{"OfManyClaimsOneGetsAJob", manyClaims},
		{"ABoxGoesWithItsLastTable", boxes},
		{"ASilentHouseIsAnOutage", beats},
		{"OfManyBeatsOneFindsTheOutage", manyBeats},
		{"AllOutagesAreTimeAway", timeAway},
		{"BeforeItsFirstBeatAHouseIsAway", awayBeforeTheFirstBeat},
		{"OutagesAreBounded", outagesAreBounded},
		{"PapersAreKeptUnderTheirKeys", papers},
		{"PapersThatCannotBeAreRefused", papersRefused},
		{"PapersAreOverdue", overdue},
		{"PapersGoWithTheirOwner", ownedPapers},
		{"OfManyWhoWriteAPaperOneWins", manyPapers},
		{"PapersAreWrittenWithAnAppend", appendedPapers},
		{"AppendsWithPapersLoseNone", manyAppendedPapers},
		{"ANameAndItsPaperChangeTogether", namedByPaper},
		{"EverythingIsThereWhenOpenedAgain", reopened},
		{"ItIsCheckedWhole", checked},
		{"AClosedStoreSaysSo", closed},
	} {
		t.Run(promise.name, func(t *testing.T) {
			t.Parallel() // each test has a store of its own, and waits for it
			h := &trial{T: t, ctx: t.Context(), open: fresh(t)}
			h.enter()
			promise.hold(t, h)
			h.leave()
		})
	}
}

// trial is a store under test, with short forms of what every test does.
type trial struct {
	*testing.T
	ctx  context.Context
	open func() (store.Store, error)
	store.Store
}

func (h *trial) enter() {
	h.Helper()
	s, err := h.open()
	h.good(err)
	h.Store = s
}

func (h *trial) leave() {
	h.Helper()
	h.good(h.Close())
}

func (h *trial) good(err error) {
	h.Helper()
	if err != nil {
		h.Fatal(err)
	}
}

// day is when everything happens.
var day = time.Date(2026, time.March, 1, 12, 0, 0, 0, time.UTC)

func after(minutes int) time.Time { return day.Add(time.Duration(minutes) * time.Minute) }

// body is what an entry of the tests says.
func body(table string, number int) []byte {
	return fmt.Appendf(nil, `{"at":%q,"number":%d}`, table, number)
}

// found makes a table with so many entries.
func (h *trial) found(table string, entries int, row store.Row) {
	h.Helper()
	a := store.Append{Table: table, At: day, Row: &row}
	for i := range entries {
		a.Entries = append(a.Entries, body(table, i))
	}
	_, err := h.Append(h.ctx, a)
	h.good(err)
}

// account makes an account.
func (h *trial) account(id string) {
	h.Helper()
	h.good(h.AddAccount(h.ctx, store.Account{ID: id, Name: "The " + id, Salt: []byte("salt of " + id), Born: day}))
}

// log compares the log of a table with what it should be.
func (h *trial) log(table string, entries int) {
	h.Helper()
	log, err := h.Read(h.ctx, table, 0)
	h.good(err)
	if len(log) != entries {
		h.Fatalf("the log of %s has %d entries, want %d", table, len(log), entries)
	}
	for i, e := range log {
		if e.Number != i || string(e.Body) != string(body(table, i)) {
			h.Fatalf("entry %d of %s: number %d, %s", i, table, e.Number, e.Body)
		}
	}
}

// ids are the names of tables in a list.
func ids(list []store.Listing, err error) string {
	if err != nil {
		return err.Error()
	}
	names := ""
	for _, l := range list {
		names += l.ID + " "
	}
	return names
}

func (h *trial) ids(want string) func([]store.Listing, error) {
	return func(list []store.Listing, err error) {
		h.Helper()
		if got := ids(list, err); got != want {
			h.Errorf("tables are %q, want %q", got, want)
		}
	}
}
