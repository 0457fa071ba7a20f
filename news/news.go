// Package news carries what has happened at tables to whoever looks on. It knows no
// table and no log: a topic is a name, an item is a number and bytes.
//
// The truth is in the log; news says that it has grown. So news may lose readers,
// but never items: a reader that is too slow is cut off and told so, and reads on
// in the log by number. A publisher never waits.
//
// A state, such as who is present, is carried apart from that: a newer one takes
// the place of an older one that the reader has not taken yet. However often a
// state changes, it cuts nobody off, and the last one always arrives. Between
// processes it may arrive before or after the items that were published around it.
//
// Hub carries within one process. A carrier between processes (package nats) keeps
// the same promises, and lets the halls of the nodes hear each other (Between);
// newstest holds every carrier to them.
package news

import (
	"errors"
	"strings"
)

// Carrier carries news.
type Carrier interface {
	// Publish gives an item to everyone who watches its topic, and waits for
	// nobody. The numbered items of a topic are published in their order, after
	// they are in the log.
	Publish(item Item)

	// Wanted tells whether anybody may be watching a topic. Where it says no, what
	// is in no log need not even be written; a carrier that cannot know says yes.
	Wanted(topic Topic) bool

	// Subscribe makes a reader that watches nothing yet. The carrier keeps so many
	// items for it that it has not taken; with one more the reader is cut off.
	// States do not count.
	Subscribe(buffer int) Reader

	// Close cuts all readers off, with ErrStopped. Nobody hears what is published
	// later.
	Close()
}

// Reader hears what happens on the topics that it watches, all in one queue.
// Several goroutines may call its methods.
type Reader interface {
	// Watch adds a topic. It calls next once, when nothing that is published from
	// then on can be missed, and next says at which number the log goes on. Watch
	// returns that number: whoever has read the log up to there misses nothing.
	// From that number on every numbered item arrives, once and in order, until the
	// reader is cut off; none with a smaller number does. Where next fails, the
	// topic is not watched.
	//
	// Without next only unnumbered items arrive. A topic that is watched already
	// begins anew. A reader that is closed or cut off answers with the reason.
	Watch(topic Topic, next func() (int, error)) (from int, err error)

	// Ignore takes a topic away. Items that were already on their way may still
	// arrive.
	Ignore(topic Topic)

	// Take takes the next item; ok is false where there is none now. After the
	// reader was cut off or closed, it can still take the items that came before,
	// without a gap.
	Take() (item Item, ok bool)

	// Ready can be received from when something has come since Take found nothing,
	// and is closed when the reader is cut off or closed. It may be ready although
	// there is nothing: a reader takes until there is nothing, and then waits.
	Ready() <-chan struct{}

	// Err says why nothing more will come; nil while something may.
	Err() error

	// Close ends the reader and frees all that it took.
	Close()
}

// The reasons why a reader hears no more.
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
	Body   []byte // shared by all readers: nobody changes it

	// State names the whole that the item is, for items that are in no log: of two
	// with the same topic and the same State a reader that has taken neither gets
	// only the newer one, in the newer one's place. It is empty for an item that
	// must be heard each time.
	State string

	// Raw is the entry as it stands in the log, with all its secrets. It is for the
	// halls of other nodes (Between): no reader ever gets it.
	Raw []byte
}

// Between is a carrier between the nodes of a house. A carrier that is none says by
// that that the house has one node.
type Between interface {
	Carrier

	// Tell gives an item to the readers of this node alone.
	Tell(item Item)

	// WantedHere tells whether a reader of this node watches a topic.
	WantedHere(topic Topic) bool

	// Overhear has an ear hear what the other nodes publish. There is one ear at a
	// time.
	Overhear(ear Ear)

	// Up tells whether this node hears the others, and they it, as far as is known.
	Up() bool
}

// Ear hears what other nodes publish. Its functions are called by several goroutines
// and must not wait for anything.
type Ear struct {
	// Item is called with every item that arrives, with its Raw, after the readers
	// of this node have it. What one node publishes on a topic arrives in its order,
	// states apart from the rest.
	Item func(item Item)

	// Lost is called when something may not have arrived.
	Lost func()
}

// Unnumbered is the number of items that are in no log, such as chat. They arrive
// in the order in which one publisher publishes on a topic, whatever number a
// reader began at.
const Unnumbered = -1

// Topic is what news is about.
type Topic struct {
	kind byte
	id   string
}

// Table is the topic of what happens at a table.
func Table(id string) Topic { return Topic{'t', id} }

// Account is the topic of what an account is told, wherever it happens.
func Account(id string) Topic { return Topic{'p', id} }

// House is the topic of what the nodes of a house tell each other. Nobody reads it
// but by an Ear.
func House() Topic { return Topic{'h', ""} }

// ID is the ID of the table or the account.
func (t Topic) ID() string { return t.id }

// String names the topic; no other topic has the same name.
func (t Topic) String() string {
	switch t.kind {
	case 't':
		return "table." + t.id
	case 'p':
		return "person." + t.id
	case 'h':
		return "house"
	}
	return "nothing"
}

// ParseTopic reads the name of a topic as String writes it.
func ParseTopic(name string) (topic Topic, ok bool) {
	if id, ok := strings.CutPrefix(name, "table."); ok {
		return Table(id), true
	}
	if id, ok := strings.CutPrefix(name, "person."); ok {
		return Account(id), true
	}
	if name == "house" {
		return House(), true
	}
	return Topic{}, false
}
