package timeline

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/data/rowfile"
	"github.com/pgmc-go/pgmc/learn/data/times"
)

// sort sorts the rows of each sequence by time, and describes them.
func (o *orderer) sort() {
	o.report.Rows, o.report.Sequences = o.rows.n, len(o.of)
	var first, last times.Time
	for i, s := range o.of {
		order := make([]int, len(s.rows))
		for k := range order {
			order[k] = k
			if k > 0 && s.at[k].Instant() < s.at[k-1].Instant() {
				o.report.Moved++
			}
		}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(s.at[a].Instant(), s.at[b].Instant()) })
		rows, at := make([]int, len(order)), make([]times.Time, len(order))
		for k, from := range order {
			rows[k], at[k] = s.rows[from], s.at[from]
		}
		s.rows, s.at = rows, at
		if i == 0 || at[0].Instant() < first.Instant() {
			first, o.report.First = at[0], o.timeText(rows[0])
		}
		if end := len(at) - 1; i == 0 || at[end].Instant() > last.Instant() {
			last, o.report.Last = at[end], o.timeText(rows[end])
		}
	}
}

// place finds the slice of each row.
func (o *orderer) place() error {
	if o.Step == (times.Step{}) {
		if err := o.find(); err != nil {
			return err
		}
	} else {
		o.joins = o.Every || !o.regular()
	}
	if o.joins {
		o.findReal()
	}
	for _, s := range o.of {
		s.start, s.slice = s.at[0], make([]int64, len(s.rows))
		if o.joins {
			s.start = o.Step.Start(s.at[0])
		}
		for k, at := range s.at {
			if o.Step != (times.Step{}) {
				s.slice[k], _ = o.Step.Between(s.start, at)
			}
			if k > 0 && s.slice[k] == s.slice[k-1] {
				o.report.Joined++
			}
		}
		if !o.joins {
			continue
		}
		skipped := s.slice[0] // before the first row
		s.start = o.Step.After(s.start, skipped)
		for k := range s.slice {
			s.slice[k] -= skipped
		}
	}
	return o.size()
}

// findReal finds the columns of real variables.
func (o *orderer) findReal() {
	for i, c := range o.r.Columns {
		is := o.Real != nil && o.Real(c.Name)
		if !is && o.Numeric && i != o.time && !o.names.In(i) {
			var texts []string
			for _, text := range o.rows.columns[i].texts[1:] {
				if cell := (data.Cell{Text: text}); !o.r.IsMissing(&cell) {
					texts = append(texts, strings.TrimSpace(text))
				}
			}
			is = rowfile.Measured(texts)
		}
		o.real = append(o.real, is)
	}
}

// regular reports whether the rows of each sequence are a multiple of the step apart, and no two
// have one time.
func (o *orderer) regular() bool {
	for _, s := range o.of {
		before := int64(-1)
		for _, at := range s.at {
			n, exact := o.Step.Between(s.at[0], at)
			if !exact || n == before {
				return false
			}
			before = n
		}
	}
	return true
}

// find finds the step of the rows.
func (o *orderer) find() error {
	var list [][]times.Time
	for _, s := range o.of {
		for k := 1; k < len(s.at); k++ {
			if s.at[k].Instant() == s.at[k-1].Instant() {
				return o.twice(s, k)
			}
		}
		list = append(list, s.at)
	}
	var err error
	o.Step, err = times.Find(list)
	e, ok := err.(*times.Irregular)
	if !ok {
		return err
	}
	s := o.of[e.Sequence]
	return o.badRow(s.rows[e.At], o.time, "the time %q is %s after the one before it%s, and others are %s apart; want multiples of one step, or %v for slices of that length",
		o.timeText(s.rows[e.At]), e.Long, called(s.name), e.Short, every(e.Every.String()))
}

// every is the option for slices of a length.
func every(step string) diag.Option { return diag.Option{Name: "every", Value: step} }

// called names a sequence in a message; empty if it has no name.
func called(sequence string) string {
	if sequence == "" {
		return ""
	}
	return " of " + diag.QuoteName(sequence)
}

// twice returns the error for two rows of one time: that with a place in a sequence, and the one
// before.
func (o *orderer) twice(s *sequenceRows, k int) error {
	row, first := s.rows[k], o.rows.pos(s.rows[k-1], o.time)
	if o.Sequence == "" {
		return o.badRow(row, o.time, "the time %q is also in line %d; want one row for each time, %v if a column names sequences, or %v for slices with several rows",
			o.timeText(row), first.Line, diag.Option{Name: "sequence-column", Value: "COLUMN"}, every("1h"))
	}
	return o.badRow(row, o.time, "the time %q%s is also in line %d; want one row for each time, or %v for slices with several rows",
		o.timeText(row), called(s.name), first.Line, every("1h"))
}

// sliceBytes is about what a slice takes where it is read, besides 8 bytes for each column.
const sliceBytes = 16

// size counts the slices. It returns an error if there are more than memory allows.
func (o *orderer) size() error {
	var longest *sequenceRows
	for _, s := range o.of {
		n := s.slice[len(s.slice)-1]
		if longest == nil || n > longest.slice[len(longest.slice)-1] {
			longest = s
		}
		if o.report.Slices > math.MaxInt64/2-n {
			o.report.Slices = math.MaxInt64 / 2
			break
		}
		o.report.Slices += n + 1
	}
	o.report.Empty = o.report.Slices - int64(o.rows.n-o.report.Joined)
	per := int64(sliceBytes + 8*len(o.rows.columns))
	if longest == nil || o.report.Slices <= o.MaxMem/per {
		return nil
	}
	first, last := longest.rows[0], longest.rows[len(longest.rows)-1]
	return o.badRow(last, o.time, "from %q to %q%s in steps of %v, there are %d slices in all for %d rows, which take %.3g bytes of memory, over the limit of %d; want longer steps, as by %v, or more memory",
		o.timeText(first), o.timeText(last), called(longest.name), o.Step, o.report.Slices, o.rows.n, float64(per)*float64(o.report.Slices), o.MaxMem, every("1d"))
}
