package main

import "unsafe"

// here is the host of this instance. The exported functions have no other way to
// reach it.
var here = newHost()

//go:wasmexport reserve
func reserve(n int32) int32 { return address(here.reserve(int(n))) }

//go:wasmexport answer
func answer(engine, n int32) int32 { return int32(here.answer(int(engine), int(n))) }

//go:wasmexport learn
func learn(n int32) int32 {
	if here.learn(int(n)) {
		return 1
	}
	return 0
}

//go:wasmexport reply
func reply() int32 { return address(here.reply) }

// address is where bytes lie in the memory that the caller reads. The host holds
// them, so they stay there.
func address(bytes []byte) int32 {
	return int32(uintptr(unsafe.Pointer(unsafe.SliceData(bytes))))
}
