package server

import "strings"

// device says what browser and system a request comes from, in words by which its owner
// knows it again: "Firefox" and "Linux". Either is empty where it is none that this
// list knows. Nothing else of what browsers say about themselves is kept.
func device(agent string) (browser, system string) {
	for _, b := range []struct{ sign, name string }{ // browsers name those that they descend from: the youngest first
		{"Edg/", "Edge"}, {"EdgA/", "Edge"}, {"EdgiOS/", "Edge"}, {"OPR/", "Opera"}, {"SamsungBrowser/", "Samsung Internet"}, {"Vivaldi/", "Vivaldi"},
		{"FxiOS/", "Firefox"}, {"Firefox/", "Firefox"}, {"CriOS/", "Chrome"}, {"Chrome/", "Chrome"}, {"Chromium/", "Chromium"}, {"Safari/", "Safari"},
	} {
		if strings.Contains(agent, b.sign) {
			browser = b.name
			break
		}
	}
	for _, s := range []struct{ sign, name string }{
		{"iPhone", "iPhone"}, {"iPad", "iPad"}, {"Android", "Android"}, {"CrOS", "ChromeOS"}, {"Windows", "Windows"}, {"Mac OS X", "macOS"}, {"Linux", "Linux"},
	} {
		if strings.Contains(agent, s.sign) {
			system = s.name
			break
		}
	}
	return browser, system
}

// deviceLabel is what is kept of a browser beside its session.
func deviceLabel(agent string) string {
	browser, system := device(agent)
	return browser + "/" + system
}

// labelled reads a label. A session of earlier has none.
func labelled(label string) (browser, system string) {
	browser, system, _ = strings.Cut(label, "/")
	return browser, system
}
