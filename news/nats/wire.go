package nats

import (
	"encoding/binary"
	"errors"

	"copse/news"
)

// A message begins with its version and its topic, in every version: who cannot read
// the rest knows at least what has changed.
const (
	versionDoubt = 0 // there is no rest: it did not fit into a message
	versionPlain = 1 // without the entry itself
	versionRaw   = 2 // with the entry itself, before the body
)

// newestForm is how an entry travels. A later version may have another form.
var newestForm byte = versionRaw

var errGarbled = errors.New("nats: the message is garbled")

// encode writes an item as it travels.
func encode(dst []byte, item *news.Item) []byte {
	version := byte(versionPlain)
	if len(item.Raw) > 0 {
		version = newestForm
	}
	dst = appendText(append(dst, version), item.Topic.String())
	dst = binary.AppendVarint(dst, int64(item.Number))
	dst = appendText(dst, item.State)
	if version == newestForm {
		dst = append(binary.AppendUvarint(dst, uint64(len(item.Raw))), item.Raw...)
	}
	return append(dst, item.Body...)
}

// encodeDoubt writes that something has happened on a topic, and not what.
func encodeDoubt(dst []byte, topic news.Topic) []byte {
	return appendText(append(dst, versionDoubt), topic.String())
}

// decode reads a message. Where it is not whole, only the topic is known.
func decode(raw []byte) (item news.Item, whole bool, err error) {
	if len(raw) == 0 {
		return item, false, errGarbled
	}
	name, rest, ok := cutText(raw[1:])
	if !ok {
		return item, false, errGarbled
	}
	if item.Topic, ok = news.ParseTopic(string(name)); !ok {
		return item, false, errGarbled
	}
	if raw[0] != versionPlain && raw[0] != versionRaw && raw[0] != newestForm {
		return item, false, nil
	}
	number, n := binary.Varint(rest)
	if n <= 0 || number < news.Unnumbered || int64(int(number)) != number {
		return item, false, errGarbled
	}
	item.Number = int(number)
	state, body, ok := cutText(rest[n:])
	if !ok || len(state) > 0 && item.Number != news.Unnumbered {
		return item, false, errGarbled
	}
	item.State, item.Body = string(state), body
	if raw[0] != versionPlain {
		entry, body, ok := cutText(item.Body)
		if !ok || len(entry) == 0 {
			return item, false, errGarbled
		}
		item.Raw, item.Body = entry, body
	}
	return item, true, nil
}

func appendText(dst []byte, text string) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(text))), text...)
}

// cutText copies nothing: a message is nobody else's.
func cutText(raw []byte) (text, rest []byte, ok bool) {
	size, n := binary.Uvarint(raw)
	if n <= 0 || size > uint64(len(raw)-n) {
		return nil, nil, false
	}
	raw = raw[n:]
	return raw[:size:size], raw[size:], true
}
