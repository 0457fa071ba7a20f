// Package table is one sitting of a game: who sits where, whose turn it is, what
// the clocks show, what is taken back, what goes into the log, and who is told
// what. It does nothing by itself: time, nonces and secrets are handed in, and it
// writes nowhere.
//
// A table is its log. [Create] makes the first entry, [Open] folds a log into a
// [Table]. A [Command] is what somebody wants: [Table.Decide] says which entries follow from
// it, outcomes of chance and the end included, or why it is refused, and changes
// nothing. Whoever keeps the log appends these entries, all or none, behind the
// last one, and when they are kept hands them to [Table.Apply], which gives a
// [Step] for each: what is to be told of it, in the form in which each viewer may
// hear it. Another node that learns of the entries applies them just so.
//
//	entries, err := t.Decide(cmd, now)   // refused: say so, nothing has changed
//	err = append(table, t.Len(), bytes)  // overtaken: read on, Apply, Decide again
//	for each entry: step, err := t.Apply(entry); tell everyone step.Heard(viewer)
//
// The law of a table stands once, in fold.go: an entry is taken only where it may
// stand, with the consent it needs and not before time has run out, so that a log
// proves itself. Commands add only who may give them. What changed since the first
// day stands in law.go: a log is judged by the law that its settings name.
//
// # Seats
//
// Who has sat at the table for the longest time decides about bots before the
// game; where no seat is empty anyone at it may begin. A person who leaves, or
// whose time has run out, is played for by the stand-in of the settings until it
// returns, or moves, which is the same. Bots do not play while nobody is at the
// table. Who resigns is played for to the end and ranks behind all who did not,
// the last to resign best among them; where fewer than two seats are left in
// play, or no person's, the game ends. To abandon it all people must agree, those
// who are away too: else one could flee from a defeat.
//
// # Going back
//
// What arrives at a table was confirmed: drafts are made and unmade by the page
// alone. So a step back needs the consent of the people who are at the table, and
// none against bots alone; it may cross outcomes and reveals, since all have
// agreed. A draw that was undone comes again the same, as draws are counted along
// the line of play. Who is away is asked too, until the patience of the pace is over
// since they left; after that nobody goes back behind the moment at which they did.
// How often a seat went back is counted.
//
// # Clocks
//
// Every seat has a bank; thinking spends it and each turn of its own adds a step
// (pace.go). A clock runs only for a person who is to act while another person is
// at the table. What it shows follows from the times of the entries, so it needs
// no entry of its own; only time during which the server was away, which counts for
// nobody, is told by one (Skip). A move that comes after the deadline is in time as long as
// no Timeout stands in the log.
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
