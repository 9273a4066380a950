package ir

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Sums computes nodes of an arithmetic circuit, one after another. A node is the sum, or the
// maximum, of its terms; a term is an element or the product of two. Elements are numbered through
// In and then Out, one span after another. The nodes set every element of Out, and read elements
// that are set already; an element may be set again. The lowering of circuits makes Sums, and so
// does [TreeMeanOp].
type Sums struct {
	In, Out []SpanID
	Max     bool       // maxima instead of sums
	Set     []int32    // by node: the element that it sets
	First   []int32    // by node, and one more: the index of its first term
	Terms   [][2]int32 // two elements, or an element and -1; all terms of a node are of one kind
}

var sumsNames = [...]string{"sums", "maxima"}

// Refs implements [Step].
func (s *Sums) Refs(visit RefVisitor) {
	visit.all(s.In, Read)
	visit.all(s.Out, Write)
}

// States implements [Step].
func (*Sums) States(*Program, StateVisitor) {}

// Ops returns the number of multiplications, additions and comparisons.
func (s *Sums) Ops() int {
	n := len(s.Terms) - len(s.Set)
	for _, t := range s.Terms {
		if t[1] >= 0 {
			n++
		}
	}
	return n
}

// Products implements [Step].
func (s *Sums) Products() int { return s.Ops() }

// Fills implements [filler].
func (*Sums) Fills(*Program) bool { return true }

// Place locates an element of a Sums: the number of its span in In and then Out, and its index in
// the span.
type Place struct{ Span, At int }

// Places returns the place of every element.
func (s *Sums) Places(p *Program) []Place { return placesOf(p, s.spans()) }

// spans returns In and then Out.
func (s *Sums) spans() []SpanID { return append(s.In[:len(s.In):len(s.In)], s.Out...) }

// SpanAt returns the span of a Place with Span k.
func (s *Sums) SpanAt(k int) SpanID {
	if k < len(s.In) {
		return s.In[k]
	}
	return s.Out[k-len(s.In)]
}

// String writes `sums s3 s4 to s5 : 5=0*3+1 6=2*2`.
func (s *Sums) String() string {
	b, name := &strings.Builder{}, sumsNames[0]
	if s.Max {
		name = sumsNames[1]
	}
	b.WriteString(name)
	for _, id := range s.In {
		b.WriteString(" " + spanName(id))
	}
	b.WriteString(" to")
	for _, id := range s.Out {
		b.WriteString(" " + spanName(id))
	}
	b.WriteString(" :")
	writeNodes(b, s.Set, s.First, s.Terms)
	return b.String()
}

// writeNodes writes ` 5=0*3+1 6=2*2`: each node as its element and its terms.
func writeNodes(b *strings.Builder, node, first []int32, terms [][2]int32) {
	for i, e := range node {
		fmt.Fprintf(b, " %d=", e)
		for k, t := range terms[first[i]:first[i+1]] {
			if k > 0 {
				b.WriteByte('+')
			}
			b.WriteString(strconv.Itoa(int(t[0])))
			if t[1] >= 0 {
				b.WriteString("*" + strconv.Itoa(int(t[1])))
			}
		}
	}
}

func parseSums(ps *parser, word int) Step {
	s := &Sums{Max: word == 1}
	list := &s.In
	for w := ps.word(); w != ":"; w = ps.word() {
		if w == "to" {
			list = &s.Out
			continue
		}
		*list = append(*list, SpanID(ps.after("s", w)))
	}
	s.Set, s.First, s.Terms = ps.nodes()
	return s
}

// nodes reads the form that writeNodes writes.
func (ps *parser) nodes() (node, first []int32, terms [][2]int32) {
	first = []int32{0}
	for ps.more() {
		set, list, ok := strings.Cut(ps.word(), "=")
		if !ok {
			ps.fail("found %q; want a node such as 5=0*3+1", set)
		}
		node = append(node, int32(ps.after("", set)))
		for _, text := range strings.Split(list, "+") {
			a, b, two := strings.Cut(text, "*")
			t := [2]int32{int32(ps.after("", a)), -1}
			if two {
				t[1] = int32(ps.after("", b))
			}
			terms = append(terms, t)
		}
		first = append(first, int32(len(terms)))
	}
	return node, first, terms
}

