// Package hall holds the tables at which people play: it opens them from the
// store, lets one thing at a time happen at each, tells everyone, lets bots
// think, and looks after clocks. It speaks no HTTP.
//
// The way of a move:
//
//  1. [Hall.Do] (do.go) finds the room of the table (room.go), reads the log
//     where it is not open yet, and locks it: from here on one thing at a time.
//  2. [table.Table.Decide] says which entries follow, chance included, or why
//     the move is refused. A move that comes again is refused as overtaken, and
//     then found by its key in the store: same key, same answer. What a log
//     cannot know, since it names nobody, the hall asks besides: whoever sits
//     down must not have seen the game from another seat (sight.go).
//  3. The entries are applied, told to nobody yet, and written by one Append
//     with the number they must have, the key and what lists say of the table
//     (row.go). It returns when they are synced to disk, together with those of
//     other tables. If they were not, or nobody knows, the table is read again from
//     what is there, and what is new in it is told.
//  4. tell.go writes each entry in every form in which somebody may hear it and
//     publishes it; the streams of the server pick the form of their viewer.
//  5. If a bot is to move now, it thinks outside when it is its turn (rota.go,
//     think.go) and comes back by 1. as a command that may be refused like any
//     other.
//
// Before a table is shown, moved at or timed out, it is told of outages since its
// last entry (beat.go). Every time of day in here is house time (clock.go), which
// never goes back.
//
// A house may have several nodes, each with a hall over the same store (nodes.go).
// Then 1. asks the store how far the log goes before anything is shown, and goes on
// from there; of two that append at the same time 3. lets one win, and the other
// decides anew; 4. tells the halls of other nodes the entry itself; 5. is done by the
// node that has appended, or has claimed the table (lease.go). Who looks on is known
// at all nodes (peers.go).
//
// What must happen though nobody does anything stands in the row of the table as
// the time to wake it, so that a restart forgets nothing (tend.go); a few do it, so
// that one table holds up no other (chores.go).
package hall
