//go:build !unix

package main

import (
	"net"
	"os"
)

// listenUnix says that there are no Unix sockets to be had here.
func listenUnix(string, os.FileMode) (net.Listener, error) {
	return nil, misused("this system has no Unix sockets whose mode says who may open them: give --addr a host and a port, such as localhost:8080")
}
