package storetest

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"copse/store"
)

// Nodes is a store that is asked at several nodes over the same database: each write
// goes to another node than the last, each question to one that has not written last.
func Nodes(list ...store.Store) store.Store { return &nodes{list: list} }

type nodes struct {
	list []store.Store
	n    atomic.Int64 // which node has written last
}

// at is the node that writes next, and from the one that is asked.
func (n *nodes) at() store.Store   { return n.list[n.n.Add(1)%int64(len(n.list))] }
func (n *nodes) from() store.Store { return n.list[(n.n.Load()+1)%int64(len(n.list))] }

func (n *nodes) Append(ctx context.Context, a store.Append) (store.Receipt, error) {
	return n.at().Append(ctx, a)
}
func (n *nodes) Read(ctx context.Context, table string, from int) ([]store.Entry, error) {
	return n.from().Read(ctx, table, from)
}
func (n *nodes) Answered(ctx context.Context, table string, once store.Once) (store.Receipt, bool, error) {
	return n.from().Answered(ctx, table, once)
}
func (n *nodes) Pack(ctx context.Context, table string, now time.Time) error {
	return n.at().Pack(ctx, table, now)
}
func (n *nodes) SaveSnapshot(ctx context.Context, table string, s store.Snapshot) error {
	return n.at().SaveSnapshot(ctx, table, s)
}
func (n *nodes) Snapshot(ctx context.Context, table string) (store.Snapshot, bool, error) {
	return n.from().Snapshot(ctx, table)
}
func (n *nodes) Table(ctx context.Context, table string) (store.Listing, error) {
	return n.from().Table(ctx, table)
}
func (n *nodes) Heads(ctx context.Context, tables []string) (map[string]store.Head, error) {
	return n.from().Heads(ctx, tables)
}
func (n *nodes) Listed(ctx context.Context, game string, before int64, most int) ([]store.Listing, error) {
	return n.from().Listed(ctx, game, before, most)
}
func (n *nodes) Sitting(ctx context.Context, account string, most int) ([]store.Listing, error) {
	return n.from().Sitting(ctx, account, most)
}
func (n *nodes) Played(ctx context.Context, account string, before int64, most int) ([]store.Listing, error) {
	return n.from().Played(ctx, account, before, most)
}
func (n *nodes) Due(ctx context.Context, by time.Time, most int) ([]store.Listing, error) {
	return n.from().Due(ctx, by, most)
}
func (n *nodes) ClaimDue(ctx context.Context, by, now, until time.Time, most int) ([]store.Listing, error) {
	return n.at().ClaimDue(ctx, by, now, until, most)
}
func (n *nodes) Drop(ctx context.Context, table string, next int) error {
	return n.at().Drop(ctx, table, next)
}
func (n *nodes) AddAccount(ctx context.Context, a store.Account) error {
	return n.at().AddAccount(ctx, a)
}
func (n *nodes) Account(ctx context.Context, account string) (store.Account, error) {
	return n.from().Account(ctx, account)
}
func (n *nodes) Accounts(ctx context.Context, accounts []string) ([]store.Account, error) {
	return n.from().Accounts(ctx, accounts)
}
func (n *nodes) SetAccount(ctx context.Context, a store.Account, papers ...store.Paper) error {
	return n.at().SetAccount(ctx, a, papers...)
}
func (n *nodes) Saw(ctx context.Context, account string, at time.Time) error {
	return n.at().Saw(ctx, account, at)
}
func (n *nodes) Unseen(ctx context.Context, since time.Time, after store.Account, most int) ([]store.Account, error) {
	return n.from().Unseen(ctx, since, after, most)
}
func (n *nodes) DeleteAccount(ctx context.Context, account string) error {
	return n.at().DeleteAccount(ctx, account)
}
func (n *nodes) Admit(ctx context.Context, p store.Pass) error { return n.at().Admit(ctx, p) }
func (n *nodes) Pass(ctx context.Context, kind store.Kind, d store.Digest, now time.Time) (store.Pass, error) {
	return n.from().Pass(ctx, kind, d, now)
}
func (n *nodes) Good(ctx context.Context, kind store.Kind, passes []store.Digest, now time.Time) ([]store.Pass, error) {
	return n.from().Good(ctx, kind, passes, now)
}
func (n *nodes) Passes(ctx context.Context, account string, kind store.Kind, now time.Time) ([]store.Pass, error) {
	return n.from().Passes(ctx, account, kind, now)
}
func (n *nodes) Extend(ctx context.Context, kind store.Kind, d store.Digest, now, until time.Time) error {
	return n.at().Extend(ctx, kind, d, now, until)
}
func (n *nodes) Use(ctx context.Context, kind store.Kind, d store.Digest, now, day time.Time) error {
	return n.at().Use(ctx, kind, d, now, day)
}
func (n *nodes) Redeem(ctx context.Context, link store.Digest, now time.Time, session store.Pass) (store.Pass, error) {
	return n.at().Redeem(ctx, link, now, session)
}
func (n *nodes) Withdraw(ctx context.Context, kind store.Kind, d store.Digest) error {
	return n.at().Withdraw(ctx, kind, d)
}
func (n *nodes) SignOut(ctx context.Context, account string, kinds ...store.Kind) error {
	return n.at().SignOut(ctx, account, kinds...)
}
func (n *nodes) Say(ctx context.Context, table string, line store.ChatLine, once store.Once) (store.ChatLine, error) {
	return n.at().Say(ctx, table, line, once)
}
func (n *nodes) Lines(ctx context.Context, table string, from, most int) ([]store.ChatLine, error) {
	return n.from().Lines(ctx, table, from, most)
}
func (n *nodes) Plan(ctx context.Context, jobs ...store.Job) error { return n.at().Plan(ctx, jobs...) }
func (n *nodes) Claim(ctx context.Context, kind string, now, until time.Time, most int) ([]store.Job, error) {
	return n.at().Claim(ctx, kind, now, until, most)
}
func (n *nodes) Finish(ctx context.Context, job store.Job) error { return n.at().Finish(ctx, job) }
func (n *nodes) Delay(ctx context.Context, job store.Job, due time.Time) error {
	return n.at().Delay(ctx, job, due)
}
func (n *nodes) Box(ctx context.Context, hash string) ([]byte, error) { return n.from().Box(ctx, hash) }
func (n *nodes) Beat(ctx context.Context, at time.Time, gap time.Duration) (time.Time, error) {
	return n.at().Beat(ctx, at, gap)
}
func (n *nodes) LastBeat(ctx context.Context) (time.Time, error) { return n.from().LastBeat(ctx) }
func (n *nodes) Away(ctx context.Context) (time.Duration, error) { return n.from().Away(ctx) }
func (n *nodes) Outages(ctx context.Context, after time.Time) ([]store.Outage, error) {
	return n.from().Outages(ctx, after)
}
func (n *nodes) Paper(ctx context.Context, kind, key string) (store.Paper, error) {
	return n.from().Paper(ctx, kind, key)
}
func (n *nodes) Papers(ctx context.Context, kind, owner, after string, most int) ([]store.Paper, error) {
	return n.from().Papers(ctx, kind, owner, after, most)
}
func (n *nodes) Write(ctx context.Context, papers ...store.Paper) error {
	return n.at().Write(ctx, papers...)
}
func (n *nodes) Overdue(ctx context.Context, now time.Time, most int) ([]store.Paper, error) {
	return n.from().Overdue(ctx, now, most)
}
func (n *nodes) Check(ctx context.Context) (store.Checked, error) { return n.from().Check(ctx) }
func (n *nodes) Backup(ctx context.Context, file string) error    { return n.from().Backup(ctx, file) }

func (n *nodes) Failure() error {
	var errs []error
	for _, s := range n.list {
		errs = append(errs, s.Failure())
	}
	return errors.Join(errs...)
}

func (n *nodes) Close() error {
	var errs []error
	for _, s := range n.list {
		errs = append(errs, s.Close())
	}
	return errors.Join(errs...)
}
