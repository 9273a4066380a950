package times_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/pgmc-go/pgmc/learn/data/times"
)

// TestRecognizer has columns of texts that are times in one form, or not.
func TestRecognizer(t *testing.T) {
	for _, c := range []struct {
		texts     []string
		is        bool
		ambiguous string
		read      string // the first text, by package time
	}{
		{[]string{"2026-01-31T15:04:05Z"}, true, "", "2026-01-31T15:04:05Z"},
		{[]string{"2026-01-31T15:04:05.25+01:30"}, true, "", "2026-01-31T15:04:05.25+01:30"},
		{[]string{"2026-01-31t15:04:05z"}, true, "", "2026-01-31T15:04:05Z"},
		{[]string{"2026-01-31 15:04", "2026-02-01"}, true, "", "2026-01-31T15:04:00Z"},
		{[]string{"2026-01-31 15:04 -0700"}, true, "", "2026-01-31T15:04:00-07:00"},
		{[]string{"2026-01-31 15:04+01"}, true, "", "2026-01-31T15:04:00+01:00"},
		{[]string{"2026/1/3 9:05"}, true, "", "2026-01-03T09:05:00Z"},
		{[]string{"01.02.2026", "13.02.2026"}, true, "", "2026-02-01T00:00:00Z"},
		{[]string{"01/02/2026", "02/13/2026"}, true, "", "2026-01-02T00:00:00Z"},
		{[]string{"01/02/2026 03:04 PM", "12/13/2026 12:00 AM"}, true, "", "2026-01-02T15:04:00Z"},
		{[]string{"1/2/2026 12:30:15 am", "31/1/2026"}, true, "", "2026-02-01T00:30:15Z"},
		{[]string{"01/02/2026", "02/12/2026"}, true, "01/02/2026", ""},
		{[]string{"2024-02-29", "2000-02-29"}, true, "", "2024-02-29T00:00:00Z"},
		{[]string{"2025-02-29"}, false, "", ""},
		{[]string{"1900-02-29"}, false, "", ""},
		{[]string{"2026-13-01"}, false, "", ""},
		{[]string{"2026-00-01"}, false, "", ""},
		{[]string{"13/13/2026"}, false, "", ""},
		{[]string{"13/01/2026", "01/13/2026"}, false, "", ""},
		{[]string{"2026-01/31"}, false, "", ""},
		{[]string{"2026-01-31 24:00"}, false, "", ""},
		{[]string{"2026-01-31 15:60"}, false, "", ""},
		{[]string{"2026-01-31 13:00 PM"}, false, "", ""},
		{[]string{"2026-01-31 0:00 AM"}, false, "", ""},
		{[]string{"2026-01-31 15:04 +1"}, false, "", ""},
		{[]string{"2026-01-31 15:04:"}, false, "", ""},
		{[]string{"2026-01-31 "}, false, "", ""},
		{[]string{"2026-01-31x"}, false, "", ""},
		{[]string{"2026-01-31", "soon"}, false, "", ""},
		{[]string{"20260131"}, false, "", ""},
		{[]string{"26-01-31"}, false, "", ""},
		{[]string{"2026-01"}, false, "", ""},
		{[]string{"192.168.2026"}, false, "", ""},
		{[]string{"1.2.3"}, false, "", ""},
		{[]string{""}, false, "", ""},
		{nil, false, "", ""},
	} {
		var r times.Recognizer
		for _, s := range c.texts {
			r.Add(s)
		}
		if r.Times() != c.is || r.Ambiguous() != c.ambiguous {
			t.Errorf("%q: times %t, ambiguous %q; want %t, %q", c.texts, r.Times(), r.Ambiguous(), c.is, c.ambiguous)
		}
		if c.read == "" {
			continue
		}
		want, err := time.Parse(time.RFC3339Nano, c.read)
		if err != nil {
			t.Fatal(err)
		}
		if got, ok := r.Format().Parse(c.texts[0]); !ok || got.Instant() != want.UnixNano() {
			t.Errorf("%q: got %v, %t; want %s", c.texts[0], got, ok, c.read)
		}
	}
}

