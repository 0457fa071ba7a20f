// Package web holds the page as it was built, so that the binary is all that
// has to be copied anywhere.
package web

import (
	"embed"
	"io/fs"
)

//go:embed all:dist
var dist embed.FS

// Site is the files of the page. It is empty in a binary that was built before
// the page was.
func Site() fs.FS {
	site, err := fs.Sub(dist, "dist/site")
	if err != nil {
		panic(err) // the name is a good one
	}
	return site
}
