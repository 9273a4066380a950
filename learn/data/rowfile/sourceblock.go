package rowfile

import (
	"cmp"
	"io"
	"slices"

	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/group"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/data/rowfile/internal/plain"
)

// sourceBlocks reads the rows of Sources in blocks. Some cursors read the same rows at the same
// time, each of them some of the columns, so that memory does not grow with a group of rows.
type sourceBlocks struct {
	b      *Binding
	cores  int
	source data.Source // the current one; nil before the first
	name   string      // of its file
	parts  []sourcePart
	same   []sameValue // of variables without a column
	groups []int64
	group  int // the next
	left   int64
	line   int
}

// sourcePart reads some columns.
type sourcePart struct {
	vars    []int // by column: its variable
	columns []data.BlockColumn
	cursor  data.Cursor
	bad     []badValue
	err     error
}

// badValue is a value that is no state of its variable, or no number.
type badValue struct {
	row, v int
	text   string
}

// sourceRowsAtOnce is the number of rows of a block of a Source.
const sourceRowsAtOnce = 8192

// newSourceBlocks returns nil if rows must be read one by one: the file has no Source, or the
// options say more about rows than a cursor knows.
func (b *Binding) newSourceBlocks(opt *BlockOptions) *sourceBlocks {
	r := b.r
	begun := true
	switch rows := r.rows.(type) {
	case *sourceRows:
		begun = rows.group > 0
	case *partRows:
		begun = rows.at > 0 || r.Format != Parquet
	}
	if begun || r.opt.Rows != nil || r.pairs != nil || r.watch != nil || opt.Cells {
		return nil
	}
	for v, c := range b.Column {
		if c >= 0 && b.dicts[v].Real && len(r.opt.Missing) > 0 { // a cursor does not know marks of real values
			return nil
		}
	}
	return &sourceBlocks{b: b, cores: opt.Cores}
}

// next begins the next Source. It returns io.EOF after the last one.
func (s *sourceBlocks) next() error {
	var p *placed
	s.name = s.b.r.name
	switch rows := s.b.r.rows.(type) {
	case *sourceRows:
		if s.source != nil {
			return io.EOF
		}
		s.source = rows.source
	case *partRows:
		err := rows.Close()
		if err == nil {
			err = rows.begin()
		}
		if err != nil {
			return err
		}
		p = rows.now
		s.source, s.name = p.rows.(*sourceRows).source, p.part.name
	}
	s.groups, s.group, s.line = s.source.Groups(), 0, 0
	s.divide(p)
	return nil
}

// divide divides the columns of a file, or of a part of a data set, among cursors.
func (s *sourceBlocks) divide(of *placed) {
	b := s.b
	s.parts, s.same = make([]sourcePart, min(s.cores, len(b.Column))), nil
	next := 0
	for v, c := range b.Column {
		if c >= 0 && b.r.kept != nil {
			c = b.r.kept[c]
		}
		if c >= 0 && of != nil {
			if of.place[c] < 0 {
				state, ok := b.dicts[v].Find(&of.rest[c])
				s.same = append(s.same, sameValue{v, state, b.dicts[v].Value, !ok && b.unseen == UnseenError, of.rest[c].Text})
			}
			c = of.place[c]
		}
		if c < 0 {
			continue
		}
		p := &s.parts[next%len(s.parts)]
		next++
		p.vars = append(p.vars, v)
		p.columns = append(p.columns, data.BlockColumn{Column: c,
			State: func(text string) (int, bool) {
				state, ok := b.dicts[v].Find(&data.Cell{Text: text})
				if !ok && b.unseen == UnseenMissing {
					return 0, true
				}
				return state + 1, ok
			},
			Bad: func(row int, text string) {
				if b.unseen == UnseenError {
					p.bad = append(p.bad, badValue{row, v, text})
				}
			}})
	}
	s.parts = s.parts[:max(1, min(next, len(s.parts)))]
}

// open begins the next group of rows. It returns io.EOF after the last one.
func (s *sourceBlocks) open() error {
	for s.left == 0 {
		s.close()
		if s.source == nil || s.group == len(s.groups) {
			if err := s.next(); err != nil {
				return err
			}
			continue
		}
		for i := range s.parts {
			p := &s.parts[i]
			var columns []int
			for _, c := range p.columns {
				columns = append(columns, c.Column)
			}
			if p.cursor, p.err = s.source.Open(s.group, columns); p.err != nil {
				return plain.Fail(diag.Pos{}, p.err)
			}
		}
		s.left = s.groups[s.group]
		s.group++
	}
	return nil
}

// read fills a block with the next rows of a group.
func (s *sourceBlocks) read(k *Block) {
	if k.end = s.open(); k.end != nil {
		return
	}
	n := int(min(s.left, sourceRowsAtOnce))
	k.room = max(k.room, n)
	k.resize(k.room)
	var work group.Group
	for i := range s.parts[1:] {
		work.Go(func() { s.parts[1+i].read(k, n) })
	}
	s.parts[0].read(k, n)
	work.Wait()
	for i := range s.parts {
		if err := s.parts[i].err; err != nil {
			k.end = err
			return
		}
	}
	s.left -= int64(n)
	s.b.r.meter.add(n)
	for row := range n {
		k.finish(1, s.name, s.line+1, 0)
		s.line++
		for i := range s.same {
			x := &s.same[i]
			if k.Columns[x.variable].set(row, x.state, x.value); x.bad {
				s.parts[0].bad = append(s.parts[0].bad, badValue{row, x.variable, x.text})
			}
		}
	}
	s.report(k)
}

// read reads the columns of a part.
func (p *sourcePart) read(k *Block, n int) {
	if len(p.vars) == 0 { // all variables have one value in all rows
		return
	}
	for i, v := range p.vars {
		c, x := &p.columns[i], &k.Columns[v]
		c.Bytes, c.Words, c.Reals = x.Bytes, x.Words, x.Reals
	}
	var rows int
	if rows, p.err = p.cursor.Block(p.columns, n); p.err == nil && rows != n || p.err == io.EOF {
		p.err = io.ErrUnexpectedEOF
	}
}

// report adds the errors in a block to it, the first one of each row, and removes the rows, and if
// they are not left out those after the first of them.
func (s *sourceBlocks) report(k *Block) {
	var bad []badValue
	for i := range s.parts {
		bad, s.parts[i].bad = append(bad, s.parts[i].bad...), s.parts[i].bad[:0]
	}
	if bad == nil {
		return
	}
	slices.SortFunc(bad, func(x, y badValue) int { return cmp.Or(cmp.Compare(x.row, y.row), cmp.Compare(x.v, y.v)) })
	bad = slices.CompactFunc(bad, func(x, y badValue) bool { return x.row == y.row })
	var rows []int
	for _, x := range bad {
		k.bad = append(k.bad, s.b.unseenAt(k.Pos(x.row), x.v, x.text))
		rows = append(rows, x.row)
	}
	if k.drop(rows); s.b.r.opt.Bad == nil { // none of these is used
		k.Rows, k.at = rows[0], k.at[:rows[0]]
	}
}

// close closes the cursors.
func (s *sourceBlocks) close() {
	for i := range s.parts {
		if p := &s.parts[i]; p.cursor != nil {
			p.cursor.Close()
			p.cursor = nil
		}
	}
}
