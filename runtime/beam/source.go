package beam

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/data/parquet"
	"github.com/pgmc-go/pgmc/learn/data/rowfile"
)

// Work is an element of a pipeline: a row group of a Parquet file, or a file of another format.
type Work struct {
	File  string
	Group int64
	Of    int64 // the number of elements in all
}

// Bad is a row without an answer: a value is no state of its variable or no number, the row cannot
// be read, or [Predict] finds that it has probability 0.
type Bad struct {
	File   string
	Group  int64
	Row    int64 // its number in the file, from 1
	Column string
	Reason string // with the value
}

// elements returns the elements that have the rows of files, folders and patterns.
func elements(paths []string, m *model) (list []Work, err error) {
	seen := map[string]bool{}
	for _, path := range paths {
		parts, err := rowfile.FindParts(path)
		if err != nil {
			return nil, err
		}
		if parts == nil {
			parts = []rowfile.Part{{Path: path, Name: path}}
		}
		for _, p := range parts {
			if seen[p.Path] {
				return nil, fmt.Errorf("%s: the file is there twice; want it once", p.Path)
			}
			seen[p.Path] = true
			if err := noKeys(p.Path, m); err != nil {
				return nil, err
			}
			groups, err := groupsOf(p.Path)
			if err != nil {
				return nil, err
			}
			for g := range groups {
				list = append(list, Work{File: p.Path, Group: int64(g)})
			}
		}
	}
	if list == nil {
		return nil, errors.New("there are no rows; want files with some")
	}
	for i := range list {
		list[i].Of = int64(len(list))
	}
	return list, nil
}

// noKeys returns an error if a folder gives a value to a variable, since elements do not have it.
func noKeys(path string, m *model) error {
	for folder := range strings.SplitSeq(path, "/") {
		name, _, ok := strings.Cut(folder, "=")
		if _, err := m.variable(name); ok && err == nil {
			return fmt.Errorf("%s: the folder %q gives a value to the variable %q; want a column of the file", path, folder, name)
		}
	}
	return nil
}

// groupsOf returns the number of row groups of a file, and 1 if the format has none.
func groupsOf(path string) (int, error) {
	if !(rowfile.ReadOptions{}).IsParquet(path) {
		return 1, nil
	}
	f, err := parquet.Open(path, 0)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	return len(f.Groups()), nil
}

// oneGroup is a row group of a file as a file.
type oneGroup struct {
	*parquet.File
	group int
}

func (g oneGroup) Groups() []int64 { return g.File.Groups()[g.group:][:1] }

func (g oneGroup) Open(_ int, columns []int) (data.Cursor, error) {
	return g.File.Open(g.group, columns)
}

// input reads the rows of an element.
type input struct {
	block   *block
	reader  *rowfile.Reader
	binding *rowfile.Binding
	keep    []int // columns of the file
	row     int64 // how many rows of the file have been read, or come before the element

	record data.Record // without values, for a question about one
	states []int

	cursor data.Cursor // of the variables; nil if rows are read one by one
	other  data.Cursor // of the columns to keep; nil if there are none
	kept   data.Record // the last row of other
	cells  []data.BlockColumn
}

// open opens an element for a block.
func (o *Options) open(w Work, b *block) (_ *input, err error) {
	in := &input{block: b, states: make([]int, len(b.at))}
	read := rowfile.ReadOptions{Missing: o.Missing}
	var group *oneGroup
	if !read.IsParquet(w.File) {
		in.reader, err = read.Open(w.File)
	} else if group, err = openGroup(w); err == nil {
		for _, n := range group.File.Groups()[:w.Group] {
			in.row += n
		}
		if in.reader, err = read.NewSourceReader(w.File, group); err != nil {
			group.Close()
		}
	}
	if err != nil {
		return nil, err
	}
	if err := in.bind(o, group); err != nil {
		in.close()
		return nil, err
	}
	return in, nil
}

// openGroup opens the file of an element.
func openGroup(w Work) (*oneGroup, error) {
	f, err := parquet.Open(w.File, 0)
	if err != nil {
		return nil, err
	}
	if n := int64(len(f.Groups())); w.Group >= n {
		f.Close()
		return nil, fmt.Errorf("%s: the file has %d row groups, and there is work on number %d; it changed while the pipeline ran", w.File, n, w.Group)
	}
	return &oneGroup{f, int(w.Group)}, nil
}

