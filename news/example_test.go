package news_test

import (
	"fmt"

	"copse/news"
)

// Whoever watches a topic hears everything that is published from then on, each
// entry once and in order.
func ExampleHub() {
	hub := news.NewHub()
	defer hub.Close()

	reader := hub.Subscribe(8)
	defer reader.Close()
	// The log has five entries, which the reader has read: it goes on at 5.
	_, err := reader.Watch(news.Table("oak"), func() (int, error) { return 5, nil })
	if err != nil {
		fmt.Println(err)
		return
	}
	hub.Publish(news.Item{Topic: news.Table("oak"), Number: 4, Body: []byte("known already")})
	hub.Publish(news.Item{Topic: news.Table("oak"), Number: 5, Body: []byte("a leaf falls")})
	hub.Publish(news.Item{Topic: news.Table("elm"), Number: 0, Body: []byte("another table")})

	<-reader.Ready()
	item, _ := reader.Take()
	fmt.Println(item.Number, string(item.Body))
	// Output:
	// 5 a leaf falls
}
