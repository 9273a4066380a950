package parquet

import (
	"time"

	"github.com/parquet-go/parquet-go/format"
)

// moment says which times integers are: numbers of a unit since the start of 1970.
type moment struct {
	unit time.Duration // 0: they are no times
	utc  bool          // they are instants, and not what some clock showed
}

// unitOf returns the unit of a type of time stamps, or 0 if it is unknown.
func unitOf(u format.TimeUnit) time.Duration {
	if u.Value == nil {
		return 0
	}
	return u.Value.Duration()
}

// moments makes a column one of times, which are stored as kind says.
func (c *column) moments(m moment, kind format.Type) {
	c.moment, c.alien = m, c.kind != kind || m.unit == 0
}

// text returns the time that n is as text.
func (m moment) text(n int64) string {
	per := int64(24 * time.Hour / m.unit) // a day
	days := n / per
	if n%per < 0 {
		days--
	}
	at := time.Unix(days*24*3600, 0).UTC().Add(time.Duration(n-days*per) * m.unit)
	switch {
	case m.unit == 24*time.Hour:
		return at.Format(time.DateOnly)
	case m.utc:
		return at.Format(time.RFC3339Nano)
	}
	return at.Format("2006-01-02 15:04:05.999999999")
}
