package ir_test

import (
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/ir"
)

// sums is a program that computes P(a) λ(a) and the maximum of its two terms. Elements 0 and 1 are
// λ, 2 and 3 are numbers, 4 and 5 are the terms, and the results follow.
const sums = `program "sums" const logz 0 softbits 0 work 0 data 0 ints 0 state -
span s0 f64 in 2 var 0 at -1 "λ a"
span s1 f64 const 2 var -1 at -1 copy 7 "numbers" 0.1 0.9
span s2 f64 temp 2 var -1 at -1 "terms"
span s3 f64 temp 1 var -1 at -1 "P(evidence)"
span s4 f64 temp 1 var -1 at -1 "best"
block "circuit"
sums s0 s1 to s2 s3 : 4=0*2 5=1*3 6=4+5
maxima s2 to s4 : 2=0+1
entry logprob "logprob" targets evidence factors all blocks 0 root s3 exp - outs
`

func TestSumsText(t *testing.T) {
	p := parse(t, sums)
	if err := p.Verify(); err != nil {
		t.Error(err)
	}
	var b strings.Builder
	if err := p.Print(&b); err != nil {
		t.Fatal(err)
	}
	if b.String() != sums {
		t.Errorf("printed:\n%s\nwant:\n%s", b.String(), sums)
	}
	step := p.Blocks[0].Steps[0].(*ir.Sums)
	if step.Ops() != 3 || step.Max || p.Spans[1].Copy != 8 {
		t.Errorf("%d operations, max %v, copy %d; want 3, false, 8", step.Ops(), step.Max, p.Spans[1].Copy)
	}
	places := step.Places(p)
	if len(places) != 7 || places[3] != (ir.Place{Span: 1, At: 1}) || step.SpanAt(places[6].Span) != 3 {
		t.Errorf("places %v", places)
	}
}

func TestVerifySums(t *testing.T) {
	const circuit = "sums s0 s1 to s2 s3 : 4=0*2 5=1*3 6=4+5"
	for _, c := range []struct{ name, text, want string }{
		{"operand of no span", "sums s0 s9 to s2 s3 : 4=0*2 5=1*3 6=4+5", "operand is s9; want a span of numbers"},
		{"result that is an input", "sums s1 to s0 : 2=0 3=1", "writes s0, which is in"},
		{"result that is an operand", "sums s0 s2 to s2 : 4=0 5=1", "s2 is both the result and an operand"},
		{"no result", "sums s0 s1 to : 0=1", "sums without a result"},
		{"sets an operand", "sums s0 s1 to s2 s3 : 0=1*2 4=0*2 5=1*3 6=4+5", "node 0 sets element 0 of 4 to 7"},
		{"sets beyond the end", "sums s0 s1 to s2 s3 : 4=0*2 5=1*3 6=4+5 7=4", "node 3 sets element 7 of 4 to 7"},
		{"reads what is not set yet", "sums s0 s1 to s2 s3 : 4=0*5 5=1*3 6=4+5", "node 0 reads element 5, which is not set or not there"},
		{"reads beyond the end", "sums s0 s1 to s2 s3 : 4=0*2 5=1*9 6=4+5", "node 1 reads element 9, which is not set or not there"},
		{"mixed terms", "sums s0 s1 to s2 s3 : 4=0*2 5=1*3 6=4*0+5", "node 2 has single elements and products for terms"},
		{"an element is left out", "sums s0 s1 to s2 s3 : 4=0*2 6=4+4", "element 5 of the result is never set"},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := parse(t, strings.Replace(sums, circuit, c.text, 1)).Verify()
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v; want %q", err, c.want)
			}
		})
	}
}

func TestParseSums(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"node without terms", "sums s0 to s2 : 4", `found "4"; want a node such as 5=0*3+1`},
		{"term of no number", "sums s0 to s2 : 4=x", `found "x"; want an integer behind ""`},
		{"span of no number", "sums q to s2 : 4=1", `found "q"; want an integer behind "s"`},
		{"no nodes", "sums s0 to s2", "found the end of the line; want more"},
	} {
		_, err := ir.Parse(strings.NewReader("program \"p\" const logz 0 softbits 0 work 0 data 0 ints 0 state -\nblock \"b\"\n" + c.text + "\n"))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v; want %q", c.name, err, c.want)
		}
	}
}
