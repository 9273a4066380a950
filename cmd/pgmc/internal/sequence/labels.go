package sequence

import (
	"cmp"
	"strconv"

	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/data/times"
)

// labels name the draws of sequences and their slices: by the columns that the model remembers of
// the rows that it was learned from, or by numbers.
type labels struct {
	sequence, slice string // the names of the columns
	kind            data.Kind
	at              func(t int) string // of a slice
}

// firstTime is the time of slice 0 of draws without rows.
const firstTime = "2000-01-01 00:00"

// newLabels returns the labels of draws that are given rows, or none.
func newLabels(e *infer.Engine, list []*row) *labels {
	t := e.Model().Transition
	l := &labels{sequence: cmp.Or(t.SequenceColumn, "sequence"), slice: "t", kind: data.Integers, at: strconv.Itoa}
	if t.TimeColumn == "" {
		return l
	}
	step, err := times.ParseStep(t.Step)
	format, formatErr := times.ParseFormat("year-first")
	switch {
	case len(list) > 0 && list[0].time != "":
		l.at = func(t int) string { return list[t].time }
	case len(list) == 0 && err == nil && formatErr == nil:
		example := firstTime
		if step.Nanos == 0 {
			example = firstTime[:len("2000-01-01")]
		}
		start, _ := format.Parse(firstTime)
		l.at = func(t int) string { return step.After(start, int64(t)).Like(example, format) }
	default:
		return l
	}
	l.slice, l.kind = t.TimeColumn, data.Texts
	return l
}
