package counts

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/data/rowfile"
)

// record is a line of a file of counts, see the package comment.
type record struct {
	Record string    `json:"record"`
	Family []string  `json:"family,omitempty"`
	States []string  `json:"states,omitempty"`
	N      *float64  `json:"n,omitempty"`
	Mean   []float64 `json:"mean,omitempty"`
	Cross  []float64 `json:"cross,omitempty"`
}

// header is the first line of a CSV table.
var header = []string{"record", "family", "states", "n", "mean", "cross"}

// records calls do with the records of c.
func (c *Counts) records(do func(record) error) error {
	if err := do(record{Record: "rows", N: &c.Rows}); err != nil {
		return err
	}
	for _, x := range c.Vars {
		if err := do(record{Record: "variable", Family: []string{x.Name}, States: x.States}); err != nil {
			return err
		}
	}
	for _, f := range c.list {
		if len(f.Vars()) == 0 {
			continue
		}
		var names []string
		for _, v := range f.Vars() {
			names = append(names, c.Vars[v].Name)
		}
		err := do(record{Record: "family", Family: names, N: &f.missed})
		c.each(f.Discrete, func(i int, state []int) {
			r := record{Record: "count", Family: names}
			if f.Real == nil {
				r.N = &f.N[i]
			} else {
				x := &f.Moments[i]
				r.N, r.Mean, r.Cross = &x.Weight, x.Mean, x.Cross
			}
			if err != nil || *r.N == 0 {
				return
			}
			for k, v := range f.Discrete {
				r.States = append(r.States, c.Vars[v].States[state[k]])
			}
			err = do(r)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// WriteCSV writes c as a CSV table.
func (c *Counts) WriteCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	if err := out.Write(header); err != nil {
		return err
	}
	err := c.records(func(r record) error { return out.Write(r.cells()) })
	out.Flush()
	return errors.Join(err, out.Error())
}

// cells returns the record as cells of a table.
func (r *record) cells() []string {
	n := ""
	if r.N != nil {
		n = strconv.FormatFloat(*r.N, 'f', -1, 64)
	}
	return []string{r.Record, text(r.Family), text(r.States), n, text(r.Mean), text(r.Cross)}
}

// Outputs returns the columns of the table for [Counts.WriteTo].
func Outputs() (list []data.Output) {
	for _, name := range header {
		list = append(list, data.Output{Name: name})
	}
	list[3].Kind = data.Reals
	return list
}

// WriteTo writes c as a table with the columns [Outputs], for formats with types. Empty cells are
// missing.
func (c *Counts) WriteTo(s data.Sink) error {
	err := c.records(func(r record) error {
		for i, text := range r.cells() {
			switch {
			case text == "":
				s.Missing()
			case i == 3:
				s.Number(*r.N)
			default:
				s.Text(text)
			}
		}
		return s.End()
	})
	return errors.Join(err, s.Flush())
}

// text returns a list as JSON text, and no text for an empty one.
func text[T any](list []T) string {
	if len(list) == 0 {
		return ""
	}
	b, err := json.Marshal(list)
	if err != nil {
		panic("counts: " + err.Error()) // lists of texts and of finite numbers have JSON
	}
	return string(b)
}

// WriteJSON writes c as a JSON array.
func (c *Counts) WriteJSON(w io.Writer) error {
	separator := "[\n"
	err := c.records(func(r record) error {
		b, err := json.Marshal(r)
		if err == nil {
			_, err = fmt.Fprintf(w, "%s%s", separator, b)
		}
		separator = ",\n"
		return err
	})
	if err == nil {
		_, err = io.WriteString(w, "\n]\n")
	}
	return err
}

// ReadCSV reads counts from a CSV table, with tables of at most maxMem bytes; 0 means a default.
// name is the name of the file in messages.
func ReadCSV(r io.Reader, name string, maxMem int64) (*Counts, error) {
	in := csv.NewReader(r)
	first, err := in.Read()
	if err != nil && err != io.EOF {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if !slices.Equal(first, header) {
		return nil, fmt.Errorf("%s:1: found %q; want the columns %q, as pgmc count writes them", name, first, header)
	}
	return read(name, maxMem, func() (x record, where string, err error) {
		line, err := in.Read()
		if err == io.EOF {
			return x, "", err
		}
		var wrong *csv.ParseError
		if errors.As(err, &wrong) {
			return x, ":" + strconv.Itoa(wrong.Line), wrong.Err
		}
		if err != nil {
			return x, "", err
		}
		at, _ := in.FieldPos(0)
		return x, ":" + strconv.Itoa(at), x.parse(line)
	})
}

// parse reads the cells of a record.
func (r *record) parse(cells []string) error {
	r.Record = cells[0]
	for i, to := range []any{&r.Family, &r.States, &r.N, &r.Mean, &r.Cross} {
		if cells[i+1] == "" {
			continue
		}
		if err := json.Unmarshal([]byte(cells[i+1]), to); err != nil {
			return fmt.Errorf("column %q has %q: %w", header[i+1], cells[i+1], err)
		}
	}
	return nil
}

// ReadRows is ReadCSV for a file with types, which r reads.
func ReadRows(r *rowfile.Reader, name string, maxMem int64) (*Counts, error) {
	var names []string
	for _, c := range r.Columns {
		names = append(names, c.Name)
	}
	if !slices.Equal(names, header) {
		return nil, fmt.Errorf("%s: found the columns %q; want %q, as pgmc count writes them", name, names, header)
	}
	cells := make([]string, len(header))
	return read(name, maxMem, func() (x record, where string, err error) {
		row, err := r.Next()
		if err != nil {
			return x, "", err
		}
		for i, c := range row.Cells {
			if cells[i] = c.Text; c.Unknown {
				cells[i] = ""
			}
		}
		return x, fmt.Sprintf(": record %d", row.Pos.Line), x.parse(cells)
	})
}

// ReadJSON is ReadCSV for a JSON array.
func ReadJSON(r io.Reader, name string, maxMem int64) (*Counts, error) {
	in, number := json.NewDecoder(r), 0
	if t, err := in.Token(); err != nil || t != json.Delim('[') {
		return nil, fmt.Errorf("%s: want a JSON array of records, as pgmc count writes it", name)
	}
	return read(name, maxMem, func() (x record, where string, err error) {
		if !in.More() {
			if _, err := in.Token(); err != nil {
				return x, "", fmt.Errorf("the array has no end")
			}
			return x, "", io.EOF
		}
		number++
		return x, fmt.Sprintf(": record %d", number), in.Decode(&x)
	})
}

// read reads records until next returns io.EOF. Errors name the place of the record.
func read(name string, maxMem int64, next func() (x record, where string, err error)) (*Counts, error) {
	b := &builder{c: New(nil, maxMem), rows: -1}
	b.c.file = name + ": "
	for {
		x, where, err := next()
		if err == io.EOF {
			err = b.finish()
			if err == nil {
				return b.c, nil
			}
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if err == nil {
			err = b.take(&x)
		}
		if err != nil {
			return nil, fmt.Errorf("%s%s: %w", name, where, err)
		}
	}
}

// builder makes counts of records.
type builder struct {
	c    *Counts
	rows float64
	f    *family // the last family
	seen map[int]bool
}

// take adds a record.
func (b *builder) take(x *record) error {
	if x.Record != "variable" && (x.N == nil || !(*x.N >= 0) || math.IsInf(*x.N, 0)) {
		return fmt.Errorf("the record %q has no number n of 0 or more", x.Record)
	}
	switch {
	case x.Record == "rows" && b.rows < 0:
		b.rows = *x.N
		b.c.Rows = b.rows
		return nil
	case x.Record == "variable" && len(x.Family) == 1 && b.f == nil:
		if slices.ContainsFunc(b.c.Vars, func(v data.Var) bool { return v.Name == x.Family[0] }) {
			return fmt.Errorf("the variable %q is there twice", x.Family[0])
		}
		b.c.Vars = append(b.c.Vars, data.Var{Name: x.Family[0], States: x.States, Real: len(x.States) == 0})
		return nil
	case x.Record == "family" && b.rows >= 0:
		return b.family(x)
	case x.Record == "count" && b.f != nil:
		return b.count(x)
	}
	return fmt.Errorf("unexpected record %q; want the record rows, then one of each variable, and of each family its record and those of its counts", x.Record)
}

// family begins a family.
func (b *builder) family(x *record) error {
	if err := b.complete(); err != nil {
		return err
	}
	f, err := b.c.Family(x.Family)
	if err != nil {
		return err
	}
	if len(f.Vars()) == 0 || b.c.known[f.Key()] != nil {
		return fmt.Errorf("the family %q is empty or there twice", x.Family)
	}
	if err := b.c.fits(&f); err != nil {
		return err
	}
	b.f, b.seen = &family{Family: f, Table: b.c.zero(&f), missed: *x.N}, map[int]bool{}
	return nil
}

// complete adds the last family if its counts and the rows that it misses are all rows.
func (b *builder) complete() error {
	if b.f == nil {
		return nil
	}
	if found := b.f.Weight() + b.f.missed; math.Abs(found-b.rows) > 1e-9*b.rows {
		return fmt.Errorf("the counts of %s and the rows that it misses are %v; want %v, the number of rows", b.c.name(&b.f.Family), found, b.rows)
	}
	return b.c.put(b.f)
}

// count adds the count of a joint state of the last family.
func (b *builder) count(x *record) error {
	f, at := b.f, 0
	if g, err := b.c.Family(x.Family); err != nil || g.Key() != f.Key() {
		return fmt.Errorf("a count of %q is among those of %s", x.Family, b.c.name(&f.Family))
	}
	k := len(f.Real)
	if len(x.States) != len(f.Discrete) || len(x.Mean) != k || len(x.Cross) != k*(k+1)/2 {
		return fmt.Errorf("found %d states, %d means and %d cross products; want %d, %d and %d", len(x.States), len(x.Mean), len(x.Cross), len(f.Discrete), k, k*(k+1)/2)
	}
	// The variables may have another order in the file.
	var discrete, real []int
	for _, name := range x.Family {
		v := slices.IndexFunc(b.c.Vars, func(x data.Var) bool { return x.Name == name })
		if b.c.Vars[v].Real {
			real = append(real, v)
		} else {
			discrete = append(discrete, v)
		}
	}
	for _, v := range f.Discrete {
		state := x.States[slices.Index(discrete, v)]
		s := slices.Index(b.c.Vars[v].States, state)
		if s < 0 {
			return fmt.Errorf("variable %q has no state %q", b.c.Vars[v].Name, state)
		}
		at = at*len(b.c.Vars[v].States) + s
	}
	if b.seen[at] {
		return fmt.Errorf("the states %q are there twice", x.States)
	}
	b.seen[at] = true
	if k == 0 {
		f.N[at] = *x.N
		return nil
	}
	m := data.Moment{Weight: *x.N, Mean: x.Mean, Cross: x.Cross}
	f.Moments[at] = m.Arrange(real, f.Real)
	return nil
}

// finish returns an error if records are missing.
func (b *builder) finish() error {
	if b.rows < 0 || len(b.c.Vars) == 0 {
		return fmt.Errorf("there is no record rows or no variable; want counts as pgmc count writes them")
	}
	return b.complete()
}
