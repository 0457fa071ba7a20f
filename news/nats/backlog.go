package nats

import "copse/news"

// backlog is what is still to be sent. What does not fit is lost: other nodes find
// that out and read it in the log.
type backlog interface {
	add(news.Item)
	take() (news.Item, bool)
}

// queue keeps items in the order in which they came.
type queue struct {
	most  int
	items []news.Item
}

func (q *queue) add(item news.Item) {
	if len(q.items) < q.most {
		q.items = append(q.items, item)
	}
}

func (q *queue) take() (item news.Item, ok bool) {
	if len(q.items) == 0 {
		return item, false
	}
	item = q.items[0]
	q.items[0] = news.Item{} // so that its bytes can be freed
	if q.items = q.items[1:]; len(q.items) == 0 {
		q.items = nil
	}
	return item, true
}

// newest keeps the newest of each state. It is sent when the oldest would have been:
// a state that changes all the time is sent as well.
type newest struct {
	most  int
	items map[name]news.Item
	order []name
}

// name is what one state has in common with those that take its place.
type name struct {
	topic news.Topic
	state string
}

func (n *newest) add(item news.Item) {
	key := name{item.Topic, item.State}
	if _, known := n.items[key]; !known {
		if len(n.order) >= n.most {
			return
		}
		n.order = append(n.order, key)
		if n.items == nil {
			n.items = map[name]news.Item{}
		}
	}
	n.items[key] = item
}

func (n *newest) take() (item news.Item, ok bool) {
	if len(n.order) == 0 {
		return item, false
	}
	key := n.order[0]
	item = n.items[key]
	delete(n.items, key)
	if n.order = n.order[1:]; len(n.order) == 0 {
		n.order, n.items = nil, nil
	}
	return item, true
}
