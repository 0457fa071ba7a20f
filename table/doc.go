// Package table is one game with those who play it: who sits where, whose turn it
// is, what the clocks show, what is taken back, what goes into the log, and who is
// told what. It does nothing by itself: time, nonces and secrets are handed in, and
// it writes nowhere.
//
// A table is its log. [Create] makes the first entry, [Open] folds a log into a
// [Table]. A [Command] is what somebody wants: [Table.Decide] says which entries
// follow from it, outcomes of chance and the end included, or why it is refused,
// and changes nothing. The caller appends these entries to the log, all or none,
// behind the last one. When they are kept it hands them to [Table.Apply], which
// gives a [Step] for each: what is to be told of it, in the form in which each
// viewer may hear it. Another node that learns of the entries applies them in the
// same way.
//
//	entries, err := t.Decide(cmd, now)   // refused: say so, nothing has changed
//	err = append(table, t.Len(), bytes)  // overtaken: read on, Apply, Decide again
//	for each entry: step, err := t.Apply(entry); tell everyone step.Heard(viewer)
//
// fold.go says once which entries may stand where: with the consent they need, and
// not before time has run out, so that a log proves itself. Commands add only who
// may give them. What has changed since the first day stands in judgement.go: a log
// is judged as its settings say.
//
// # Seats
//
// The host is the person who has sat at the table for the longest time, and decides
// about bots before the game. Where no seat is empty anyone at the table may begin.
// When a person leaves, or their time runs out, the stand-in of the settings plays
// for them until they return, or move, which is the same. Bots do not play while
// nobody is at the table. For a person who resigns a stand-in plays to the end; the
// seat ranks behind all that did not resign, and the last to resign ranks best
// among those. Where fewer than two seats are left in play, or no person's, the
// game ends. To abandon it all people must agree, also those who are away: else one
// could flee from a defeat.
//
// # Going back
//
// What arrives at a table was confirmed: the page alone makes and unmakes drafts.
// So a step back needs the consent of the other people at the table, and none
// against bots alone. It may cross outcomes and reveals, since all have agreed. A
// draw that was undone comes again the same, as draws are counted along the line of
// play. A person who is away is asked too, until the patience of the pace is over,
// counted from when they left; after that nobody goes back behind the moment at
// which they left. The table counts how often a seat went back.
//
// # Clocks
//
// Every seat has a bank; thinking spends it and each turn of its own adds a step
// (pace.go). A clock runs only for a person who is to act while another person is
// at the table. What it shows follows from the times of the entries, so it needs no
// entry of its own. Only time during which the server was away has one (Skip): it
// counts for nobody. A move that comes after the deadline is in time as long as no
// Timeout stands in the log.
//
// # Who may know what
//
// Everything that a viewer is sent is made from its view of the position, from
// moves as the game has it hear them, from events addressed to it, and from
// entries that hold no secret. Nonces, the secret and the hashes of entries are
// told by the last entry or the export, not before. twins_test.go plays pairs of
// worlds that a viewer cannot tell apart and compares every byte.
//
// # What it costs
//
// A table keeps its log as it is written, twelve bytes more for every entry, and
// its state after every 32nd; everything in between is played again when somebody
// asks. A game of Bosk in autumn takes 10 to 19 KiB, of GrandBois 13 to 14
// (go test -run '^$' -bench Memory ./table), the rules not counted, which all
// tables with the same settings share.
package table