// verify checks that elements exist, that nodes read only elements set before, and that the nodes
// set all of the result.
func (s *Sums) verify(v *verifier) {
	total, results := 0, 0 // number of elements, and the first of the result
	for k, id := range s.spans() {
		if !v.numbers(id, "operand", k >= len(s.In)) {
			return
		}
		if k == len(s.In) {
			results = total
		}
		total += v.p.Spans[id].Len
	}
	for _, out := range s.Out {
		for _, in := range s.In {
			v.apart(out, in)
		}
	}
	if len(s.Out) == 0 || len(s.First) != len(s.Set)+1 || s.First[0] != 0 || int(s.First[len(s.Set)]) != len(s.Terms) {
		v.errorf("sums without a result, or whose %d nodes do not share %d terms", len(s.Set), len(s.Terms))
		return
	}
	if set := s.verifyNodes(v, results, total); set != nil {
		if i := slices.Index(set, false); i >= 0 {
			v.errorf("element %d of the result is never set", i)
		}
	}
}

// verifyNodes checks nodes that set the elements from results to total. It reports which elements
// are set in the end, or nil if a node is wrong.
func (s *Sums) verifyNodes(v *verifier, results, total int) (set []bool) {
	set = make([]bool, total)
	for i := range results {
		set[i] = true
	}
	for i, e := range s.Set {
		if int(e) < results || int(e) >= total || s.First[i] >= s.First[i+1] {
			v.errorf("node %d sets element %d of %d to %d, from term %d to %d", i, e, results, total, s.First[i], s.First[i+1])
			return nil
		}
		terms := s.Terms[s.First[i]:s.First[i+1]]
		for _, t := range terms {
			if (t[1] < 0) != (terms[0][1] < 0) {
				v.errorf("node %d has single elements and products for terms", i)
				return nil
			}
			for k, x := range t {
				if alone := k == 1 && x == -1; !alone && (x < 0 || int(x) >= total || !set[x]) {
					v.errorf("node %d reads element %d, which is not set or not there", i, x)
					return nil
				}
			}
		}
		set[e] = true
	}
	return set
}

// Bound computes bounds for each node: one bound for a whole span would grow without limit along a
// circuit.
func (s *Sums) Bound(b *Bounds) (of Interval, table bool) {
	bounds := s.elements(b)
	for i, e := range s.Set {
		node := Interval{math.Inf(1), math.Inf(-1)}
		terms := s.Terms[s.First[i]:s.First[i+1]]
		for _, t := range terms {
			x := bounds[t[0]]
			if t[1] >= 0 {
				x.Lo, x.Hi = x.Lo+bounds[t[1]].Lo, x.Hi+bounds[t[1]].Hi
			}
			node.Lo, node.Hi = min(node.Lo, x.Lo), max(node.Hi, x.Hi)
		}
		if !s.Max {
			node.Hi += math.Log2(float64(len(terms)))
		}
		bounds[e] = node
		if node.Lo <= node.Hi {
			b.Worst = max(b.Worst, -node.Lo)
		}
	}
	at := 0
	for _, id := range s.In {
		at += b.Program.Spans[id].Len
	}
	for _, id := range s.Out {
		n := b.Program.Spans[id].Len
		b.Element[id] = slices.Clone(bounds[at : at+n])
		at += n
	}
	return Interval{}, false
}

// elements returns the bounds of all elements, before s sets its own, in memory of b.
func (s *Sums) elements(b *Bounds) []Interval {
	out := b.scratch[:0]
	for _, id := range s.In {
		out = append(out, b.elements(id)...)
	}
	for _, id := range s.Out {
		out = append(out, make([]Interval, b.Program.Spans[id].Len)...)
	}
	b.scratch = out
	return out
}
