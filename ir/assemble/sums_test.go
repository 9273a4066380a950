package assemble

import (
	"math"
	"math/rand/v2"
	"testing"

	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// TestTapeSums checks that the instruction computes the terms of every node, for runs of any
// length.
func TestTapeSums(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for round := range 200 {
		const inputs = 5
		s := make([]float64, inputs+1+r.IntN(60))
		for i := range s {
			s[i] = float64(r.IntN(4)) * r.Float64()
		}
		largest := round%2 == 1
		want := append([]float64(nil), s...)
		var nodes []Node
		for at := inputs; at < len(s); at++ {
			n := Node{Set: at}
			terms, pairs, value := 1+r.IntN(7), r.IntN(2) == 0, 0.0
			for range terms {
				term, x := [2]int32{r.Int32N(int32(at)), -1}, 0.0
				if x = want[term[0]]; pairs {
					term[1] = r.Int32N(int32(at))
					x *= want[term[1]]
				}
				n.Terms = append(n.Terms, term)
				if largest {
					value = max(value, x)
				} else {
					value += x
				}
			}
			want[at] = value
			nodes = append(nodes, n)
		}
		code := sumsCode(nodes, largest)
		if int(code[1]) != len(code) {
			t.Fatalf("round %d: length %d of %d words", round, code[1], len(code))
		}
		pgmrt.RunTape(code, s, nil, nil, nil)
		for i, x := range want {
			if !(math.Abs(s[i]-x) <= 1e-14*max(1, x)) {
				t.Fatalf("round %d: element %d is %v; want %v", round, i, s[i], x)
			}
		}
		if n := testing.AllocsPerRun(1, func() { pgmrt.RunTape(code, s, nil, nil, nil) }); n != 0 {
			t.Errorf("round %d: %v allocations", round, n)
		}
	}
}

// sumsCode returns the instruction of nodes.
func sumsCode(nodes []Node, largest bool) []int32 {
	op := tapeSums
	if largest {
		op = tapeMaxima
	}
	a := &Assembler{}
	start := a.begin(op)
	a.runs(nodes)
	a.end(start)
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
