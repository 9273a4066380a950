package times

import "time"

// Time is a date and a clock, as a text has them.
type Time struct {
	// Wall is what the text says, in nanoseconds since the start of 1970 by the same clock.
	Wall int64
	// Offset is how far the clock is ahead of UTC, in nanoseconds.
	Offset int64
	// Zoned reports whether the text has a zone. If not, Offset is 0.
	Zoned bool
}

// The nanoseconds of a second and of a day.
const (
	second = int64(time.Second)
	day    = 24 * int64(time.Hour)
)

// The years of a Time are those that Wall and Instant hold whole.
const (
	firstYear = 1678
	lastYear  = 2261
)

// Instant returns the time by the clock of UTC, in nanoseconds since the start of 1970.
func (t Time) Instant() int64 { return t.Wall - t.Offset }

// wall returns the time as one of package time by its own clock, as if that were UTC's.
func (t Time) wall() time.Time { return time.Unix(0, t.Wall).UTC() }

// of returns a time that package time holds, with or without a zone.
func of(x time.Time, zoned bool) (t Time, ok bool) {
	_, offset := x.Zone()
	year := x.Year()
	if t.Zoned = zoned; zoned {
		t.Offset = int64(offset) * second
	}
	t.Wall = (x.Unix()+int64(offset))*second + int64(x.Nanosecond())
	return t, firstYear <= year && year <= lastYear
}

// text returns the time in a layout of package time.
func (t Time) text(layout string) string {
	return time.Unix(0, t.Instant()).In(time.FixedZone("", int(t.Offset/second))).Format(layout)
}

// String returns the time in the form of ISO 8601, as short as possible.
func (t Time) String() string {
	layout := "2006-01-02 15:04"
	switch {
	case t.Wall%int64(time.Minute) != 0:
		layout = "2006-01-02 15:04:05.999999999"
	case t.Wall%day == 0 && !t.Zoned:
		layout = "2006-01-02"
	}
	if t.Zoned {
		layout += "Z07:00"
	}
	return t.text(layout)
}
