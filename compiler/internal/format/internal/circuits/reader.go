package circuits

import (
	"math"

	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/numbers"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Reader reads circuits whose nodes have ids and a line each.
type Reader struct {
	*numbers.Reader
	Builder
	ids  map[int]Ref
	last Ref // the node of the last line
}

// NewReader returns a reader of src before its first word.
func NewReader(src *format.Source, comments numbers.Comments) *Reader {
	return &Reader{Reader: numbers.New(src, comments), ids: map[int]Ref{}}
}

// Read reads a file: a head, then nodes, the last of which is the root. It calls head at the first
// word, node for each line after the word for its kind, and end at the end of the file, to report
// whether the file is complete.
func (r *Reader) Read(head func() bool, node func(kind numbers.Word) bool, end func() bool) (*model.Model, diag.List) {
	m := &model.Model{File: r.Pos().File}
	if r.Next(); !head() {
		return nil, r.List
	}
	for !r.AtEnd() {
		kind := r.Word
		r.Next()
		if !node(kind) || !r.endOfLine() {
			return nil, r.List
		}
	}
	if len(r.ids) == 0 {
		r.Fail("a node")
		return nil, r.List
	}
	if !end() {
		return nil, r.List
	}
	if r.Finish(r.Reader, m, r.last); r.HasErrors() {
		return nil, r.List
	}
	return m, r.List
}

// Head reads the first line of a file: a word and the number of nodes. It returns -1 if the number
// is missing.
func (r *Reader) Head(word string) (n int, ok bool) {
	if r.Text != word {
		return 0, r.Fail(`"` + word + `"`)
	}
	r.Next()
	n = -1
	if r.More() {
		if n, ok = r.Int(0, math.MaxInt32, "the number of nodes"); !ok {
			return 0, false
		}
	}
	return n, r.endOfLine()
}

// More reports whether there is another word on the current line.
func (r *Reader) More() bool { return !r.AtEnd() && !r.FirstOfRow }

func (r *Reader) endOfLine() bool { return !r.More() || r.Fail("the end of the line") }

// Len returns the number of nodes read.
func (r *Reader) Len() int { return len(r.ids) }

// ID reads the id of a new node, and the number of a node of the vtree, which it ignores.
func (r *Reader) ID() (id int, ok bool) {
	at := r.Word
	if id, ok = r.Int(0, math.MaxInt32, "the id of a node"); !ok {
		return 0, false
	}
	if _, dup := r.ids[id]; dup {
		r.Errorf(r.PosOf(at), "found a second node %d; want each id once", id)
		return 0, false
	}
	_, ok = r.Int(0, math.MaxInt32, "the id of a vtree node")
	return id, ok
}

// Define binds an id to a node.
func (r *Reader) Define(id int, ref Ref) bool {
	r.ids[id], r.last = ref, ref
	return true
}

// Arg reads the id of an earlier node.
func (r *Reader) Arg() (Ref, bool) {
	at := r.Word
	id, ok := r.Int(0, math.MaxInt32, "the id of a node")
	if !ok {
		return 0, false
	}
	ref, ok := r.ids[id]
	if !ok {
		r.Errorf(r.PosOf(at), "found node %d before it is given; want operands before what uses them", id)
	}
	return ref, ok
}

// Count reads the number of operands of a node, which is at least one. Each operand takes the given
// number of words.
func (r *Reader) Count(words int) (int, bool) {
	at := r.Word
	n, ok := r.Int(1, math.MaxInt32, "the number of operands")
	return n, ok && r.Claim(at, words*n, "words for operands")
}

// Var reads the number of a variable, which counts from 1 in the file, and returns it counted from
// 0.
func (r *Reader) Var() (int, bool) {
	v, ok := r.Int(1, math.MaxInt32, "the number of a variable")
	return v - 1, ok
}

// Literal reads a variable, counted from 1, with a minus sign for its state false.
func (r *Reader) Literal(pos diag.Pos) (Ref, bool) {
	lit, ok := r.Int(-math.MaxInt32, math.MaxInt32, "a literal")
	switch {
	case !ok:
		return 0, false
	case lit == 0:
		r.Errorf(pos, "found the literal 0; want a variable, from 1 on, or its negative")
		return 0, false
	case lit < 0:
		return r.Indicator(pos, -lit-1, 0, 2), true
	}
	return r.Indicator(pos, lit-1, 1, 2), true
}

// WeightedArg reads the id of an earlier node and the logarithm of its weight.
func (r *Reader) WeightedArg(pos diag.Pos) (Ref, bool) {
	ref, ok := r.Arg()
	if !ok {
		return 0, false
	}
	log, ok := r.Log("the logarithm of a weight")
	if !ok {
		return 0, false
	}
	return r.Weighted(pos, math.Exp(log), ref), true
}
