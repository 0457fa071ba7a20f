package table

import "time"

// Time is a moment: milliseconds since the beginning of 1970, in UTC. This package
// reads no clock: the caller says what time it is.
type Time int64

// At is the moment of a time.
func At(t time.Time) Time { return Time(t.UnixMilli()) }

// latest is the last moment that an entry may name: every program that reads JSON
// reads whole numbers up to it exactly.
const latest Time = 1<<53 - 1

const (
	second = Time(time.Second / time.Millisecond)
	minute = Time(time.Minute / time.Millisecond)
	day    = 24 * 60 * minute
)

// length is a duration in the unit of Time.
func length(d time.Duration) Time { return Time(d / time.Millisecond) }

// duration is a length of time as the standard library has it.
func (t Time) duration() time.Duration { return time.Duration(t) * time.Millisecond }
