package times

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Format says how texts are read as times.
type Format struct {
	form   form   // of dates as package comments has them; 0: by layout
	layout string // of package time; empty: the seconds since the start of 1970
	read   string // the layout by which texts are read, also with fewer digits
	zoned  bool   // the layout has a zone
}

// words names the formats that are not layouts.
var words = map[string]Format{"year-first": {form: yearFirst}, "day-first": {form: dayFirst}, "month-first": {form: monthFirst}, "unix": {}}

// directives translates the directives of strftime to layouts of package time.
var directives = map[byte]string{
	'Y': "2006", 'y': "06", 'm': "01", 'd': "02", 'e': "_2", 'j': "002", 'b': "Jan", 'B': "January", 'a': "Mon", 'A': "Monday",
	'H': "15", 'I': "03", 'M': "04", 'S': "05", 'p': "PM", 'z': "-0700", 'F': "2006-01-02", 'T': "15:04:05", 'R': "15:04", 'D': "01/02/06", '%': "%",
}

// ParseFormat returns the format that a text names: year-first, day-first or month-first, which say
// where a date has its year or its month; unix, which is seconds since the start of 1970; the
// directives of strftime, as in %d.%m.%y; or a layout of package time, as in 02.01.06.
func ParseFormat(text string) (*Format, error) {
	if f, ok := words[text]; ok {
		return &f, nil
	}
	if text == "%s" {
		return &Format{}, nil
	}
	f := &Format{layout: text, read: text}
	if strings.Contains(text, "%") {
		var err error
		if f.layout, err = fromStrftime(text); err != nil {
			return nil, err
		}
		f.read, _ = fromStrftime(strings.NewReplacer("%d", "%-d", "%m", "%-m", "%I", "%-I").Replace(text))
	}
	const want = "want year-first, day-first, month-first, unix, or the parts of a time with a year, such as %%d.%%m.%%y or 02.01.06"
	at := time.Date(2023, time.November, 28, 21, 47, 58, 0, time.FixedZone("", 3*3600))
	back, err := time.Parse(f.read, at.Format(f.layout))
	if err != nil || back.Year() != at.Year() {
		return nil, fmt.Errorf("found %q; "+want, text)
	}
	_, offset := back.Zone()
	f.zoned = offset != 0
	return f, nil
}

// fromStrftime returns the layout of package time for directives.
func fromStrftime(text string) (string, error) {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] != '%' {
			b.WriteByte(text[i])
			continue
		}
		if i++; i < len(text) && text[i] == 'f' { // package time reads a fraction after the seconds without it
			layout := strings.TrimRight(b.String(), ".,")
			b.Reset()
			b.WriteString(layout)
			continue
		}
		short := i+1 < len(text) && text[i] == '-' // no leading zero
		if short {
			i++
		}
		if i == len(text) || directives[text[i]] == "" {
			return "", fmt.Errorf("found %q; want directives of strftime such as %%Y, %%m, %%d, %%H, %%M, %%S, %%b, %%p and %%z", text)
		}
		if layout := directives[text[i]]; short {
			b.WriteString(strings.TrimPrefix(layout, "0"))
		} else {
			b.WriteString(layout)
		}
	}
	return b.String(), nil
}

// Parse reads a text. It reports false if the text is no time of this format, or of a year before
// 1678 or after 2261.
func (f *Format) Parse(text string) (t Time, ok bool) {
	switch {
	case f.form != 0:
		p, ok := scan(text)
		if !ok {
			return t, false
		}
		return p.in(f.form)
	case f.layout == "":
		x, err := strconv.ParseFloat(text, 64)
		if seconds, part := math.Modf(x); err == nil && math.Abs(x) < math.MaxInt32*4 {
			return of(time.Unix(int64(seconds), int64(math.Round(part*1e6))*1e3).UTC(), false)
		}
		return t, false
	}
	x, err := time.Parse(f.read, text)
	if err != nil {
		return t, false
	}
	return of(x, f.zoned)
}

// errFar is the error for a time of a year that is too far away.
var errFar = errors.New("want a year from 1678 to 2261")

// Wrong says why Parse does not read a text.
func (f *Format) Wrong(text string) error {
	switch p, ok := scan(text); {
	case ok && f.form&p.forms != 0:
		return errFar
	case f.form == 0 && f.layout == "":
		return errors.New("want seconds since 1970-01-01")
	case f.form == 0:
		return fmt.Errorf("want times such as %s", time.Date(2026, time.January, 31, 15, 4, 5, 0, time.UTC).Format(f.layout))
	}
	return fmt.Errorf("want times such as %s", map[form]string{yearFirst: "2026-01-31 15:04", dayFirst: "31/01/2026 15:04", monthFirst: "01/31/2026 15:04"}[f.form])
}
