package times

import (
	"strings"
	"time"
)

// form is a set of the orders in which a date may have its parts.
type form uint8

// The orders.
const (
	yearFirst  form = 1 << iota // 2026-01-31
	dayFirst                    // 31/01/2026
	monthFirst                  // 01/31/2026

	anyForm = yearFirst | dayFirst | monthFirst
)

// parts are the numbers of a text that may be a time.
type parts struct {
	year   int
	a, b   int // the two others of the date, in the order of the text
	forms  form
	clock  int64 // nanoseconds since midnight
	offset int64 // nanoseconds
	zoned  bool
}

// scan returns the parts of a text, with the forms in which they are a date. It reports false if
// there are none.
func scan(text string) (p parts, ok bool) {
	if len(text) < len("1/1/2026") || text[0] < '0' || text[0] > '9' {
		return p, false
	}
	rest, ok := p.date(text)
	if !ok || rest == "" {
		return p, ok
	}
	if rest[0] != ' ' && rest[0] != 'T' && rest[0] != 't' {
		return p, false
	}
	if rest, ok = p.time(rest[1:]); !ok {
		return p, false
	}
	return p, rest == "" || p.zone(rest)
}

// number reads a number of least to most digits at the start of s. It reports false if there is
// none, or one of more digits.
func number(s string, least, most int) (n int, rest string, ok bool) {
	digits := 0
	for digits < len(s) && s[digits] >= '0' && s[digits] <= '9' {
		n = 10*n + int(s[digits]-'0')
		if digits++; digits > most {
			return 0, s, false
		}
	}
	return n, s[digits:], digits >= least
}

// date reads three numbers between two equal signs.
func (p *parts) date(s string) (rest string, ok bool) {
	var list [3]int
	var sign byte
	year := 2 // its place
	for i := range list {
		n, after, ok := number(s, 1, 4)
		digits := len(s) - len(after)
		if i == 0 && digits == 4 {
			year = 0
		}
		if !ok || (digits == 4) != (i == year) || digits == 3 {
			return "", false
		}
		list[i], s = n, after
		if i == len(list)-1 {
			break
		}
		if s == "" || strings.IndexByte("-/.", s[0]) < 0 || i > 0 && s[0] != sign {
			return "", false
		}
		sign, s = s[0], s[1:]
	}
	if year == 0 {
		p.year, p.a, p.b = list[0], list[1], list[2]
		p.keep(yearFirst, p.a, p.b)
	} else {
		p.a, p.b, p.year = list[0], list[1], list[2]
		p.keep(dayFirst, p.b, p.a)
		p.keep(monthFirst, p.a, p.b)
	}
	return s, p.forms != 0
}

// keep adds a form if the month has the day.
func (p *parts) keep(f form, month, day int) {
	if month >= 1 && month <= 12 && day >= 1 && day <= daysOf(p.year, month) {
		p.forms |= f
	}
}

// daysOf returns the number of days of a month.
func daysOf(year, month int) int {
	return time.Date(year, time.Month(month)+1, 0, 0, 0, 0, 0, time.UTC).Day()
}

// time reads a clock.
func (p *parts) time(s string) (rest string, ok bool) {
	hour, s, ok := number(s, 1, 2)
	if !ok || s == "" || s[0] != ':' {
		return "", false
	}
	minute, s, ok := number(s[1:], 2, 2)
	seconds := 0
	if ok && s != "" && s[0] == ':' {
		seconds, s, ok = number(s[1:], 2, 2)
		if ok && len(s) > 1 && (s[0] == '.' || s[0] == ',') {
			s, ok = p.fraction(s[1:])
		}
	}
	if half := strings.TrimPrefix(s, " "); ok && len(half) >= 2 && (half[1] == 'M' || half[1] == 'm') {
		switch half[0] {
		case 'A', 'a':
			ok, hour = hour >= 1 && hour <= 12, hour%12
		case 'P', 'p':
			ok, hour = hour >= 1 && hour <= 12, hour%12+12
		default:
			return "", false
		}
		s = half[2:]
	}
	p.clock += (int64(hour)*3600 + int64(minute)*60 + int64(seconds)) * second
	return s, ok && hour < 24 && minute < 60 && seconds <= 60 // 60 is a leap second
}

// fraction reads the digits of a fraction of a second, of which nine count.
func (p *parts) fraction(s string) (rest string, ok bool) {
	digits, unit := 0, second
	for digits < len(s) && s[digits] >= '0' && s[digits] <= '9' {
		unit /= 10
		p.clock += int64(s[digits]-'0') * unit
		digits++
	}
	return s[digits:], digits > 0
}

// zone reads what is after the clock.
func (p *parts) zone(s string) bool {
	p.zoned = true
	s = strings.TrimPrefix(s, " ")
	if s == "Z" || s == "z" || s == "UTC" || s == "GMT" {
		return true
	}
	if s == "" || s[0] != '+' && s[0] != '-' {
		return false
	}
	hour, rest, ok := number(s[1:], 2, 4)
	minute := 0
	switch digits := len(s) - 1 - len(rest); {
	case !ok || digits == 3:
		return false
	case digits == 4:
		hour, minute = hour/100, hour%100
	case rest != "" && rest[0] == ':':
		minute, rest, ok = number(rest[1:], 2, 2)
	}
	p.offset = (int64(hour)*3600 + int64(minute)*60) * second
	if s[0] == '-' {
		p.offset = -p.offset
	}
	return ok && rest == "" && hour < 24 && minute < 60
}

// in returns the time in one of its forms.
func (p *parts) in(f form) (t Time, ok bool) {
	month, dayOf := p.a, p.b
	if f == dayFirst {
		month, dayOf = p.b, p.a
	}
	start := time.Date(p.year, time.Month(month), dayOf, 0, 0, 0, 0, time.UTC).Unix()
	t = Time{Wall: start*second + p.clock, Offset: p.offset, Zoned: p.zoned}
	return t, p.forms&f != 0 && p.year >= firstYear && p.year <= lastYear
}
