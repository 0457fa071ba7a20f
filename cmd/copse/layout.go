package main

import (
	"bytes"
	"encoding/json"
	"strings"
)

// How a box is laid out.
const (
	widestLine = 120
	fewTexts   = 5 // more of them are a picture, such as a park: one a line
)

// layout writes JSON for people to read and change: what is short stays on one
// line, so that a level is a line and a park is a picture. It is also much shorter
// than indentation alone, and the size of a box is limited.
func layout(raw json.RawMessage) (string, error) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	top, err := readNode(dec)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	top.write(&b, "", 0)
	b.WriteByte('\n')
	return b.String(), nil
}

// node is a piece of JSON whose fields keep their order.
type node struct {
	open   byte // '{', '[', or 0 for a plain value
	text   string
	fields []string // of an object, as they are written
	inside []node
}

// readNode reads the next value.
func readNode(dec *json.Decoder) (node, error) {
	token, err := dec.Token()
	if err != nil {
		return node{}, err
	}
	delim, ok := token.(json.Delim)
	if !ok {
		text, err := plain(token)
		return node{text: text}, err
	}
	n := node{open: byte(delim)}
	for dec.More() {
		if delim == '{' {
			field, err := dec.Token()
			if err != nil {
				return n, err
			}
			text, err := plain(field)
			if err != nil {
				return n, err
			}
			n.fields = append(n.fields, text)
		}
		one, err := readNode(dec)
		if err != nil {
			return n, err
		}
		n.inside = append(n.inside, one)
	}
	_, err = dec.Token() // the closing bracket
	return n, err
}

// plain is a value as JSON, with letters as they are.
func plain(v any) (string, error) {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return strings.TrimSuffix(b.String(), "\n"), err
}

// line is the node on one line.
func (n *node) line() string {
	if n.open == 0 {
		return n.text
	}
	parts := make([]string, 0, len(n.inside))
	for i := range n.inside {
		parts = append(parts, n.field(i)+n.inside[i].line())
	}
	return string(n.open) + strings.Join(parts, ", ") + string(n.closing())
}

func (n *node) closing() byte {
	if n.open == '{' {
		return '}'
	}
	return ']'
}

// field is what stands before a value: the name of its field.
func (n *node) field(i int) string {
	if n.open != '{' {
		return ""
	}
	return n.fields[i] + ": "
}

// picture tells whether the node is a list of many texts.
func (n *node) picture() bool {
	return n.open == '[' && len(n.inside) > fewTexts && strings.HasPrefix(n.inside[0].text, `"`)
}

// pictured tells whether a picture is anywhere in the node.
func (n *node) pictured() bool {
	if n.picture() {
		return true
	}
	for i := range n.inside {
		if n.inside[i].pictured() {
			return true
		}
	}
	return false
}

// write writes the node on a line on which so many columns are taken already.
func (n *node) write(b *strings.Builder, indent string, taken int) {
	if one := n.line(); n.open == 0 || len(n.inside) == 0 || len(indent)+taken+len(one) < widestLine && !n.pictured() {
		b.WriteString(one)
		return
	}
	b.WriteByte(n.open)
	for i := range n.inside {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString("\n" + indent + "  " + n.field(i))
		n.inside[i].write(b, indent+"  ", len(n.field(i))+1)
	}
	b.WriteString("\n" + indent + string(n.closing()))
}
