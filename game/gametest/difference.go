package gametest

import (
	"fmt"
	"reflect"
	"strings"
)

// difference names the first fields in which two values of a type differ.
func difference(a, b any) string {
	const most = 6
	var found []string
	compare(reflect.ValueOf(a), reflect.ValueOf(b), "", &found)
	if len(found) > most {
		found = append(found[:most], fmt.Sprintf("%d more", len(found)-most))
	}
	return strings.Join(found, ", ")
}

func compare(a, b reflect.Value, path string, found *[]string) {
	switch a.Kind() {
	case reflect.Struct:
		for i := range a.NumField() {
			compare(a.Field(i), b.Field(i), path+"."+a.Type().Field(i).Name, found)
		}
	case reflect.Array:
		for i := range a.Len() {
			compare(a.Index(i), b.Index(i), fmt.Sprintf("%s[%d]", path, i), found)
		}
	default:
		if !a.Equal(b) {
			*found = append(*found, fmt.Sprintf("%s is %v and %v", strings.TrimPrefix(path, "."), a, b))
		}
	}
}
