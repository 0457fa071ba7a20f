package server

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"copse/game"
	"copse/server/hall"
	"copse/store"
	"copse/table"
)

// mineReply is all that is mine, as it is downloaded. It is written while it is read: a
// person may have played thousands of games.
type mineReply struct {
	Made     table.Time     `json:"made"`
	Me       mineAccount    `json:"me"`
	Passkeys []passkeyReply `json:"passkeys"`
	Sessions []sessionReply `json:"sessions"`
	Programs []program      `json:"programs"`
	Ratings  []poolRating   `json:"ratings"`
	Doorbell doorbellReply  `json:"doorbell" about:"What I am told though no page of mine is open, and in which browsers."`
	Friends  friendsReply   `json:"friends"`
	Peace    minePeace      `json:"peace"`

	Blocked []hall.Friend     `json:"blocked" about:"Whom I block."`
	Invited []hall.Invitation `json:"invited" about:"Where friends want me to play."`
	Shown   hall.Shown        `json:"shown" about:"What others see on my page."`
	Results []profileResult   `json:"results" about:"What my finished games came to."`

	Playing []string   `json:"playing" about:"Tables whose game is not over."`
	Games   []mineGame `json:"games" about:"Tables whose game is over, the newest first."`
	Whole   bool       `json:"whole" about:"Nothing is missing: what is cut off does not end with it."`
}

// mineAccount is what is kept of me.
type mineAccount struct {
	Name   string      `json:"name"`
	Member *table.Time `json:"member,omitempty" about:"Since when my name is kept for me."`
	Codes  int         `json:"codes" about:"How many recovery codes are left."`
}

// mineGame is a game of mine that is over.
type mineGame struct {
	Table  string          `json:"table"`
	Said   []hall.ChatLine `json:"said" about:"What I said there."`
	Export string          `json:"export,omitempty" about:"The game, as export gives it: lines of JSON that copse verify reads. Empty where there is none."`
}

// mostMine is how many games one download has.
const mostMine = 5000

func (c *call) mine(none) (mineReply, error) {
	if err := c.often("downloads", c.by.ID, quota{downloadsAnHour, time.Hour, downloadsAnHour}); err != nil {
		return mineReply{}, err
	}
	keys, err := c.passkeys(none{})
	if err != nil {
		return mineReply{}, err
	}
	sessions, err := c.sessions(none{})
	if err != nil {
		return mineReply{}, err
	}
	programs, err := c.programs(none{})
	if err != nil {
		return mineReply{}, err
	}
	ratings, err := c.ratings(none{})
	if err != nil {
		return mineReply{}, err
	}
	shown, err := c.Hall.Shown(c.r.Context(), c.by.ID)
	if err != nil {
		return mineReply{}, err
	}
	career, err := c.Hall.Career(c.r.Context(), c.by.ID)
	if err != nil {
		return mineReply{}, err
	}
	bell, err := c.rings(c.r.Context())
	if err != nil {
		return mineReply{}, err
	}
	bell.Key = "" // which is the house's
	friends, err := c.friends(none{})
	if err != nil {
		return mineReply{}, err
	}
	blocked, err := c.blocks(none{})
	if err != nil {
		return mineReply{}, err
	}
	invited, err := c.invitations(none{})
	if err != nil {
		return mineReply{}, err
	}
	sitting, err := c.Hall.Sitting(c.r.Context(), c.by, store.MostListed)
	if err != nil {
		return mineReply{}, err
	}
	quiet, err := c.minePeace()
	if err != nil {
		return mineReply{}, err
	}
	head := mineReply{
		Made: table.At(c.Hall.Now()), Me: mineAccount{Name: c.by.Name, Codes: keys.Codes},
		Passkeys: keys.Passkeys, Sessions: sessions.Sessions, Programs: programs.Programs, Ratings: ratings.Pools,
		Friends: friends, Blocked: blocked.Blocked, Invited: invited.Invitations,
		Shown: shown, Peace: quiet, Doorbell: bell, Results: profileResults(career, true, true), Playing: []string{}, Games: []mineGame{},
	}
	if c.by.Member != 0 {
		head.Me.Member = &c.by.Member
	}
	for i := range sitting {
		head.Playing = append(head.Playing, sitting[i].Table)
	}
	raw, err := json.Marshal(head)
	if err != nil {
		return mineReply{}, err
	}
	const tail = `],"whole":false}` // behind the games
	c.w.Header().Set("Content-Type", jsonType[0])
	c.w.Header().Set("Content-Disposition", `attachment; filename="copse.json"`)
	c.begin(c.end.status)
	c.security("download")
	if _, err := c.w.Write(raw[:len(raw)-len(tail)]); err != nil {
		return mineReply{}, nil // the client has hung up
	}
	whole, err := c.minePlayed()
	if err != nil {
		c.Log.Error("a download is not whole", "err", err)
	}
	end := `],"whole":false}`
	if whole {
		end = `],"whole":true}`
	}
	_, _ = c.w.Write([]byte(end + "\n")) // an error means that the client has hung up
	return mineReply{}, nil
}

// minePlayed writes the games that I have played, and tells whether these are all.
func (c *call) minePlayed() (whole bool, err error) {
	before, n := int64(0), 0
	for {
		ctx, done := c.anew()
		list, err := c.Hall.Played(ctx, c.by, before, mostListed)
		done()
		if err != nil || len(list) == 0 {
			return err == nil, err
		}
		for i := range list {
			if n++; n > mostMine {
				return false, nil
			}
			before = list[i].Serial
			ctx, done := c.anew()
			one, err := c.mineGame(ctx, list[i].Table)
			done()
			if err != nil {
				return false, err
			}
			raw, err := json.Marshal(one)
			if err != nil {
				return false, err
			}
			if n > 1 {
				raw = append([]byte{','}, raw...)
			}
			if _, err := c.w.Write(raw); err != nil {
				return false, nil // the client has hung up
			}
		}
	}
}

// anew waits for the store and for the client from now on: a download of many games may
// take longer than any other answer.
func (c *call) anew() (context.Context, context.CancelFunc) {
	_ = http.NewResponseController(c.w).SetWriteDeadline(time.Now().Add(writeTime)) // where it cannot be moved it stays
	return context.WithTimeout(c.connection, c.Patience)
}

func (c *call) mineGame(ctx context.Context, id string) (mineGame, error) {
	one := mineGame{Table: id, Said: []hall.ChatLine{}}
	said, err := c.Hall.SaidBy(ctx, id, c.by)
	if err != nil && !errors.Is(err, store.ErrNone) {
		return one, err
	}
	one.Said = append(one.Said, said...)
	raw, err := c.Hall.Export(ctx, id, c.by)
	var refused *game.Refusal
	if err != nil && !errors.As(err, &refused) && !errors.Is(err, store.ErrNone) {
		return one, err
	}
	one.Export = string(raw)
	return one, nil
}
