package store

import (
	"context"
	"crypto/sha256"
	"time"
)

// People keeps who there is. The name of an account stands here and nowhere else, so
// that it can be forgotten.
type People interface {
	// AddAccount adds an account; ErrTaken where the ID is.
	AddAccount(ctx context.Context, a Account) error

	// Account is an account, or ErrNone.
	Account(ctx context.Context, account string) (Account, error)

	// Accounts are those of these accounts that there are, in any order.
	Accounts(ctx context.Context, accounts []string) ([]Account, error)

	// SetAccount changes an account's name and More; everything else stays, and the
	// Version grows by one. Papers are written with it, or nothing is. ErrChanged says
	// that the Version is not the one that the caller gives: somebody else has changed
	// the account since it was read. ErrPapers says so of a paper.
	SetAccount(ctx context.Context, a Account, papers ...Paper) error

	// Saw notes that an account was here at a time, unless it was here later. The
	// zero time says that nobody misses it, however long it stays away.
	// ErrNone says that there is no such account.
	Saw(ctx context.Context, account string, at time.Time) error

	// Unseen are people who have not been here since a time, the longest away
	// first, beginning behind after, the last one that the caller knows; the zero
	// Account to begin. People whom nobody misses are not among them.
	Unseen(ctx context.Context, since time.Time, after Account, most int) ([]Account, error)

	// DeleteAccount forgets an account: name, salt, passes, papers that it owns, what
	// they said in chats and where they sat. Their games stay, and nobody can tell whose they were.
	// ErrNone says that there is no such account.
	DeleteAccount(ctx context.Context, account string) error
}

// Account is somebody who plays: a guest, or a program with a token.
type Account struct {
	ID   string
	Name string
	Salt []byte // with the ID it makes the hash under which logs know the account
	Born time.Time
	More []byte    // what else the server keeps of it
	Seen time.Time // when it was last here, as whoever notes it counts time; zero for an account that nobody misses, such as a program

	// Version is how often it was changed by SetAccount, which alone reads it.
	Version int64
}

// Passes keeps what lets its bearer act as an account. It never sees the secret that
// the bearer holds, only a digest of it.
type Passes interface {
	// Admit adds a pass. Of too many of one kind the oldest go. ErrNone says that
	// there is no such account, ErrTaken that the digest is taken.
	Admit(ctx context.Context, p Pass) error

	// Pass is a pass of this kind that has not run out, or ErrNone.
	Pass(ctx context.Context, kind Kind, d Digest, now time.Time) (Pass, error)

	// Good are those of these passes that are of this kind and have not run out, in
	// any order.
	Good(ctx context.Context, kind Kind, passes []Digest, now time.Time) ([]Pass, error)

	// Passes are an account's passes of one kind that have not run out, the
	// oldest first.
	Passes(ctx context.Context, account string, kind Kind, now time.Time) ([]Pass, error)

	// Extend moves the end of a pass. ErrNone says that it is gone or has run out.
	Extend(ctx context.Context, kind Kind, d Digest, now, until time.Time) error

	// Use notes the day on which a pass was last used. ErrNone as for Extend.
	Use(ctx context.Context, kind Kind, d Digest, now, day time.Time) error

	// Redeem turns a link into a session for the same account, once: of any number
	// of callers one gets it, all others get ErrNone. The caller gives the digest,
	// birth, end and note of the session.
	Redeem(ctx context.Context, link Digest, now time.Time, session Pass) (Pass, error)

	// Withdraw ends one pass, if there is such a one.
	Withdraw(ctx context.Context, kind Kind, d Digest) error

	// SignOut ends all of an account's passes of these kinds.
	SignOut(ctx context.Context, account string, kinds ...Kind) error
}

// Kind says what a pass is good for.
type Kind int

// The kinds of passes. Their numbers are for ever.
const (
	Session Kind = 1 // a browser that somebody uses
	Link    Kind = 2 // good for one session, elsewhere, soon
	Token   Kind = 3 // a program
)

// Digest stands for a secret.
type Digest [sha256.Size]byte

// DigestOf is the digest of a secret that nobody can guess. A short code can be
// guessed: the caller makes it longer by a key of the server first.
func DigestOf(secret string) Digest { return sha256.Sum256([]byte(secret)) }

// Pass lets the holder of its secret act as an account.
type Pass struct {
	Digest  Digest
	Kind    Kind
	Account string
	Born    time.Time
	Until   time.Time // zero: until it is withdrawn
	Label   string    // for its owner to know it by
	Used    time.Time // the day on which it was last used; zero: nobody noted it
}
