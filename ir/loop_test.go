package ir_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/ir"
)

// looped is a program with every step that occurs only in loops. It moves q(a) towards its
// likelihood times exp of minus an energy and minus q(a) itself.
const looped = `program "looped" const logz 0 softbits 0 work 12 data 3 ints 1 state s0
span s0 i32 out 1 var -1 at 0 "state"
span s1 f64 in 2 var 0 at 0 "λ a"
span s2 f64 const 2 var -1 at 0 "energy" 0.5 0
span s3 f64 persistent 2 var -1 at 2 "q"
span s4 f64 temp 2 var -1 at 4 "new q"
span s5 f64 persistent 1 var -1 at 6 "residual"
span s6 f64 persistent 1 var -1 at 7 "damping"
span s7 f64 persistent 1 var -1 at 8 "ln P"
span s8 f64 persistent 1 var -1 at 9 "possible"
span s9 f64 out 2 var 0 at 10 "marginal of a"
span s10 f64 const 1 var -1 at 2 "one" 1
block "start"
product [v0:2] s3(1) = s1(1)
zero s7
product [] s8() = s10()
block "round"
zero s5
boltzmann s4 weight s1 = s2 s3
damp s3 s4 rate s6 residual s5
block "end"
product [v0:2] s9(1) = s3(1)
tallyentropy 1 s7 = s3 alive - ref s1
tallylog -1 s7 = s3 alive s8 ref -
tallysum 0.5 s7 = s3 alive - ref -
entry beliefs "meanfield" loop 1 2 iterations 50 tolerance 1e-09 damping 0.25 residual s5 rate s6 logp s7 targets evidence factors all blocks 0 1 2 root s8 exp - outs s9
`

// queued is looped with another block in the loop, and a queue for the two blocks.
var queued = strings.NewReplacer("block \"end\"", "block \"again\"\nzero s5\nboltzmann s4 weight s1 = s3\ndamp s3 s4 rate s6 residual s5\nblock \"end\"",
	"loop 1 2", "loop 1 3", "logp s7 ", "logp s7 queue 1:1 2:0,1 ", "blocks 0 1 2 ", "blocks 0 1 2 3 ").Replace(looped)

// powered is looped with an update that takes a mean of the likelihood and q(a).
var powered = strings.Replace(looped, "boltzmann s4 weight s1 = s2 s3", "powers s4 = 0.5 s1 -0.25 s3", 1)

func TestLoopText(t *testing.T) {
	for _, text := range []string{looped, powered, queued, strings.Replace(queued, "s7 queue", "s7 priority", 1)} {
		p := parse(t, text)
		if err := p.Verify(); err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		if err := p.Print(&b); err != nil || b.String() != text {
			t.Errorf("printed\n%s\nwant\n%s", b.String(), text)
		}
	}
	p := parse(t, looped)
	before := p.Entries[0].Loop
	p.Renumber(func(id ir.SpanID) ir.SpanID { return id + 1 })
	p.Renumber(func(id ir.SpanID) ir.SpanID { return id - 1 })
	if !reflect.DeepEqual(p, parse(t, looped)) || before != p.Entries[0].Loop {
		t.Error("renumbering there and back changed the program")
	}
}

// Each case violates one rule by a small change to the text of a valid program.
func TestVerifyLoop(t *testing.T) {
	for _, c := range []struct{ name, old, new, want string }{
		{"no loop", "loop 1 2 iterations 50 tolerance 1e-09 damping 0.25 residual s5 rate s6 logp s7 ", "", `beliefs, which has no loop`},
		{"a loop elsewhere", `entry beliefs "meanfield"`, `entry marginals "meanfield"`, `marginals, which has a loop`},
		{"no block", "loop 1 2", "loop 1 1", `loop over the blocks from 1 to before 1 of 3`},
		{"beyond the blocks", "loop 1 2", "loop 1 4", `loop over the blocks from 1 to before 4 of 3`},
		{"no round", "iterations 50", "iterations 0", `loop of 0 rounds`},
		{"tolerance", "tolerance 1e-09", "tolerance -1", `tolerance -1`},
		{"damping", "damping 0.25", "damping 1", `damping 1`},
		{"residual of two numbers", "residual s5 rate s6 logp", "residual s3 rate s6 logp", `a number of the loop, s3, has 2 numbers; want 1`},
		{"residual that is constant", "residual s5 rate s6 logp", "residual s10 rate s6 logp", `writes s10, which is const`},
		{"damping that is lost", `span s6 f64 persistent`, `span s6 f64 temp`, `damping s6 is temp; want a persistent span`},
		{"lengths of old and new", "damp s3 s4", "damp s3 s10", `new value s10 has 1 numbers; want 2, the number of s3`},
		{"old is new", "damp s3 s4", "damp s3 s3", `s3 is both the result and an operand`},
		{"rate", "rate s6 residual s5\n", "rate s2 residual s5\n", `rate s2 has 2 numbers; want 1`},
		{"residual of a step", "rate s6 residual s5\n", "rate s6 residual s3\n", `residual, s3, has 2 numbers; want 1`},
		{"damps a constant", "damp s3 s4", "damp s2 s4", `writes s2, which is const`},
		{"energies", "boltzmann s4 weight s1 = s2", "boltzmann s4 weight s1 = s10", `operand s10 has 1 numbers; want 2`},
		{"result among the energies", "= s2 s3\n", "= s2 s4\n", `s4 is both the result and an operand`},
		{"total", "tallysum 0.5 s7", "tallysum 0.5 s3", `total, s3, has 2 numbers; want 1`},
		{"a logarithm without alive", "alive s8", "alive -", `tallylog with alive - and ref -`},
		{"a sum with alive", "tallysum 0.5 s7 = s3 alive -", "tallysum 0.5 s7 = s3 alive s8", `tallysum with alive s8 and ref -`},
		{"factor", "tallysum 0.5", "tallysum NaN", `tally of NaN times a sum`},
		{"reference", "ref s1", "ref s10", `reference s10 has 1 numbers; want 2`},
		{"lost between rounds", `span s3 f64 persistent 2 var -1 at 2 "q"`, `span s3 f64 temp 2 var -1 at 4 "q"`, `result s4 overlaps operand s3`},
		{"overwritten in a round", "zero s5\nboltzmann s4 weight s1 = s2 s3\n", "boltzmann s4 weight s1 = s2 s3\nzero s5\nproduct [v0:2] s3(1) = s4(1)\n", ``},
	} {
		t.Run(c.name, func(t *testing.T) {
			if strings.Count(looped, c.old) != 1 {
				t.Fatalf("%q is not once in the good program", c.old)
			}
			err := parse(t, strings.Replace(looped, c.old, c.new, 1)).Verify()
			if c.want == "" {
				if err != nil {
					t.Error(err)
				}
			} else if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got\n%v\nwant\n%s", err, c.want)
			}
		})
	}
}

