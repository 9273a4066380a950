package timeline_test

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/learn/data/rowfile"
	"github.com/pgmc-go/pgmc/learn/data/timeline"
	"github.com/pgmc-go/pgmc/learn/data/times"
)

// ordered returns the rows of a text in order, and the report, or the text of an error.
func ordered(t *testing.T, text string, read rowfile.ReadOptions, opt timeline.Options) (string, *timeline.Report) {
	t.Helper()
	r, err := read.NewReader("x.csv", strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	report, err := timeline.Order(context.Background(), r, opt)
	if err != nil {
		return diag.Text(err, diag.Option.String), nil
	}
	return rowsOf(t, r), report
}

// rowsOf returns the rows of a reader, with - for unknown cells.
func rowsOf(t *testing.T, r *rowfile.Reader) string {
	t.Helper()
	var lines []string
	for {
		rec, err := r.Next()
		if err == io.EOF {
			return strings.Join(lines, " / ")
		}
		if err != nil {
			return diag.Text(err, diag.Option.String)
		}
		var cells []string
		for _, c := range rec.Cells {
			if c.Text == "" || c.Unknown {
				c.Text = "-"
			}
			cells = append(cells, c.Text)
		}
		lines = append(lines, strings.Join(cells, " "))
	}
}

// TestOrder has rows by hand.
func TestOrder(t *testing.T) {
	hour, dayStep, month := times.Step{Nanos: 3600e9}, times.Step{Days: 1}, times.Step{Months: 1}
	isX := func(c string) bool { return c == "x" }
	for _, c := range []struct {
		name, text string
		opt        timeline.Options
		want       string
		says       string // of the report: step, sequences, slices, empty, joined, moved
	}{
		{"in order", "t,x\n2026-01-01,1\n2026-01-02,2\n", timeline.Options{}, "2026-01-01 1 / 2026-01-02 2", "1d 1 2 0 0 0"},
		{"out of order", "t,x\n2026-01-03,3\n2026-01-01,1\n2026-01-02,2\n", timeline.Options{}, "2026-01-01 1 / 2026-01-02 2 / 2026-01-03 3", "1d 1 3 0 0 1"},
		{"gap over a leap day", "t,x\n2024-02-28,1\n2024-03-01,2\n2024-02-27,0\n", timeline.Options{}, "2024-02-27 0 / 2024-02-28 1 / 2024-02-29 - / 2024-03-01 2", "1d 1 4 1 0 1"},
		{"sequences", "m,t,x\nb,2026-01-01 01:00,1\na,2026-01-01 00:30,2\nb,2026-01-01 00:00,3\na,2026-01-01 02:30,4\n", timeline.Options{Sequence: "m"},
			"b 2026-01-01 00:00 3 / b 2026-01-01 01:00 1 / a 2026-01-01 00:30 2 / a 2026-01-01 01:30 - / a 2026-01-01 02:30 4", "1h 2 5 1 0 1"},
		{"one row", "t,x\n2026-01-01,1\n", timeline.Options{}, "2026-01-01 1", "0s 1 1 0 0 0"},
		{"no row", "t,x\n", timeline.Options{}, "", "0s 0 0 0 0 0"},
		{"zones", "t,x\n2026-01-01T02:00:00+01:00,2\n2026-01-01T00:00:00Z,1\n2026-01-01T03:00:00+01:00,3\n", timeline.Options{},
			"2026-01-01T00:00:00Z 1 / 2026-01-01T02:00:00+01:00 2 / 2026-01-01T03:00:00+01:00 3", "1h 1 3 0 0 1"},
		{"months", "t,x\n31.03.2024,3\n31.01.2024,1\n31.05.2024,5\n29.02.2024,2\n", timeline.Options{},
			"31.01.2024 1 / 29.02.2024 2 / 31.03.2024 3 / 30.04.2024 - / 31.05.2024 5", "1mo 1 5 1 0 2"},
		{"given step", "t,x\n2026-01-01 00:00,1\n2026-01-01 02:00,2\n", timeline.Options{Step: hour}, "2026-01-01 00:00 1 / 2026-01-01 01:00 - / 2026-01-01 02:00 2", "1h 1 3 1 0 0"},
		{"given step at half hours", "t,x\n2026-01-01 00:30,1\n2026-01-01 01:30,2\n", timeline.Options{Step: hour}, "2026-01-01 00:30 1 / 2026-01-01 01:30 2", "1h 1 2 0 0 0"},
		{"finer rows than the step", "t,x\n2026-01-01 00:30,1\n2026-01-01 00:45,2\n", timeline.Options{Step: hour, Real: isX}, "2026-01-01 00:00 1.5", "1h 1 1 0 1 0"},
		{"every hour", "t,x,s\n2026-01-01 00:50,4,b\n2026-01-01 00:10,1,a\n2026-01-01 03:59,7,c\n2026-01-01 00:59,,\n", timeline.Options{Step: hour, Every: true, Real: isX},
			"2026-01-01 00:00 2.5 b / 2026-01-01 01:00 - - / 2026-01-01 02:00 - - / 2026-01-01 03:00 7 c", "1h 1 4 2 2 2"},
		{"every day of dates with clocks", "t,x\n2026-01-01 23:59,1\n2026-01-02 00:01,2\n", timeline.Options{Step: dayStep, Every: true, Real: isX}, "2026-01-01 00:00 1 / 2026-01-02 00:00 2", "1d 1 2 0 0 0"},
		{"every day by the clock of the texts", "t,x\n2026-01-01T23:30:00+02:00,1\n2026-01-01T00:30:00+02:00,3\n", timeline.Options{Step: dayStep, Every: true, Real: isX},
			"2026-01-01T00:00:00+02:00 2", "1d 1 1 0 1 1"},
		{"every month", "t,x\n2024-02-29,2\n2024-01-15,1\n2024-04-01,4\n", timeline.Options{Step: month, Every: true}, "2024-01-01 1 / 2024-02-01 2 / 2024-03-01 - / 2024-04-01 4", "1mo 1 4 1 0 1"},
		{"every six hours of dates", "t,x\n2026-01-01,1\n2026-01-02,2\n", timeline.Options{Step: times.Step{Nanos: 6 * 3600e9}, Every: true},
			"2026-01-01 1 / 2026-01-01 06:00 - / 2026-01-01 12:00 - / 2026-01-01 18:00 - / 2026-01-02 2", "6h 1 5 3 0 0"},
		{"one time in two rows, joined", "t,x\n2026-01-01,1\n2026-01-01,2\n", timeline.Options{Step: dayStep, Real: isX}, "2026-01-01 1.5", "1d 1 1 0 1 0"},
		{"a real value that is none", "t,x\n2026-01-01,1\n2026-01-01,much\n2026-01-01,3\n", timeline.Options{Step: dayStep, Real: isX}, "2026-01-01 much", "1d 1 1 0 2 0"},
		{"before 1970", "t,x\n1969-12-31 23:00,1\n1970-01-01 00:00,2\n1969-12-31 22:00,0\n", timeline.Options{Step: hour, Every: true}, "1969-12-31 22:00 0 / 1969-12-31 23:00 1 / 1970-01-01 00:00 2", "1h 1 3 0 0 1"},
		{"no column", "t,x\n", timeline.Options{Column: "time"}, `x.csv:1:1: no column is called "time"`, ""},
		{"one time twice", "t,x\n2026-01-01,1\n2026-01-02,2\n2026-01-01,3\n", timeline.Options{},
			`x.csv:4:1: the time "2026-01-01" is also in line 2; want one row for each time, sequence-column COLUMN if a column names sequences, or every 1h for slices with several rows`, ""},
		{"one time twice in a sequence", "m,t\na,2026-01-01\nb,2026-01-01\na,2026-01-01\n", timeline.Options{Sequence: "m"},
			`x.csv:4:3: the time "2026-01-01" of a is also in line 2; want one row for each time, or every 1h for slices with several rows`, ""},
		{"no step", "t,x\n2026-01-01 00:00:00,1\n2026-01-01 01:00:00,2\n2026-01-01 02:00:01,3\n", timeline.Options{},
			`x.csv:4:1: the time "2026-01-01 02:00:01" is 3601s after the one before it, and others are 1h apart; want multiples of one step, or every 1h for slices of that length`, ""},
		{"either first", "t,x\n01/02/2026,1\n", timeline.Options{},
			`x.csv:1:1: column "t" has dates such as "01/02/2026", which may begin with the day or with the month; want time-format day-first or time-format month-first`, ""},
		{"no times", "t,x\n2026-01-01,1\nsoon,1\n", timeline.Options{}, `x.csv:3:1: column "t" has "soon"; want times such as 2026-01-31 15:04 in one form, or time-format FORMAT, which names another`, ""},
		{"with and without a zone", "t,x\n2026-01-01 00:00,1\n2026-01-01 01:00Z,1\n", timeline.Options{},
			`x.csv:1:1: column "t" has times with a zone, such as "2026-01-01 01:00Z", and without one, such as "2026-01-01 00:00"; want all with one, or none`, ""},
		{"no time", "t,x\n,1\nNA,2\n", timeline.Options{}, "x.csv:2:1: the row has no time in column \"t\"; want one in each row\nx.csv:3:1: the row has no time in column \"t\"; want one in each row", ""},
		{"far times", "t,x\n2026-01-01,1\n9999-12-31,1\n", timeline.Options{}, `x.csv:3:1: column "t" has "9999-12-31"; want a year from 1678 to 2261`, ""},
		{"huge gap", "t,x\n2016-01-01 00:00:00,1\n2016-01-01 00:00:01,2\n2026-01-01 00:00:00,1\n", timeline.Options{},
			`x.csv:4:1: from "2016-01-01 00:00:00" to "2026-01-01 00:00:00" in steps of 1s, there are 315619201 slices in all for 3 rows, which take 1.01e+10 bytes of memory, over the limit of 1073741824; want longer steps, as by every 1d, or more memory`, ""},
		{"hugest gap", "t,x\n1678-01-01 00:00:00,1\n2261-12-31 00:00:00,2\n", timeline.Options{Step: times.Step{Nanos: 1}},
			`x.csv:3:1: from "1678-01-01 00:00:00" to "2261-12-31 00:00:00" in steps of 1ns, there are 4611686018427387903 slices in all for 2 rows, which take 1.48e+20 bytes of memory, over the limit of 1073741824; want longer steps, as by every 1d, or more memory`, ""},
		{"memory of rows", "t,x\n2016-01-01 00:00:00,1\n2016-01-01 00:00:01,2\n", timeline.Options{MaxMem: 200},
			`x.csv:2:1: 1 rows of 2 columns, which are put in order in memory, take `, ""},
	} {
		if c.opt.Column == "" {
			c.opt.Column = "t"
		}
		got, report := ordered(t, c.text, rowfile.ReadOptions{}, c.opt)
		if got != c.want && !(report == nil && strings.HasPrefix(got, c.want)) {
			t.Errorf("%s: got  %s\nwant %s", c.name, got, c.want)
		}
		if report == nil {
			continue
		}
		if says := fmt.Sprint(report.Step, report.Sequences, report.Slices, report.Empty, report.Joined, report.Moved); says != c.says {
			t.Errorf("%s: reports %s; want %s", c.name, says, c.says)
		}
	}
}

// TestBadRows leaves out rows without a time, and rows of another format.
func TestBadRows(t *testing.T) {
	f, err := times.ParseFormat("%d.%m.%y")
	if err != nil {
		t.Fatal(err)
	}
	var bad []string
	read := rowfile.ReadOptions{Bad: func(e rowfile.RowError) { bad = append(bad, e.Pos.String()+" "+e.Text) }}
	got, _ := ordered(t, "t,x\n02.01.26,2\n,1\nsoon,1\n01.01.26,1\n1,2,3\n", read, timeline.Options{Column: "t", Format: f})
	if want := "01.01.26 1 / 02.01.26 2"; got != want || strings.Join(bad, ", ") != "x.csv:3:1 , x.csv:4:1 soon, x.csv:6:1 " {
		t.Errorf("got %s, without %q; want %s", got, bad, want)
	}
}

// TestGuard has rows in the order of time, and others.
func TestGuard(t *testing.T) {
	for _, c := range []struct{ name, text, sequence, want string }{
		{"in order", "t,x\n2026-01-01,1\n2026-01-01,2\n2026-01-02,3\n", "", ""},
		{"out of order", "t,x\n2026-01-02,1\n2026-01-01,2\n", "", `x.csv:3:1: rows are not in the order of time: "2026-01-01" follows "2026-01-02"; want time t, which puts them in order, or leave the column out by drop t`},
		{"two sequences in order", "m,t\na,2026-01-02\nb,2026-01-01\na,2026-01-03\n", "m", ""},
		{"one of two sequences", "m,t\na,2026-01-02\nb,2026-01-05\na,2026-01-01\n", "m", `x.csv:4:3: rows are not in the order of time: "2026-01-01" follows "2026-01-02" of a; want time t, which puts them in order, or leave the column out by drop t`},
		{"day first", "t\n01/02/2026\n02/01/2026\n13/02/2026\n", "", `x.csv:3:1: rows are not in the order of time: "02/01/2026" follows "01/02/2026"; want time t, which puts them in order, or leave the column out by drop t`},
		{"either first", "t\n01/02/2026\n02/01/2026\n", "", ""},
		{"not in order either way", "t\n02/02/2026\n01/01/2026\n", "", `x.csv:3:1: rows are not in the order of time: "01/01/2026" follows "02/02/2026"; want time t, which puts them in order, or leave the column out by drop t`},
		{"no times", "t\n2026-01-02\nsoon\n2026-01-01\n", "", ""},
		{"a second column in order", "due,t\n2026-02-02,2026-01-01\n2026-02-01,2026-01-02\n", "", ""},
		{"a second column that stays", "born,t\n2000-02-02,2026-01-03\n2000-02-02,2026-01-02\n", "", `x.csv:3:12: rows are not in the order of time: "2026-01-02" follows "2026-01-03"; want time t, which puts them in order, or leave the column out by drop t`},
		{"a variable", "v,x\n2026-01-02,1\n2026-01-01,2\n", "", ""},
		{"missing times", "t,x\n2026-01-02,1\n,2\n2026-01-01,2\n", "", `x.csv:4:1: rows are not in the order of time: "2026-01-01" follows "2026-01-02"; want time t, which puts them in order, or leave the column out by drop t`},
	} {
		r, err := rowfile.NewReader("x.csv", strings.NewReader(c.text), rowfile.CSV)
		if err != nil {
			t.Fatal(err)
		}
		if err := timeline.Guard(r, c.sequence, func(column string) bool { return column == "v" }); err != nil {
			t.Fatal(err)
		}
		got := rowsOf(t, r)
		if !strings.HasPrefix(got, "x.csv:") {
			got = ""
		}
		if got != c.want {
			t.Errorf("%s: got  %s\nwant %s", c.name, got, c.want)
		}
	}
}
