package times

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Step is the time from one slice to the next: months or days by the clock of the texts, or
// nanoseconds. Exactly one field is above 0, or none, which is no step.
type Step struct {
	Months, Days, Nanos int64
}

// unit is what a step is a multiple of.
type unit struct {
	name string
	step Step
}

// units holds the units of steps, the largest first.
var units = []unit{
	{"y", Step{Months: 12}}, {"mo", Step{Months: 1}}, {"w", Step{Days: 7}}, {"d", Step{Days: 1}}, {"h", Step{Nanos: 3600 * second}}, {"m", Step{Nanos: 60 * second}},
	{"s", Step{Nanos: second}}, {"ms", Step{Nanos: second / 1e3}}, {"us", Step{Nanos: second / 1e6}}, {"ns", Step{Nanos: 1}},
}

// size returns the field that is above 0.
func (s Step) size() int64 { return s.Months + s.Days + s.Nanos }

// String returns the step as ParseStep reads it.
func (s Step) String() string {
	for _, u := range units {
		same := (u.step.Months > 0) == (s.Months > 0) && (u.step.Days > 0) == (s.Days > 0)
		if n := s.size() / u.step.size(); same && n > 0 && s.size()%u.step.size() == 0 && u.name != "w" {
			return strconv.FormatInt(n, 10) + u.name
		}
	}
	return "0s"
}

// ParseStep reads a whole number and a unit: y, mo (months), w, d, h, m (minutes), s, ms, us or ns.
func ParseStep(text string) (s Step, err error) {
	digits := len(text) - len(strings.TrimLeft(text, "0123456789"))
	n, err := strconv.ParseInt(cmp.Or(text[:digits], "1"), 10, 64)
	for _, u := range units {
		if u.name != text[digits:] || err != nil || n < 1 || n > mostSpan/u.span() {
			continue
		}
		return Step{Months: n * u.step.Months, Days: n * u.step.Days, Nanos: n * u.step.Nanos}, nil
	}
	return s, fmt.Errorf("found %q; want a whole number and a unit of y, mo, w, d, h, m, s, ms, us and ns, such as 15m or 1h", text)
}

// mostSpan is the longest step, in nanoseconds: 290 years.
const mostSpan = math.MaxInt64 - math.MaxInt64%(365*day)

// span returns about how long a unit is, in nanoseconds.
func (u unit) span() int64 { return u.step.Months*31*day + u.step.Days*day + u.step.Nanos }

// months returns the months since the start of year 0, by the clock of the text.
func (t Time) months() int64 {
	w := t.wall()
	return int64(w.Year())*12 + int64(w.Month()) - 1
}

// intoMonth returns what follows the month: the nanoseconds since it began, and to its end.
func (t Time) intoMonth() (since, left int64) {
	w := t.wall()
	clock := t.Wall - floor(t.Wall, day)*day
	since = int64(w.Day()-1)*day + clock
	return since, int64(daysOf(w.Year(), int(w.Month())))*day - since
}

// floor returns a/b, rounded down.
func floor(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// Between returns how many steps it is from one time to a later one, and whether that is exact.
// Months are exact from a day to the same day, and from the last day of a month to the last of
// another.
func (s Step) Between(from, to Time) (n int64, exact bool) {
	switch {
	case s.Months > 0:
		n = to.months() - from.months()
		a, aLeft := from.intoMonth()
		b, bLeft := to.intoMonth()
		exact = n%s.Months == 0 && (a == b || aLeft == bLeft && aLeft <= day)
		return floor(n, s.Months), exact
	case s.Days > 0:
		a, b := floor(from.Wall, day), floor(to.Wall, day)
		exact = (b-a)%s.Days == 0 && to.Wall-b*day == from.Wall-a*day
		return floor(b-a, s.Days), exact
	}
	span, step := uint64(to.Instant())-uint64(from.Instant()), uint64(s.Nanos) // up to 584 years
	return int64(min(span/step, math.MaxInt64)), span%step == 0
}

// After returns the time n steps after another, with the zone of that one. From the last day of a
// month it goes to the last day of another.
func (s Step) After(from Time, n int64) Time {
	switch {
	case s.Months > 0:
		at := from.months() + n*s.Months
		since, left := from.intoMonth()
		year, month := int(floor(at, 12)), int(at-12*floor(at, 12))+1
		date, last := since/day, int64(daysOf(year, month))-1
		if left <= day || date > last {
			date = last
		}
		start := time.Date(year, time.Month(month), 1, 0, 0, 0, 0, time.UTC)
		from.Wall = start.Unix()*second + date*day + since%day
	case s.Days > 0:
		from.Wall += n * s.Days * day
	default:
		from.Wall += n * s.Nanos
	}
	return from
}

// Start returns where the slices of a step begin that have a time in them: at the start of its
// year or month, or of its day.
func (s Step) Start(t Time) Time {
	switch since, _ := t.intoMonth(); {
	case s.Months > 0 && s.Months%12 == 0:
		t.Wall = time.Date(t.wall().Year(), 1, 1, 0, 0, 0, 0, time.UTC).Unix() * second
	case s.Months > 0:
		t.Wall -= since
	default:
		t.Wall = floor(t.Wall, day) * day
	}
	return t
}