// TestAgainstPackageTime writes times by package time in several layouts, reads them, and writes the
// next hour in the same form.
func TestAgainstPackageTime(t *testing.T) {
	for _, layout := range []string{
		time.RFC3339, time.RFC3339Nano, "2006-01-02 15:04:05-0700", "2006-01-02T15:04-07:00", "2006-01-02 15:04:05.000 -07:00", "2006/01/02 15:04",
		"02.01.2006 15:04:05", "01/02/2006 03:04 PM", "01/02/2006 03:04:05PM", "2006-01-02 15:04 UTC", "2006-01-02T15:04:05,000",
	} {
		var r times.Recognizer
		var texts []string
		zone := time.FixedZone("", 5*3600+1800)
		if layout == "2006-01-02 15:04 UTC" {
			zone = time.UTC
		}
		at := time.Date(1999, 12, 25, 9, 30, 0, 0, zone)
		for range 400 {
			texts = append(texts, at.Format(layout))
			r.Add(at.Format(layout))
			at = at.Add(time.Hour)
		}
		if !r.Times() || r.Ambiguous() != "" {
			t.Errorf("%s: times %t, ambiguous %q", layout, r.Times(), r.Ambiguous())
			continue
		}
		hour, f := times.Step{Nanos: int64(time.Hour)}, r.Format()
		for i, s := range texts[1:] {
			before, ok := f.Parse(texts[i])
			want, err := time.Parse(layout, texts[i])
			if err != nil || !ok || before.Instant() != want.UnixNano() {
				t.Fatalf("%q: got %v, %t; want %v, %v", texts[i], before, ok, want, err)
			}
			if got := hour.After(before, 1).Like(texts[i], f); got != s {
				t.Fatalf("an hour after %q: got %q; want %q", texts[i], got, s)
			}
		}
	}
}

// TestFormats reads texts in formats that a flag names.
func TestFormats(t *testing.T) {
	for _, c := range []struct{ format, text, want string }{
		{"day-first", "01/02/2026", "2026-02-01"},
		{"month-first", "01/02/2026", "2026-01-02"},
		{"year-first", "2026-01-02", "2026-01-02"},
		{"day-first", "01/13/2026", "want times such as 31/01/2026 15:04"},
		{"year-first", "9999-12-31", "want a year from 1678 to 2261"},
		{"unix", "86400", "1970-01-02"},
		{"unix", "-0.5", "1969-12-31 23:59:59.5"},
		{"unix", "noon", "want seconds since 1970-01-01"},
		{"unix", "1e300", "want seconds since 1970-01-01"},
		{"unix", "NaN", "want seconds since 1970-01-01"},
		{"%s", "86400", "1970-01-02"},
		{"%d.%m.%y %H:%M", "31.12.99 23:59", "1999-12-31 23:59"},
		{"%Y%m%dT%H%M%S.%f", "20260131T150405.25", "2026-01-31 15:04:05.25"},
		{"%d %b %Y", "5 Mar 2026", "2026-03-05"},
		{"%Y-%m-%dT%H:%M:%S%z", "2026-01-31T15:04:05+0100", "2026-01-31 15:04:05+01:00"},
		{"%Y-%m", "2026-03", "2026-03-01"},
		{"%d/%m/%Y", "5/3/2026", "2026-03-05"},
		{"%-d.%-m.%Y", "05.03.2026", "2026-03-05"},
		{"02.01.06", "03.04.05", "2005-04-03"},
		{"02.01.06", "2005-04-03", "want times such as 31.01.26"},
	} {
		f, err := times.ParseFormat(c.format)
		if err != nil {
			t.Fatal(err)
		}
		x, ok := f.Parse(c.text)
		if got := fmt.Sprint(x); ok && got != c.want {
			t.Errorf("%s %q: got %s; want %s", c.format, c.text, got, c.want)
		} else if !ok && f.Wrong(c.text).Error() != c.want {
			t.Errorf("%s %q: got %v; want %s", c.format, c.text, f.Wrong(c.text), c.want)
		}
	}
	for _, bad := range []string{"", "yyyy-mm-dd", "15:04", "%H:%M", "%Q", "%Y %", "day"} {
		if f, err := times.ParseFormat(bad); err == nil {
			t.Errorf("%q: got %v; want an error", bad, f)
		}
	}
}

