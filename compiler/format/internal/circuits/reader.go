package circuits

import (
	"math"

	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/format/internal/numbers"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Reader reads circuits whose nodes have ids, a line each.
type Reader struct {
	*numbers.Reader
	Builder
	ids  map[int]Ref
	last Ref // the node of the last line
}

// NewReader gives a reader of src that stands before the first word.
func NewReader(src *format.Source, comments numbers.Comments) *Reader {
	return &Reader{Reader: numbers.New(src, comments), ids: map[int]Ref{}}
}

// Read reads a file: a head, then nodes, the last of which is the root. The function for a node reads a line from the word
// behind its kind on; the one for the head ends before the first line, and the one for the end says whether the file is whole.
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

// Head reads the line that a file starts with: a word, and a number of nodes, which is negative where it is missing.
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

// More reports whether there is another word on the present line.
func (r *Reader) More() bool { return !r.AtEnd() && !r.FirstOfRow }

func (r *Reader) endOfLine() bool { return !r.More() || r.Fail("the end of the line") }

// Len is the number of nodes that were read.
func (r *Reader) Len() int { return len(r.ids) }

// ID reads the id of a new node, and the number of a node of the vtree, which nothing depends on.
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

// Define says which node an id is of.
func (r *Reader) Define(id int, ref Ref) bool {
	r.ids[id], r.last = ref, ref
	return true
}

// Arg reads the id of a node that was given before.
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

// Count reads how many operands a node has, at least one and each of so many words.
func (r *Reader) Count(words int) (int, bool) {
	at := r.Word
	n, ok := r.Int(1, math.MaxInt32, "the number of operands")
	return n, ok && r.Claim(at, words*n, "words for operands")
}

// Var reads the number of a variable, from 1, and gives it from 0.
func (r *Reader) Var() (int, bool) {
	v, ok := r.Int(1, math.MaxInt32, "the number of a variable")
	return v - 1, ok
}

// Literal reads a variable, from 1, with a minus sign where it is false.
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

// WeightedArg reads the id of a node that was given before, and the logarithm of its weight.
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
