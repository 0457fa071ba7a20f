package hall

import (
	"reflect"
	"slices"
	"testing"

	"copse/news"
	"copse/store"
)

// TestNoDoorToTheStore: a hall hands out of its store only the passes; everything
// else is asked of the hall.
func TestNoDoorToTheStore(t *testing.T) {
	shut := []reflect.Type{
		reflect.TypeFor[store.Logs](), reflect.TypeFor[store.Snapshots](), reflect.TypeFor[store.Tables](), reflect.TypeFor[store.People](),
		reflect.TypeFor[store.Chat](), reflect.TypeFor[store.Jobs](), reflect.TypeFor[store.Boxes](), reflect.TypeFor[store.Keeper](),
		reflect.TypeFor[news.Carrier](),
	}
	leads := func(to reflect.Type) bool {
		return slices.ContainsFunc(shut, func(s reflect.Type) bool { return to.Kind() == reflect.Interface && to.Implements(s) })
	}
	if !leads(reflect.TypeFor[store.Store]()) || leads(reflect.TypeFor[store.Passes]()) {
		t.Fatal("a door is not told from a wall")
	}
	hall := reflect.TypeFor[*Hall]()
	for _, f := range reflect.VisibleFields(hall.Elem()) {
		if f.IsExported() && leads(f.Type) {
			t.Errorf("the field %s leads to the store or the news", f.Name)
		}
	}
	for i := range hall.NumMethod() {
		m := hall.Method(i)
		for j := range m.Type.NumOut() {
			if leads(m.Type.Out(j)) {
				t.Errorf("the method %s leads to the store or the news", m.Name)
			}
		}
	}
}
