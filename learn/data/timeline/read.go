package timeline

import (
	"context"
	"strings"

	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/data/rowfile"
	"github.com/pgmc-go/pgmc/learn/data/times"
)

// read reads all rows, and sets the sequences with the times of their rows.
func (o *orderer) read(ctx context.Context) error {
	var seen times.Recognizer
	byName := map[string]*sequenceRows{}
	err := o.r.Each(ctx, func(rec *data.Record) error {
		name, err := o.names.Of(rec)
		if err == nil {
			err = o.checkTime(rec, &seen)
		}
		if err != nil {
			return err
		}
		s := byName[name]
		if s == nil {
			name = strings.Clone(name)
			s = &sequenceRows{name: name}
			byName[name], o.of = s, append(o.of, s)
		}
		s.rows = append(s.rows, o.rows.n)
		o.rows.add(rec)
		if o.rows.bytes > o.MaxMem {
			return o.badRow(o.rows.n-1, o.time, "%d rows of %d columns, which are put in order in memory, take %d bytes of it, over the limit of %d; give more memory, or leave out columns",
				o.rows.n, len(o.rows.columns), o.rows.bytes, o.MaxMem)
		}
		return nil
	})
	if err != nil || o.rows.n == 0 {
		return err
	}
	return o.parse(&seen)
}

// checkTime returns an error if a row has no time, or a text that no time can be.
func (o *orderer) checkTime(rec *data.Record, seen *times.Recognizer) error {
	cell := &rec.Cells[o.time]
	bad := func(err error) error {
		return rowfile.RowError{Diagnostic: diag.At(o.r.CellPos(rec, o.time), err), Column: o.Column, Text: cell.Text}
	}
	text := strings.TrimSpace(cell.Text)
	switch {
	case o.r.IsMissing(cell):
		return bad(diag.Errorf("the row has no time in column %q; want one in each row", o.Column))
	case o.Format == nil && !seen.Add(text):
		return diag.At(o.r.CellPos(rec, o.time), diag.Errorf("column %q has %q; want times such as 2026-01-31 15:04 in one form, or %v, which names another",
			o.Column, text, diag.Option{Name: "time-format", Value: "FORMAT"}))
	case o.Format == nil:
		return nil
	}
	if _, ok := o.Format.Parse(text); !ok {
		return bad(diag.Errorf("column %q has %q; %v", o.Column, text, o.Format.Wrong(text)))
	}
	return nil
}

// parse reads the times of all rows.
func (o *orderer) parse(seen *times.Recognizer) error {
	if o.Format == nil {
		if text := seen.Ambiguous(); text != "" {
			return diag.At(o.r.Columns[o.time].Pos, diag.Errorf("column %q has dates such as %q, which may begin with the day or with the month; want %v or %v",
				o.Column, text, diag.Option{Name: "time-format", Value: "day-first"}, diag.Option{Name: "time-format", Value: "month-first"}))
		}
		if zoned, bare := seen.Mixed(); zoned != "" {
			return diag.At(o.r.Columns[o.time].Pos, diag.Errorf("column %q has times with a zone, such as %q, and without one, such as %q; want all with one, or none", o.Column, zoned, bare))
		}
		o.Format = seen.Format()
	}
	for _, s := range o.of {
		s.at = make([]times.Time, len(s.rows))
		for k, row := range s.rows {
			text := strings.TrimSpace(o.timeText(row))
			at, ok := o.Format.Parse(text)
			if !ok {
				return o.badRow(row, o.time, "column %q has %q; %v", o.Column, text, o.Format.Wrong(text))
			}
			s.at[k] = at
		}
	}
	return nil
}
