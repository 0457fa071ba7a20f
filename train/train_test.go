//go:build train

// Package train has no code of its own: nets are made by train.py, which is tested here.
package train

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"copse/game/net"
)

// python is the variable of the environment that names a Python with PyTorch and NumPy:
// make train-check sets it.
const python = "COPSE_TRAIN_PYTHON"

// The lessons of this test: a few features, of which some are beyond what counts.
const (
	inputs = 7
	rows   = 400
	games  = 40
)

// lesson is what a row of a file of lessons holds.
type lesson struct {
	Game       uint32
	Seat, Turn uint16
	X          [inputs]int16
	Y          [4]float32
}

// TestWhatPythonWritesIsWhatGoReads trains a tiny net, and compares what train.py says
// that it says in whole numbers with what it says in play: for every lesson, number for
// number.
func TestWhatPythonWritesIsWhatGoReads(t *testing.T) {
	with := os.Getenv(python)
	if with == "" {
		t.Fatalf("it needs a Python with PyTorch and NumPy, named by %s: see make train-check", python)
	}
	list := lessons()
	file, out := filepath.Join(t.TempDir(), "tiny.lessons"), filepath.Join(t.TempDir(), "tiny.net")
	head := fmt.Sprintf(`{"copse":"lesson","format":1,"for":"tiny","seats":2,"inputs":%d,"games":%d,"player":"nobody","playouts":1,"seed":"t"}`+"\n", inputs, games)
	raw, err := binary.Append([]byte(head), binary.LittleEndian, list)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	said := trained(t, with, file, out)

	made, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	n, err := net.New(made)
	if err != nil {
		t.Fatal(err)
	}
	if n.For != "tiny" || n.Seats != 2 || n.Inputs != inputs || n.First != 5 || n.Second != 3 || n.Outputs != 4 {
		t.Errorf("the net is %+v", n.About)
	}
	expert := filepath.Join(t.TempDir(), "expert.lessons")
	if err := os.WriteFile(expert, append(bytes.Replace([]byte(head), []byte(`"seats"`), []byte(`"options":{"expert":true},"seats"`), 1), raw[len(head):]...), 0o600); err != nil {
		t.Fatal(err)
	}
	empty := filepath.Join(t.TempDir(), "empty.lessons")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	none := filepath.Join(t.TempDir(), "none.lessons")
	if err := os.WriteFile(none, []byte(head), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		files []string
		want  string
	}{
		{[]string{file, expert}, "options is {'expert': True} there, and None in "},
		{[]string{empty}, "no file of copse lessons"},
		{[]string{none}, "0 games are too few"},
	} {
		raw, err := exec.Command(with, append([]string{"train.py", "--out", out + ".not"}, c.files...)...).CombinedOutput()
		if err == nil || !bytes.Contains(raw, []byte(c.want)) || bytes.Contains(raw, []byte("Traceback")) {
			t.Errorf("of %v it says %s (%v), wants %q", c.files, raw, err, c.want)
		}
	}
	if len(said) != rows {
		t.Fatalf("Python judges %d lessons of %d", len(said), rows)
	}
	var room net.Room
	differ := map[int32]bool{}
	for i := range list {
		got := n.Judge(list[i].X[:], &room, nil)
		if !slices.Equal(got, said[i]) {
			t.Fatalf("of %v Go says %v, and Python %v", list[i].X, got, said[i])
		}
		differ[got[2]] = true
	}
	if len(differ) < rows/20 {
		t.Errorf("only %d answers differ: such a net has learned nothing", len(differ))
	}
}

// lessons are drawn: the lead follows from the features, so that there is something to
// learn, and of some positions nobody knows how the game ended.
func lessons() []lesson {
	rng := rand.New(rand.NewPCG(16, 1))
	list := make([]lesson, rows)
	for i := range list {
		l := &list[i]
		l.Game = uint32(i * games / rows)
		for j := range l.X {
			l.X[j] = int16(rng.IntN(2*(4<<(2*j))+1) - 4<<(2*j)) // the last ones far beyond what counts
		}
		lead := float32(l.X[0]) + float32(l.X[1])/4
		l.Y = [4]float32{lead, 0, lead, 0}
		if lead > 0 {
			l.Y[1], l.Y[3] = 1, 1
		}
		if i%3 == 0 {
			l.Y[2], l.Y[3] = float32(math.NaN()), float32(math.NaN())
		}
	}
	return list
}

// trained runs train.py as its README says, and gives what its net says of every lesson
// in whole numbers.
func trained(t *testing.T, with, file, out string) (said [][]int32) {
	t.Helper()
	const script = `
import json, sys
sys.path.insert(0, '.')
import train
kept, whole = [], train.whole
def keep(net):
    kept.append(whole(net))
    return kept[0]
train.whole = keep
lessons, out, answers = sys.argv[1:4]
sys.argv = ['train.py', '--out', out, '--first', '5', '--second', '3', '--epochs', '3', '--batch', '64', lessons]
train.main()
said = train.judge(kept[0], train.read(lessons)[1]['x']) * train.PARTS * 2**train.SHIFT
assert (said == said.round()).all()
json.dump(said.astype(int).tolist(), open(answers, 'w'))
`
	answers := filepath.Join(t.TempDir(), "said.json")
	cmd := exec.Command(with, "-c", script, file, out, answers)
	var told bytes.Buffer
	cmd.Stdout, cmd.Stderr = &told, &told
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v:\n%s", err, told.String())
	}
	raw, err := os.ReadFile(answers)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, &said); err != nil {
		t.Fatal(err)
	}
	return said
}
