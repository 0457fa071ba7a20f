package hall

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"log/slog"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"copse/bot"
	"copse/game"
	"copse/news"
	"copse/store"
	"copse/table"
)

// Options are what a hall is made of.
type Options struct {
	Store store.Store
	News  news.Carrier // a news.Between says that the house may have other nodes
	Games []game.Game  // what can be played; those that are a bot.Thinker have bots
	Key   []byte       // of this server: what is derived from it nobody can guess

	Version, Host string // of the program and of the machine, as operators are told who serves

	Now   func() time.Time     // the clock on the wall; the machine's where it is nil
	Mono  func() time.Duration // the time since some moment, whatever the clock on the wall is set to; nil for the machine's, or for what Now says
	Log   *slog.Logger         // nil for silence
	Cores int                  // how many bots think at the same time, one more if it is cheap; 0 for as many as there are cores
	Heed  Heed                 // who wants to know what is going on, for figures

	// Quiet is how long it takes until the hall may tell again who looks on at a
	// table; 0 for the usual.
	Quiet time.Duration

	// Forget is after how long a guest who has no game and does not come back is
	// deleted; 0 for never.
	Forget time.Duration

	// Doorbell tells people something though no page of theirs is open; nil where
	// nobody does.
	Doorbell Doorbell

	// Random fills raw with what nobody can guess, for the use that it is told; nil for
	// crypto/rand, and a server that people play on has nothing else. Tests bring one that
	// draws the same every time (package halltest), so that no deal is luck.
	Random func(use string, raw []byte)

	// Deal feeds outcomes of chance in by hand, to prove that nothing leaks.
	Deal func(table string) table.Deal
}

// Heed is told what is going on. Its functions must not block.
type Heed struct {
	Appended func(entries int, took time.Duration, err error)
	Thought  func(player string, took time.Duration, cut bool)
	Opened   func(took time.Duration)
}

// Hall holds the tables that are open.
type Hall struct {
	store       store.Store
	news        news.Carrier
	between     news.Between // the same; nil where the house has one node
	node        string       // what this hall is called among the nodes, as long as it lives
	games       []game.Game
	key         []byte
	version     string // of the program
	host        string // the machine
	log         *slog.Logger
	heed        Heed
	random      func(use string, raw []byte)
	deal        func(table string) table.Deal
	forgetAfter time.Duration // after which a guest who stays away is forgotten; 0 for never
	doorbell    Doorbell      // nil for none

	shelf    *table.Shelf
	thinkers map[string]bot.Thinker
	people   people
	missed   missed
	troubles troubles
	crowd    crowd
	peers    peers
	matcher  matcher
	judging  lock // held while the end of a rated game is judged and written
	order    order
	here     crowd // who has a stream, by the parts of house.go
	apart    apart
	lively   lively
	agreed   atomic.Pointer[known] // what all nodes can read; nil where nobody has asked
	lost     lost
	clock    *clock
	pulse    pulse

	mu    sync.Mutex
	rooms map[string]*room

	life   context.Context // until Stop
	end    context.CancelFunc
	work   sync.WaitGroup
	minds  minds
	leases leases
	chores chores
	quiet  time.Duration
	gate   sync.Mutex   // held to start work, and to end it
	live   atomic.Int64 // rooms that are open
}

// ErrStopped says that this server is stopping.
var ErrStopped = errors.New("hall: the server stops: ask again when it is back")

// New makes a hall.
func New(o Options) *Hall {
	if o.Log == nil {
		o.Log = slog.New(slog.NewTextHandler(io.Discard, nil))
	}
	if o.Quiet <= 0 {
		o.Quiet = usualQuiet
	}
	if o.Random == nil {
		o.Random = func(_ string, raw []byte) { _, _ = rand.Read(raw) } // it never fails
	}
	if o.Cores <= 0 {
		o.Cores = runtime.GOMAXPROCS(0)
	}
	h := &Hall{
		store: o.Store, news: o.News, games: o.Games, key: o.Key, version: o.Version, host: o.Host, log: o.Log, heed: o.Heed, random: o.Random, deal: o.Deal, forgetAfter: o.Forget, doorbell: o.Doorbell,
		shelf: table.NewShelf(o.Games...), thinkers: map[string]bot.Thinker{},
		rooms: map[string]*room{}, minds: minds{cores: o.Cores}, quiet: o.Quiet, clock: newClock(o.Now, o.Mono), pulse: pulse{lock: newLock()},
	}
	h.people.changing, h.matcher.look, h.judging, h.order.reading, h.lively.look = newLock(), newLock(), newLock(), newLock(), newLock()
	h.people.known, h.people.leaving, h.people.from = map[string]*remembered{}, map[string]int{}, map[string]origin{}
	h.crowd.at, h.crowd.quiet = map[string]*onlookers{}, map[string]*quiet{}
	h.here.at = map[string]*onlookers{}
	h.chores.known = map[string]time.Time{}
	h.peers.at = map[string]*peer{}
	h.node = h.NewID()
	for _, g := range o.Games {
		if t, ok := g.(bot.Thinker); ok {
			h.thinkers[g.About().Name] = t
		}
	}
	h.life, h.end = context.WithCancel(context.Background())
	if between, ok := o.News.(news.Between); ok {
		h.between = between
		between.Overhear(news.Ear{Item: h.overhear, Lost: h.lostNews})
	}
	return h
}

// Stop ends everything that the hall does by itself, and waits for it. Requests are
// still answered: the server stops first.
func (h *Hall) Stop() {
	h.farewell()
	h.gate.Lock()
	h.end()
	h.gate.Unlock()
	h.work.Wait()
}

// start starts a goroutine, unless the hall stops.
func (h *Hall) start(do func()) bool {
	h.gate.Lock()
	defer h.gate.Unlock()
	if h.life.Err() != nil {
		return false
	}
	h.work.Go(do)
	return true
}

// Alive returns as soon as the locks can be had that all tables and all bots share.
// None of them is held while something is waited for, so whoever does not hear back
// within seconds knows that the hall stands still for ever.
func (h *Hall) Alive() {
	for _, lock := range []sync.Locker{&h.mu, &h.gate, &h.minds.mu} {
		lock.Lock()
		lock.Unlock() //nolint:staticcheck // to have had it is all
	}
}

// Rooms is how many tables are open.
func (h *Hall) Rooms() int { return int(h.live.Load()) }

// Games are what can be played.
func (h *Hall) Games() []game.Game { return h.games }

// Passes are what people and programs are known by. They are the one part of the
// store that the server uses itself, to find out who asks.
func (h *Hall) Passes() store.Passes { return h.store }

// Ready is nil where the store answers, and has taken the last beat. Where it has not,
// another is given at once: the store may be back.
func (h *Hall) Ready(ctx context.Context) error {
	if wrong := h.pulse.wrong.Load(); wrong != nil {
		if h.Beat(ctx) != nil {
			return *wrong
		}
		h.fine(noBeat)
	}
	_, err := h.store.Due(ctx, time.UnixMilli(1), 1)
	return err
}

// Listen makes a reader of news, for Follow; package news says what buffer is.
func (h *Hall) Listen(buffer int) news.Reader { return h.news.Subscribe(buffer) }

// now is house time as tables count it.
func (h *Hall) now() table.Time { return table.At(h.Now()) }

// Failure says why nothing can be written any more; nil while it can.
func (h *Hall) Failure() error { return h.store.Failure() }
