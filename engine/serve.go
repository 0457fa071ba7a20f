package engine

import (
	"bufio"
	"bytes"
	"errors"
	"io"

	"copse/game"
)

// LongestLine is how many bytes a request may have. A record of the longest game is
// far shorter.
const LongestLine = 1 << 20

// Serve answers every line of in, in order, until in ends or out is closed. It
// sends the answers as soon as no further request is waiting.
func (e *Engine) Serve(in io.Reader, out io.Writer) error {
	r := bufio.NewReaderSize(in, 1<<16)
	w := bufio.NewWriter(out)
	for {
		line, fits, err := readLine(r)
		if err != nil && !errors.Is(err, io.EOF) {
			return errors.Join(err, w.Flush())
		}
		if err == nil || len(line) > 0 || !fits {
			answer := TooLong()
			if fits {
				answer = e.Answer(line)
			}
			if _, err := w.Write(append(answer, '\n')); err != nil {
				return err
			}
		}
		if err != nil {
			return w.Flush()
		}
		if !waiting(r) {
			if err := w.Flush(); err != nil {
				return err
			}
		}
	}
}

// waiting tells whether another whole request has already come in.
func waiting(r *bufio.Reader) bool {
	next, _ := r.Peek(r.Buffered()) // it gives what is buffered
	return bytes.IndexByte(next, '\n') >= 0
}

// TooLong is the answer to a request that is longer than LongestLine.
func TooLong() []byte {
	raw, _ := game.Marshal(errorReply(game.Blame("engine.too-long", game.Args{"most": LongestLine})))
	return raw
}

// readLine reads up to the next line break. It reads a line that is too long to its
// end and drops it.
func readLine(r *bufio.Reader) (line []byte, fits bool, err error) {
	fits = true
	for {
		part, err := r.ReadSlice('\n')
		if fits = fits && len(line)+len(part) <= LongestLine; fits {
			line = append(line, part...)
		} else {
			line = nil
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return bytes.TrimRight(line, "\r\n"), fits, err
		}
	}
}
