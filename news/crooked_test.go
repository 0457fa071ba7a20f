package news_test

import (
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"testing"

	"copse/news"
)

// plant is the variable of the environment that says, in a process that the test
// below has started, what its carrier does wrong.
const plant = "COPSE_NEWS_PLANT"

// crooked is a hub that does something wrong.
type crooked struct {
	*news.Hub
	bug string
	n   atomic.Int64

	told atomic.Bool // a state was told
	raw  atomic.Value
}

func planted(hub *news.Hub) news.Carrier {
	if bug := os.Getenv(plant); bug != "" {
		return &crooked{Hub: hub, bug: bug}
	}
	return hub
}

func (c *crooked) Publish(item news.Item) {
	n := c.n.Add(1)
	c.raw.Store(item.Raw)
	switch {
	case c.bug == "takes a state for an event":
		item.State = ""
	case c.bug == "keeps the first state" && item.State != "" && c.told.Swap(true):
		return
	case c.bug == "takes all states for one" && item.State != "":
		item.State = "any"
	case c.bug == "loses" && n%40 == 0:
		return
	case c.bug == "repeats":
		item.Number = max(item.Number, news.Unnumbered)
		c.Hub.Publish(news.Item{Topic: item.Topic, Number: news.Unnumbered, Body: item.Body})
	}
	c.Hub.Publish(item)
}

func (c *crooked) Subscribe(buffer int) news.Reader {
	if c.bug == "hoards" {
		buffer *= 1000
	}
	return &crookedReader{c.Hub.Subscribe(buffer), c.bug, c}
}

type crookedReader struct {
	news.Reader
	bug string
	of  *crooked
}

func (r *crookedReader) Take() (news.Item, bool) {
	item, ok := r.Reader.Take()
	if r.bug == "hands out secrets" && ok {
		item.Raw, _ = r.of.raw.Load().([]byte)
	}
	return item, ok
}

func (r *crookedReader) Watch(topic news.Topic, next func() (int, error)) (int, error) {
	if r.bug == "asks too early" && next != nil {
		n, err := next()
		if err != nil {
			return 0, err
		}
		next = func() (int, error) { return n, nil }
	}
	return r.Reader.Watch(topic, next)
}

func (r *crookedReader) Ignore(topic news.Topic) {
	if r.bug != "ignores nothing" {
		r.Reader.Ignore(topic)
	}
}

func (r *crookedReader) Err() error {
	if r.bug == "gives no reason" {
		return nil
	}
	return r.Reader.Err()
}

// TestTheSuiteCanFail has carriers do something wrong, and the test of the promise
// that they break must fail.
func TestTheSuiteCanFail(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for bug, promise := range map[string]string{
		"takes a state for an event": "NobodyIsCutOffByStates",
		"keeps the first state":      "AStateWhileANumberIsAskedFor",
		"takes all states for one":   "OfAStateTheNewestArrives",
		"loses":                      "EveryItemInOrderFromANumberOn",
		"repeats":                    "ARepetitionIsNotHeard",
		"asks too early":             "CompleteFromWhateverMoment",
		"hoards":                     "ASlowReaderIsCutOffAndNobodyElse",
		"ignores nothing":            "OnlyWhatIsWatchedArrives",
		"gives no reason":            "AGapIsNotPassedOver",
		"hands out secrets":          "NobodyReadsTheEntryItself",
	} {
		cmd := exec.Command(self, "-test.run", "^TestHub$/^"+promise+"$", "-test.timeout", "20s", "-test.count", "5")
		cmd.Env = append(os.Environ(), plant+"="+bug)
		out, err := cmd.CombinedOutput()
		if err == nil || !strings.Contains(string(out), promise) {
			t.Errorf("a carrier that %s passes %s:\n%s", bug, promise, out)
		}
	}
}
