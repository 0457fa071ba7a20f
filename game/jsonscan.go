package game

import (
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// The games read and write JSON by these few functions, which do what
// encoding/json does. That package, and what it brings with it, would be a
// quarter of what a browser loads before a first move.

// deepest is how deep lists and objects may lie in each other.
const deepest = 10000

// valid tells whether a text is one JSON value.
func valid(text []byte) bool {
	end, ok := scan(text, skipSpace(text, 0), 0)
	return ok && skipSpace(text, end) == len(text)
}

// skipSpace is where spaces end.
func skipSpace(text []byte, i int) int {
	for i < len(text) && (text[i] == ' ' || text[i] == '\t' || text[i] == '\r' || text[i] == '\n') {
		i++
	}
	return i
}

// scan is where the value ends that begins at i, so deep in others, and whether
// there is one.
func scan(text []byte, i, depth int) (int, bool) {
	if i >= len(text) {
		return i, false
	}
	switch c := text[i]; c {
	case '{', '[':
		return scanList(text, i, depth+1)
	case '"':
		return scanText(text, i)
	case 't':
		return scanWord(text, i, "true")
	case 'f':
		return scanWord(text, i, "false")
	case 'n':
		return scanWord(text, i, "null")
	default:
		return scanNumber(text, i)
	}
}

// scanList is where a list or an object ends.
func scanList(text []byte, i, depth int) (int, bool) {
	object := text[i] == '{'
	end := byte(']')
	if object {
		end = '}'
	}
	if depth > deepest {
		return i, false
	}
	i = skipSpace(text, i+1)
	if i < len(text) && text[i] == end {
		return i + 1, true
	}
	for {
		ok := true
		if object {
			if i >= len(text) || text[i] != '"' {
				return i, false
			}
			if i, ok = scanText(text, i); !ok {
				return i, false
			}
			if i = skipSpace(text, i); i >= len(text) || text[i] != ':' {
				return i, false
			}
			i = skipSpace(text, i+1)
		}
		if i, ok = scan(text, i, depth); !ok {
			return i, false
		}
		i = skipSpace(text, i)
		switch {
		case i >= len(text):
			return i, false
		case text[i] == end:
			return i + 1, true
		case text[i] != ',':
			return i, false
		}
		i = skipSpace(text, i+1)
	}
}

// scanText is where a text ends that begins with its quotation mark.
func scanText(text []byte, i int) (int, bool) {
	for i++; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			return i + 1, true
		case c < ' ':
			return i, false
		case c == '\\':
			if i++; i >= len(text) {
				return i, false
			}
			switch text[i] {
			case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
			case 'u':
				if _, ok := fourHex(text[i+1:]); !ok {
					return i, false
				}
				i += 4
			default:
				return i, false
			}
		}
	}
	return i, false
}

func scanWord(text []byte, i int, word string) (int, bool) {
	if len(text)-i < len(word) || string(text[i:i+len(word)]) != word {
		return i, false
	}
	return i + len(word), true
}

// scanNumber is where a number ends: no zero before other digits, a digit before
// and after the point.
func scanNumber(text []byte, i int) (int, bool) {
	digits := func() bool {
		from := i
		for i < len(text) && '0' <= text[i] && text[i] <= '9' {
			i++
		}
		return i > from
	}
	if i < len(text) && text[i] == '-' {
		i++
	}
	if i < len(text) && text[i] == '0' {
		i++
	} else if !digits() {
		return i, false
	}
	if i < len(text) && text[i] == '.' {
		i++
		if !digits() {
			return i, false
		}
	}
	if i < len(text) && (text[i] == 'e' || text[i] == 'E') {
		i++
		if i < len(text) && (text[i] == '+' || text[i] == '-') {
			i++
		}
		if !digits() {
			return i, false
		}
	}
	return i, true
}

// fourHex is the number of four hexadecimal digits.
func fourHex(text []byte) (rune, bool) {
	if len(text) < 4 {
		return 0, false
	}
	n := rune(0)
	for _, c := range text[:4] {
		switch {
		case '0' <= c && c <= '9':
			c -= '0'
		case 'a' <= c && c <= 'f':
			c -= 'a' - 10
		case 'A' <= c && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, false
		}
		n = n<<4 | rune(c)
	}
	return n, true
}

// unquoted is a valid text without its quotes and escapes. What is no Unicode
// becomes U+FFFD.
func unquoted(raw []byte) string {
	raw = raw[1 : len(raw)-1]
	plain := true
	for _, c := range raw {
		plain = plain && c != '\\' && c < utf8.RuneSelf
	}
	if plain {
		return string(raw)
	}
	out := make([]byte, 0, len(raw))
	for i := 0; i < len(raw); {
		if raw[i] != '\\' {
			r, size := utf8.DecodeRune(raw[i:])
			out = utf8.AppendRune(out, r)
			i += size
			continue
		}
		i += 2
		switch c := raw[i-1]; c {
		case 'b':
			out = append(out, '\b')
		case 'f':
			out = append(out, '\f')
		case 'n':
			out = append(out, '\n')
		case 'r':
			out = append(out, '\r')
		case 't':
			out = append(out, '\t')
		case 'u':
			r, _ := fourHex(raw[i:])
			i += 4
			if utf16.IsSurrogate(r) {
				low := rune(0)
				if i+6 <= len(raw) && raw[i] == '\\' && raw[i+1] == 'u' {
					low, _ = fourHex(raw[i+2:])
				}
				if r = utf16.DecodeRune(r, low); r != utf8.RuneError {
					i += 6
				}
			}
			out = utf8.AppendRune(out, r)
		default:
			out = append(out, c)
		}
	}
	return string(out)
}

// At is the path of an item of a list.
func At(path string, i int) string { return path + "[" + strconv.Itoa(i) + "]" }
