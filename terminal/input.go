package terminal

import (
	"bufio"
	"errors"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// longestLine is how many bytes of a line are looked at. The JSON of a move is far
// shorter.
const longestLine = 4096

// input reads line by line.
type input struct {
	r    *bufio.Reader
	stop <-chan struct{} // closed when somebody interrupts
}

func newInput(r io.Reader, stop <-chan struct{}) input {
	return input{bufio.NewReaderSize(r, longestLine), stop}
}

// await reads a line, like line. An interrupt ends the input, and nothing may be
// read after it.
func (in input) await() (text string, fits bool, err error) {
	done := make(chan struct{})
	var read struct {
		text string
		fits bool
		err  error
	}
	go func() {
		defer close(done)
		read.text, read.fits, read.err = in.line()
	}()
	select {
	case <-done:
		return read.text, read.fits, read.err
	case <-in.stop:
		return "", false, io.EOF
	}
}

// line is the next line without blanks around it, or io.EOF. A line that is too
// long is read to its end and dropped. A no-break space, copied from the screen,
// counts as a space.
func (in input) line() (text string, fits bool, err error) {
	raw, err := in.r.ReadSlice('\n')
	if fits = !errors.Is(err, bufio.ErrBufferFull); !fits {
		for errors.Is(err, bufio.ErrBufferFull) {
			_, err = in.r.ReadSlice('\n')
		}
		raw = nil
	}
	if errors.Is(err, io.EOF) && (len(raw) > 0 || !fits) {
		err = nil // the last line needs no line break; io.EOF comes again with the next
	}
	return strings.TrimSpace(strings.ReplaceAll(string(raw), "\u00A0", " ")), fits, err
}

// fold makes what people type comparable: lower case, no accents, plain dashes
// and apostrophes.
func fold(text string) string {
	const from, to = "àáâäçèéêëìíîïòóôöùúûü’–−", "aaaaceeeeiiiioooouuuu'--"
	plain := []rune(to)
	return strings.Map(func(r rune) rune {
		r = unicode.ToLower(r)
		if i := strings.IndexRune(from, r); i >= 0 {
			return plain[utf8.RuneCountInString(from[:i])]
		}
		return r
	}, text)
}

// quote is what somebody typed, fit to be shown: short, and without anything that
// steers a terminal.
func quote(text string) string {
	const most = 40
	text = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return '\uFFFD'
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD"))
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}
