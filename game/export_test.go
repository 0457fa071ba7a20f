package game

// SmallSum256 and SmallMAC256 are what a browser hashes with.
var (
	SmallSum256 = smallSum256
	SmallMAC256 = smallMAC256
)