// TestFind has sequences of times and the steps between them, by hand.
func TestFind(t *testing.T) {
	for _, c := range []struct {
		name  string
		texts [][]string
		want  string // a step, or the text of the error
	}{
		{"hours", [][]string{{"2026-01-01 00:00", "2026-01-01 01:00", "2026-01-01 04:00"}}, "1h"},
		{"two phases", [][]string{{"2026-01-01 00:00", "2026-01-01 01:00"}, {"2026-01-01 00:30", "2026-01-01 02:30"}}, "1h"},
		{"days over a leap day", [][]string{{"2024-02-28", "2024-02-29", "2024-03-01", "2024-03-03"}}, "1d"},
		{"weeks", [][]string{{"2026-01-05", "2026-01-12", "2026-01-26"}}, "7d"},
		{"months", [][]string{{"2026-01-01", "2026-02-01", "2026-03-01", "2026-06-01"}}, "1mo"},
		{"ends of months", [][]string{{"2024-01-31", "2024-02-29", "2024-03-31", "2024-04-30"}}, "1mo"},
		{"quarters", [][]string{{"2026-01-15", "2026-04-15", "2026-10-15"}}, "3mo"},
		{"years over leap days", [][]string{{"2023-03-01", "2024-03-01", "2025-03-01"}}, "1y"},
		{"leap days", [][]string{{"2020-02-29", "2021-02-28", "2024-02-29"}}, "1y"},
		{"days with another offset after", [][]string{{"2026-03-28T00:00:00+01:00", "2026-03-29T00:00:00+01:00", "2026-03-30T00:00:00+02:00"}}, "1d"},
		{"hours with another offset after", [][]string{{"2026-03-29T01:00:00+01:00", "2026-03-29T03:00:00+02:00", "2026-03-29T04:00:00+02:00"}}, "1h"},
		{"seconds", [][]string{{"2026-01-01 00:00:00", "2026-01-01 00:00:01"}}, "1s"},
		{"parts of a second", [][]string{{"2026-01-01 00:00:00.25", "2026-01-01 00:00:00.5"}}, "250ms"},
		{"28 days", [][]string{{"2026-01-01", "2026-01-29", "2026-02-26"}}, "28d"},
		{"one each", [][]string{{"2026-01-01"}, {"2026-01-02"}}, "0s"},
		{"none", nil, "0s"},
		{"no step", [][]string{{"2026-01-01 00:00:00", "2026-01-01 01:00:00", "2026-01-01 02:00:02"}}, "times are 1h and 3602s apart; want multiples of one step, such as 1h"},
		{"hours and half hours", [][]string{{"2026-01-01 00:00", "2026-01-01 02:00", "2026-01-01 05:00"}}, "times are 2h and 3h apart; want multiples of one step, such as 1h"},
	} {
		var list [][]times.Time
		for _, texts := range c.texts {
			var r times.Recognizer
			var sequence []times.Time
			for _, s := range texts {
				r.Add(s)
			}
			for _, s := range texts {
				x, ok := r.Format().Parse(s)
				if !ok {
					t.Fatal(s)
				}
				sequence = append(sequence, x)
			}
			list = append(list, sequence)
		}
		step, err := times.Find(list)
		got := step.String()
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s: got %s; want %s", c.name, got, c.want)
		}
		for _, sequence := range list {
			for _, x := range sequence {
				if err != nil || got == "0s" {
					continue
				}
				if n, exact := step.Between(sequence[0], x); !exact || step.After(sequence[0], n).Wall != x.Wall && step.Nanos == 0 {
					t.Errorf("%s: %v is %d steps after %v, exact %t, and that is %v", c.name, x, n, sequence[0], exact, step.After(sequence[0], n))
				}
			}
		}
	}
}

// TestStepTexts reads steps and writes them.
func TestStepTexts(t *testing.T) {
	for text, want := range map[string]string{"1h": "1h", "h": "1h", "60m": "1h", "90m": "90m", "24h": "24h", "1d": "1d", "2w": "14d", "12mo": "1y", "18mo": "18mo", "1500ms": "1500ms", "1000ns": "1us"} {
		if s, err := times.ParseStep(text); err != nil || s.String() != want {
			t.Errorf("%s: got %v, %v; want %s", text, s, err, want)
		}
	}
	for _, bad := range []string{"", "0h", "-1h", "1.5h", "1 h", "1hour", "h1", "400y", "99999999999999999999s", "9999999999h"} {
		if s, err := times.ParseStep(bad); err == nil {
			t.Errorf("%q: got %v; want an error", bad, s)
		}
	}
}

// TestAnyText reads texts of all short shapes, which must not panic.
func FuzzRecognizer(f *testing.F) {
	for _, s := range []string{"2026-01-31T15:04:05.25+01:30", "1/2/2026 3:04 PM", "31.12.2026", "2026-01-31 15:04,5 UTC"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var r times.Recognizer
		if !r.Add(s) || r.Ambiguous() != "" {
			return
		}
		x, ok := r.Format().Parse(s)
		if !ok {
			return
		}
		like := x.Like(s, r.Format())
		if back, ok := r.Format().Parse(like); !ok || back.Instant() != x.Instant() {
			t.Errorf("%q: %v is %q in its own form, and that is %v, %t", s, x, like, back, ok)
		}
	})
}
