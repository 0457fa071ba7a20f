// Package news carries what has happened at tables to whoever looks on. It
// knows no table and no log: a topic is a name, an item a number and bytes.
//
// The truth is in the log; news says that it has grown. So news may lose
// readers, never items: whoever reads too slowly is cut off and told so, and
// reads on in the log by number. Nobody who publishes ever waits.
//
// What is a whole state, such as who is present, is carried apart from that: a
// newer one takes the place of an older one that was not taken yet. However often
// it changes, nobody is cut off by it, and the last is always told.
//
// Hub carries within one process. Whatever carries between processes keeps the
// same promises, which newstest holds them to.
package news

import "errors"

// Carrier carries news.
type Carrier interface {
	// Publish tells everyone who watches the item's topic. It does not wait for
	// anyone. The numbered items of a topic are published in their order, after
	// they are in the log.
	Publish(item Item)

	// Wanted tells whether anybody may be watching a topic. Where it says no,
	// what is in no log need not be written at all; a carrier that cannot
	// know says yes.
	Wanted(topic Topic) bool

	// Subscribe makes a reader that watches nothing yet. Of items that it has
	// not taken, so many are kept for it; with one more it is cut off. States do
	// not count.
	Subscribe(buffer int) Reader

	// Close cuts everyone off, with ErrStopped. What is published later is told
	// to nobody.
	Close()
}

// Reader hears of what it watches, all in one queue. All methods may be called by
// several goroutines.
type Reader interface {
	// Watch adds a topic. next tells at which number its log goes on, and is
	// asked once, when nothing that is published from then on can be missed.
	// What it answers is returned: whoever has read the log up to there misses
	// nothing. From that number on every numbered item arrives, each once and
	// in order, until the reader is cut off; of smaller numbers none does.
	// Where next fails, the topic is not watched.
	//
	// Without next only unnumbered items arrive. A topic that is watched
	// already is begun anew. A reader that is closed or cut off answers with
	// the reason.
	Watch(topic Topic, next func() (int, error)) (from int, err error)

	// Ignore takes a topic away. What was already on its way may yet arrive.
	Ignore(topic Topic)

	// Take takes the next item; ok is false where there is none now. When the
	// reader is cut off or closed, what can still be taken is complete as far
	// as it goes.
	Take() (item Item, ok bool)

	// Ready can be received from when something has come since Take found
	// nothing, and is closed when the reader is cut off or closed. It may be
	// ready for nothing: whoever waits takes until there is none, and then waits.
	Ready() <-chan struct{}

	// Err is why nothing more will come, nil while something may.
	Err() error

	// Close ends it and frees all that it took.
	Close()
}

// Why a reader hears no more.
var (
	ErrSlow    = errors.New("news: the reader was too slow and is cut off: read on in the log and subscribe again")
	ErrGap     = errors.New("news: something is missing and the reader is cut off: read on in the log and subscribe again")
	ErrStopped = errors.New("news: nothing is carried any more: subscribe again when the server is back")
	ErrDone    = errors.New("news: the reader was closed")
)

// Item is something that has happened.
type Item struct {
	Topic  Topic
	Number int    // of the entry in the log of the topic; Unnumbered for what is in no log
	Body   []byte // many read it, and nobody changes it

	// State names what the item is the whole of, for what is in no log: of two with the
	// same topic and the same State a reader that has taken neither gets the
	// newer one alone, when that is its turn. Nothing for what must be heard each
	// time.
	State string
}

// Unnumbered is the number of items that are in no log, such as chat. They arrive
// in the order of all that one publishes on a topic, whatever number a reader
// began at.
const Unnumbered = -1

// Topic is what news is about.
type Topic struct {
	kind byte
	id   string
}

// Table is what happens at a table.
func Table(id string) Topic { return Topic{'t', id} }

// Person is what a person is told, wherever it happens.
func Person(id string) Topic { return Topic{'p', id} }

// ID is that of the table or the person.
func (t Topic) ID() string { return t.id }

// String names the topic, as no other is named.
func (t Topic) String() string {
	switch t.kind {
	case 't':
		return "table." + t.id
	case 'p':
		return "person." + t.id
	}
	return "nothing"
}