func TestVerifyPowers(t *testing.T) {
	for _, c := range []struct{ name, old, new, want string }{
		{"no operand", "0.5 s1 -0.25 s3", "", `0 powers of 0 spans; want one each, and one span at least`},
		{"power", "0.5 s1", "+Inf s1", `power +Inf`},
		{"length", "0.5 s1", "0.5 s10", `operand s10 has 1 numbers; want 2, the number of s4`},
		{"result among the operands", "0.5 s1", "0.5 s4", `s4 is both the result and an operand`},
		{"constant result", "powers s4", "powers s2", `writes s2, which is const`},
	} {
		if strings.Count(powered, c.old) != 1 {
			t.Fatalf("%s: %q is not once in the good program", c.name, c.old)
		}
		if err := parse(t, strings.Replace(powered, c.old, c.new, 1)).Verify(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got\n%v\nwant\n%s", c.name, err, c.want)
		}
	}
}

func TestVerifyQueue(t *testing.T) {
	for _, c := range []struct{ name, old, new, want string }{
		{"first item", "queue 1:1", "queue 2:1", `item 0 begins with block 2 of its entry`},
		{"order of items", "2:0,1", "1:0,1", `item 1 begins with block 1 of its entry`},
		{"beyond the loop", "2:0,1", "3:0,1", `item 1 begins with block 3 of its entry`},
		{"pushes nothing that is", "2:0,1", "2:0,2", `item 1 pushes item 2 of 2`},
		{"a temporary from item to item", "boltzmann s4 weight s1 = s3\n", "", `reads s4, which was not written yet or was overwritten`},
		{"a temporary behind the queue", "product [v0:2] s9(1) = s3(1)", "product [v0:2] s9(1) = s4(1)", `reads s4, which was not written yet or was overwritten`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if strings.Count(queued, c.old) != 1 {
				t.Fatalf("%q is not once in the good program", c.old)
			}
			if err := parse(t, strings.Replace(queued, c.old, c.new, 1)).Verify(); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got\n%v\nwant\n%s", err, c.want)
			}
		})
	}
}

// TestVerifyRounds checks that Verify finds a temporary that one round leaves for the next, if
// another span occupies its place in between.
func TestVerifyRounds(t *testing.T) {
	p := parse(t, looped)
	p.Spans = append(p.Spans, ir.Span{Name: "kept too short", Len: 2, Var: -1, Role: ir.RoleTemp, Offset: p.Spans[4].Offset})
	id := ir.SpanID(len(p.Spans) - 1)
	c := p.Blocks[0].Steps[0].(*ir.Contract)
	p.Blocks[0].Steps = append(p.Blocks[0].Steps, &ir.Contract{Axes: c.Axes, Out: ir.View{Span: id, Stride: []int{1}}, In: c.In})
	round := &p.Blocks[1]
	round.Steps = append([]ir.Step{&ir.Tally{Kind: ir.TallySum, Total: 7, In: id, Alive: ir.NoSpan, Ref: ir.NoSpan}}, round.Steps...)
	if err := p.Verify(); err == nil || !strings.Contains(err.Error(), "reads s11, which was not written yet or was overwritten") {
		t.Errorf("got %v; want the second round's reading of s11", err)
	}
}
