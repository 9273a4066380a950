package assemble

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// TestTapeSums checks that the instruction computes the terms of every node, in their order, for
// runs and groups of any length. The bits are the same with every kernel.
func TestTapeSums(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	groups := 0
	for round := range 300 {
		const inputs = 5
		s := make([]float64, inputs+1+r.IntN(200))
		for i := range s {
			s[i] = float64(r.IntN(4)) * math.Exp(20*r.NormFloat64())
		}
		largest := round%2 == 1
		nodes := layeredNodes(r, inputs, len(s))
		want := slices.Clone(s)
		for i := range nodes {
			want[nodes[i].Set] = nodes[i].value(want, largest)
		}
		code := sumsCode(nodes, largest)
		if int(code[1]) != len(code) {
			t.Fatalf("round %d: length %d of %d words", round, code[1], len(code))
		}
		if !largest && code[3] < 0 {
			groups++
		}
		pgmrt.RunTape(code, s, nil, nil, nil)
		for i, x := range want {
			if math.Float64bits(s[i]) != math.Float64bits(x) {
				t.Fatalf("round %d: element %d is %v; want %v", round, i, s[i], x)
			}
		}
		if n := testing.AllocsPerRun(1, func() { pgmrt.RunTape(code, s, nil, nil, nil) }); n != 0 {
			t.Errorf("round %d: %v allocations", round, n)
		}
	}
	if groups < 20 {
		t.Errorf("%d instructions begin with groups", groups)
	}
}

// layeredNodes returns nodes that set the elements from..to, in layers whose nodes read what lies
// before the layer. Half of the layers have nodes of one kind. One node in 50 reads any element
// before its own.
func layeredNodes(r *rand.Rand, from, to int) (nodes []Node) {
	for at := from; at < to; {
		first, terms, pairs := at, 1+r.IntN(7), r.IntN(2) == 0
		same := r.IntN(2) == 0
		for end := min(to, at+1+r.IntN(30)); at < end; at++ {
			if !same {
				terms, pairs = 1+r.IntN(7), r.IntN(2) == 0
			}
			before := first
			if r.IntN(50) == 0 {
				before = at
			}
			n := Node{Set: at}
			for range terms {
				term := [2]int32{r.Int32N(int32(before)), -1}
				if pairs {
					term[1] = r.Int32N(int32(before))
				}
				n.Terms = append(n.Terms, term)
			}
			nodes = append(nodes, n)
		}
	}
	return nodes
}

// value returns the sum of the terms of n, or their maximum.
func (n *Node) value(s []float64, largest bool) float64 {
	value := 0.0
	for i, t := range n.Terms {
		x := s[t[0]]
		if t[1] >= 0 {
			x = float64(x * s[t[1]])
		}
		switch {
		case i == 0:
			value = x
		case largest:
			value = max(value, x)
		default:
			value += x
		}
	}
	return value
}

// TestIsGroup checks which nodes can be computed at one time.
func TestIsGroup(t *testing.T) {
	group := func(change func(nodes []Node)) bool {
		var nodes []Node
		for i := range 4 {
			nodes = append(nodes, Node{Set: 10 + i, Terms: [][2]int32{{int32(i), 1}, {2, 13}}})
		}
		change(nodes)
		return isGroup(nodes, 2)
	}
	for _, c := range []struct {
		name   string
		change func(nodes []Node)
		want   bool
	}{
		{"independent", func([]Node) {}, true},
		{"own element", func(n []Node) { n[1].Terms[0][0] = 11 }, true},
		{"what a later one sets", func(n []Node) { n[1].Terms[0][0] = 12 }, true},
		{"what an earlier one sets", func(n []Node) { n[2].Terms[1][1] = 11 }, false},
		{"apart", func(n []Node) { n[3].Set = 14 }, false},
		{"fewer terms", func(n []Node) { n[3].Terms = n[3].Terms[:1] }, false},
		{"single elements", func(n []Node) { n[0].Terms = [][2]int32{{1, -1}, {2, -1}} }, false},
	} {
		if got := group(c.change); got != c.want {
			t.Errorf("%s: %v; want %v", c.name, got, c.want)
		}
	}
}

// sumsCode returns the instruction of nodes.
func sumsCode(nodes []Node, largest bool) []int32 {
	a := &Assembler{}
	if largest {
		start := a.begin(tapeMaxima)
		a.runs(nodes)
		a.end(start)
	} else {
		start := a.begin(tapeSums)
		a.runsAndGroups(nodes)
		a.end(start)
	}
	return a.code.Words
}

// A node may set an element that it reads.
func TestTapeSumsInPlace(t *testing.T) {
	s := []float64{3, 2}
	pgmrt.RunTape(sumsCode([]Node{{Set: 1, Terms: [][2]int32{{0, 1}, {1, 1}}}}, false), s, nil, nil, nil)
	if s[1] != 10 {
		t.Errorf("got %v; want 3·2 + 2·2", s[1])
	}
}
