package ir_test

import (
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/ir"
)

// walk is a program that computes 0.3 a0 b0 + 0.7 a1 (0.4 b0 + 0.6 b1) and walks down to a sample.
// Elements 0 to 3 are λ, 4 to 7 are numbers, 8 is the sum over b, 9 is 0.7 a1, 10 is 0.3 a0, and 11
// is the root.
const walk = `program "walk" const logz 0 softbits 0 work 0 data 0 ints 0 state s4
span s0 f64 in 2 var 0 at -1 "λ a"
span s1 f64 in 2 var 1 at -1 "λ b"
span s2 f64 const 4 var -1 at -1 "numbers" 0.3 0.7 0.4 0.6
span s3 f64 temp 4 var -1 at -1 "nodes"
span s4 i32 out 2 var -1 at -1 "state"
span s5 i32 temp 2 var -1 at -1 "stack"
span s6 f64 temp 1 var -1 at -1 "P(evidence)"
block "circuit"
sums s0 s1 s2 to s3 : 8=6*2+7*3 9=5*1 10=4*0 11=10*2+9*8
sums s3 to s6 : 4=3
walk draw s0 s1 s2 s3 stack s5 : 8=6*2+7*3 9=5*1 10=4*0 11=10*2+9*8
entry sample "sample" targets evidence factors all blocks 0 root s6 exp - outs
`

func TestWalkText(t *testing.T) {
	p := parse(t, walk)
	if err := p.Verify(); err != nil {
		t.Error(err)
	}
	var b strings.Builder
	if err := p.Print(&b); err != nil {
		t.Fatal(err)
	}
	if b.String() != walk {
		t.Errorf("printed:\n%s\nwant:\n%s", b.String(), walk)
	}
	w := p.Blocks[0].Steps[2].(*ir.Walk)
	if w.Mode != ir.PickDraw || w.Depth(p) != 2 {
		t.Errorf("mode %v, depth %d; want draw, 2", w.Mode, w.Depth(p))
	}
}

func TestVerifyWalk(t *testing.T) {
	const step = "walk draw s0 s1 s2 s3 stack s5 : 8=6*2+7*3 9=5*1 10=4*0 11=10*2+9*8"
	for _, c := range []struct{ name, text, want string }{
		{"operand of no span", "walk draw s0 s9 stack s5 : 0=1", "operand is s9; want a span of numbers"},
		{"no nodes", "walk draw s0 stack s5 :", "a walk whose 0 nodes do not share 0 terms"},
		{"node that is an input", "walk draw s0 s3 stack s5 : 0=2", "node 0 is element 0, which is an input, another node or not there"},
		{"two nodes of one element", "walk draw s0 s3 stack s5 : 2=0 2=1", "node 1 is element 2, which is an input, another node or not there"},
		{"node beyond the end", "walk draw s0 s3 stack s5 : 6=0", "node 0 is element 6, which is an input, another node or not there"},
		{"a circle", "walk draw s0 s3 stack s5 : 2=3 3=2", "node 0 leads to element 3, which is itself, a later node or not there"},
		{"itself", "walk draw s0 s3 stack s5 : 2=2", "node 0 leads to element 2, which is itself, a later node or not there"},
		{"beyond the end", "walk draw s0 s3 stack s5 : 2=0*7", "node 0 leads to element 7, which is itself, a later node or not there"},
		{"mixed terms", "walk draw s0 s3 stack s5 : 2=0+0*1", "node 0 has single elements and products for terms"},
		{"no stack", "walk draw s0 s3 stack - : 2=0", "the stack is s-1; want a span of 1 integers"},
		{"stack of numbers", "walk draw s0 s3 stack s3 : 2=0", "the stack is s3; want a span of 1 integers"},
		{"the states", "walk draw s0 s3 stack s4 : 2=0", "the stack is s4; want a span of 1 integers"},
		{"stack too short", "walk draw s0 s1 s3 stack s5 : 4=0*2 5=4*0", "the stack is s5; want a span of 3 integers"},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := parse(t, strings.Replace(walk, step, c.text, 1)).Verify()
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v; want %q", err, c.want)
			}
		})
	}
	early := strings.Replace(walk, "block \"circuit\"\n", "block \"circuit\"\n"+step+"\n", 1)
	if err := parse(t, early).Verify(); err == nil || !strings.Contains(err.Error(), "reads s3, which was not written yet") {
		t.Errorf("a walk before its values: got %v", err)
	}
}

func TestParseWalk(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"no mode", "walk s0 stack s2 : 4=0", `found "s0"; want one of argmax, draw`},
		{"no stack", "walk draw s0", "found the end of the line; want more"},
		{"span of no number", "walk draw q stack s2 : 4=1", `found "q"; want an integer behind "s"`},
		{"node without terms", "walk argmax s0 stack s2 : 4", `found "4"; want a node such as 5=0*3+1`},
	} {
		_, err := ir.Parse(strings.NewReader("program \"p\" const logz 0 softbits 0 work 0 data 0 ints 0 state -\nblock \"b\"\n" + c.text + "\n"))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v; want %q", c.name, err, c.want)
		}
	}
}