// bind finds the columns of the variables and those to keep, and opens their cursors in a row
// group.
func (in *input) bind(o *Options, group *oneGroup) (err error) {
	b, unseen := in.block, rowfile.UnseenError
	if o.UnseenMissing {
		unseen = rowfile.UnseenMissing
	}
	vars := slices.Clone(b.model.vars)
	for _, v := range b.hidden {
		vars[v].Name = "\x00" // no column has it
	}
	if in.binding, err = in.reader.Bind(vars, unseen); err != nil {
		return err
	}
	for _, name := range o.Keep {
		c, err := in.reader.Find(name)
		if err != nil {
			return err
		}
		in.keep = append(in.keep, c)
	}
	b.bind(in.binding.Column)
	in.record = data.Record{Cells: slices.Repeat([]data.Cell{{Unknown: true}}, len(in.reader.Columns)), Weight: 1}
	in.kept.Cells = make([]data.Cell, len(in.reader.Columns))
	in.binding.Only(o.Keep...)
	marked := slices.ContainsFunc(b.at, func(x cells) bool { return x.reals != nil }) && len(o.Missing) > 0
	if group == nil || marked { // a cursor does not know marks of real values
		return nil
	}
	return in.openCursors(group)
}

// openCursors opens the cursors of a row group.
func (in *input) openCursors(group *oneGroup) (err error) {
	var numbers []int
	for v, c := range in.binding.Column {
		if !in.block.at[v].has() {
			continue
		}
		numbers = append(numbers, c)
		in.cells = append(in.cells, data.BlockColumn{Column: c,
			State: func(text string) (int, bool) {
				state, err := in.state(v, text)
				return state + 1, err == nil
			},
			Bad: func(row int, text string) {
				if _, err := in.state(v, text); err != nil {
					in.reject(row, v, text)
				}
			}})
	}
	if in.cursor, err = group.Open(0, numbers); err == nil && in.keep != nil {
		in.other, err = group.Open(0, in.keep)
	}
	return err
}

// state returns the state of a variable that a text is, or [data.Missing].
func (in *input) state(v int, text string) (int, error) {
	cell := &in.record.Cells[in.binding.Column[v]]
	*cell = data.Cell{Text: text}
	err := in.binding.States(&in.record, in.states)
	*cell = data.Cell{Unknown: true}
	return in.states[v], err
}

// reject marks a row as bad because of a value.
func (in *input) reject(row, v int, text string) {
	want := "a state"
	if in.block.model.vars[v].Real {
		want = "a number"
	}
	in.block.reject(row, in.block.model.vars[v].Name, fmt.Sprintf("found %q; want %s", text, want))
}

// next reads the next rows. It returns io.EOF after the last one.
func (in *input) next() error {
	in.block.begin(in.row + 1)
	var err error
	if in.cursor != nil {
		err = in.nextBlock()
	} else {
		err = in.nextRows()
	}
	in.row += int64(in.block.rows)
	return err
}

// nextBlock reads rows by column.
func (in *input) nextBlock() error {
	b := in.block
	i := 0
	for v := range b.at {
		if x := &b.at[v]; x.has() {
			c := &in.cells[i]
			i++
			switch {
			case x.bytes != nil:
				c.Bytes = *x.bytes
			case x.words != nil:
				c.Words = *x.words
			default:
				c.Reals = *x.reals
			}
		}
	}
	n, err := in.cursor.Block(in.cells, blockRows)
	b.resize(n)
	for range n {
		if in.other == nil || err != nil {
			break
		}
		err = in.other.Next(&in.kept)
		in.keepCells(&in.kept)
	}
	return err
}

// keepCells keeps the cells of a row that are wanted.
func (in *input) keepCells(rec *data.Record) {
	for _, c := range in.keep {
		cell := rec.Cells[c]
		cell.Unknown = in.reader.IsMissing(&cell)
		in.block.kept = append(in.block.kept, cell)
	}
}

// nextRows reads rows one by one.
func (in *input) nextRows() error {
	b, n := in.block, 0
	states := make([]int, len(b.at))
	for ; n < blockRows; n++ {
		rec, err := in.reader.Next()
		var bad rowfile.RowError
		switch {
		case errors.As(err, &bad):
			b.reject(n, "", bad.Error())
			rec = &in.record
		case err == io.EOF && n > 0:
			b.resize(n)
			return nil
		case err != nil:
			b.resize(n)
			return err
		}
		in.keepCells(rec)
		if in.binding.States(rec, states) != nil {
			in.rejectFirst(n, rec)
		}
		for v := range b.at {
			b.at[v].set(n, states[v], in.binding.Values[v])
		}
		in.weigh(n, rec.Weight)
	}
	return nil
}

// rejectFirst marks a row as bad because of the first value that is none of its variable.
func (in *input) rejectFirst(row int, rec *data.Record) {
	for v, c := range in.binding.Column {
		if c < 0 || rec.Cells[c].Unknown {
			continue
		}
		if _, err := in.state(v, rec.Cells[c].Text); err != nil {
			in.reject(row, v, rec.Cells[c].Text)
			return
		}
	}
}

// weigh sets the weight of a row.
func (in *input) weigh(row int, weight float64) {
	b := in.block
	if weight != 1 && b.weights == nil {
		b.weights = slices.Repeat([]float64{1}, blockRows)
	}
	if b.weights != nil {
		b.weights[row] = weight
	}
}

// close closes the file.
func (in *input) close() error {
	for _, c := range []data.Cursor{in.cursor, in.other} {
		if c != nil {
			c.Close()
		}
	}
	return in.reader.Close()
}
