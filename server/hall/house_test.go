package hall

import "testing"

// TestARowThatChangesIsReadAnew: what was read before counts for the same row alone.
func TestARowThatChangesIsReadAnew(t *testing.T) {
	t.Parallel()
	free := readRowOf([]byte(`{"phase":"lobby","seats":[{"held":"person"},{"held":"empty"}],"settings":{"watchers":true}}`), readRow{})
	if free.phase != "lobby" || !free.free || !free.shown || free.broken {
		t.Errorf("it is read as %+v", free)
	}
	full := readRowOf([]byte(`{"phase":"play","seats":[{"held":"person"},{"held":"person"}],"settings":{}}`), free)
	if full.phase != "play" || full.free || full.shown {
		t.Errorf("after a change it is read as %+v", full)
	}
	marked := full
	marked.phase = "as it was read"
	if again := readRowOf([]byte(full.about), marked); again != marked {
		t.Errorf("the same row is read again: %+v", again)
	}
	if broken := readRowOf([]byte(`{`), full); !broken.broken {
		t.Errorf("no row is read as %+v", broken)
	}
	if none := readRowOf(nil, readRow{}); !none.broken {
		t.Errorf("an empty row is read as %+v", none)
	}
}
