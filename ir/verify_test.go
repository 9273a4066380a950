package ir_test

import (
	"math"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/ir"
)

func TestVerifyGood(t *testing.T) {
	if err := parse(t, chain).Verify(); err != nil {
		t.Error(err)
	}
	p := parse(t, chain)
	for i := range p.Spans {
		p.Spans[i].Offset = -1
	}
	p.Work, p.Data, p.Ints = 0, 0, 0
	if err := p.Verify(); err != nil {
		t.Errorf("before layout: %v", err)
	}
	if err := (&ir.Program{State: ir.NoSpan}).Verify(); err != nil {
		t.Errorf("empty: %v", err)
	}
}

// Each case violates one rule by a small change to the text of a valid program.
func TestVerify(t *testing.T) {
	for _, c := range []struct{ name, old, new, want string }{
		// spans
		{"length", "span s9 f64 temp 2", "span s9 f64 temp 0", `span s9 "best": length is 0; want 1 to 2147483647`},
		{"negative length", "span s14 i32 temp 1", "span s14 i32 temp -1", `span s14 "unused": length is -1`},
		{"constant integers", "span s14 i32 temp", "span s14 i32 const", `const holds integers; want numbers`},
		{"input integers", "span s14 i32 temp", "span s14 i32 in", `in holds integers; want numbers`},
		{"input of no variable", "span s0 f64 in 2 var 0", "span s0 f64 in 2 var -1", `span s0 "λ a": in belongs to no variable`},
		{"temporary of a variable", "span s9 f64 temp 2 var -1", "span s9 f64 temp 2 var 0", `f64 temp belongs to variable v0; want an input or output`},
		{"states of a variable, by spans", "span s12 f64 out 2 var 0", "span s12 f64 out 2 var 1", `span s12 "P(a | b)": variable v1 has 2 states here and 3 elsewhere`},
		{"length of data", "0.1 0.9", "0.1", `span s2 "P(a)": it has 1 numbers of data; want 2`},
		{"negative data", "0.1 0.9", "0.1 -0.9", `number 1 of its data is -0.9; want a finite number of at least 0`},
		{"infinite data", "0.1 0.9", "+Inf 0.9", `number 0 of its data is +Inf`},
		{"NaN", "0.1 0.9", "NaN 0.9", `number 0 of its data is NaN`},
		{"data of a temporary", `"best"`, `"best" 1 2`, `span s9 "best": temp has data; want none`},
		{"state of another type", "state s4", "state s9", `state is s9; want a span of integers`},
		{"state out of range", "state s4", "state s99", `state is s99; want a span of integers`},

		// operands and results
		{"operand out of range", "s8(0) = s7(1)", "s8(0) = s77(1)", `block b0 "up" step 4: operand is s77; want a span of numbers`},
		{"operand of integers", "s8(0) = s7(1)", "s8(0) = s14(0)", `operand is s14; want a span of numbers`},
		{"result out of range", "s8(0) = s7(1)", "s99(0) = s7(1)", `result is s99; want a span of numbers`},
		{"writes an input", "s8(0) = s7(1)", "s0(0) = s7(1)", `writes s0, which is in`},
		{"writes a constant", "s8(0) = s7(1)", "s3(0) = s7(1)", `writes s3, which is const`},
		{"writes a parameter", "normalize s7", "normalize s2", `writes s2, which is param`},
		{"rescales a constant", "rescale s9 -", "rescale s3 -", `writes s3, which is const`},
		{"clears an input", "zero s5", "zero s0", `writes s0, which is in`},
		{"clears nothing", "zero s5", "zero s50", `clears s50; there are 15 spans`},
		{"looks up into a constant", "lookup [v1:3@] s12", "lookup [v1:3@] s2", `writes s2, which is param`},
		{"normalizes integers", "normalize s7", "normalize s5", `operand is s5; want a span of numbers`},
		{"exponent of numbers", "rescale s6 s5", "rescale s6 s8", `exponent is s8; want a span of one integer`},
		{"exponent in the states", "rescale s6 s5", "rescale s6 s4", `exponent is s4; want a span of one integer`},
		{"result among the operands", "s8(0) = s7(1)", "s8(0) = s8(0)", `s8 is both the result and an operand`},
		{"result is the table", "s12 = s11", "s12 = s12", `s12 is both the result and an operand`},

		// axes and strides
		{"strides", "s7(1) = s6(1)", "s7(1) = s6(1 0)", `operand s6 has 2 strides; want 1, one an axis`},
		{"negative stride", "s7(1) = s6(1)", "s7(1) = s6(-1)", `operand s6 has stride -1`},
		{"beyond an operand", "s0(0 1) s3(1 3)", "s0(0 1) s3(2 3)", `operand s3 reaches element 7 of 6`},
		{"beyond the result", "s7(1) = s6(1)", "s7(2) = s6(1)", `result s7 reaches element 4 of 3`},
		{"far beyond", "s7(1) = s6(1)", "s7(2147483647) = s6(1)", `result s7 reaches element 2147483647 of 3`},
		{"beyond along a fixed axis", "s1(1 0)\nblock \"draw\"", "s1(1 1)\nblock \"draw\"", `operand s1 reaches element 3 of 3`},
		{"axis of no state", "[v1:3*] s8", "[v1:0*] s8", `axis of v1 has size 0`},
		{"axis of no variable", "[v1:3*] s8", "[v-1:3*] s8", `axis of v-1 has size 3`},
		{"axis too long", "[v1:3*] s8", "[v1:65536*] s8", `axis of v1 has size 65536`},
		{"axis twice", "sum [v1:3 v0:2*] s6", "sum [v1:3 v1:3*] s6", `two axes of v1`},
		{"states of a variable, by axes", "[v1:3*] s8", "[v1:2*] s8", `variable v1 has 2 states here and 3 elsewhere`},
		{"result moves along a reduced axis", "s6(1 0) = s2", "s3(1 3) = s2", `result s3 moves along v0, over which it is reduced`},
		{"result stands still", "s7(1) = s6(1)", "s7(0) = s6(1)", `result s7 has one element for several states of v1`},
		{"result overlaps itself", "max [v0:2 v1:3*] s9(1 0)", "product [v0:2 v1:3] s3(1 1)", `result s3 has one element for several states of v`},
		{"reduced product", "sum [v1:3*] s8", "product [v1:3*] s8", `a product with a reduced axis`},
		{"sum over nothing", "product [v1:3] s7", "sum [v1:3] s7", `a sum without a reduced axis`},
		{"max over nothing", "product [v1:3] s7", "max [v1:3] s7", `a max without a reduced axis`},

		// picks and look-ups
		{"pick over nothing", "draw [v1:3] = s7(1)", "draw [] = s7()", `picks over other axes than one loop, then fixed ones`},
		{"pick of a reduced axis", "draw [v1:3] = s7(1)", "draw [v1:3*] = s7(1)", `picks over other axes`},
		{"pick of two axes", "draw [v0:2 v1:3@]", "draw [v0:2 v1:3]", `picks over other axes`},
		{"fixed without states", "state s4", "state -", `v0 is fixed, but the program has no states`},
		{"picked without states", "state s4", "state -", `v1 is fixed, but the program has no states`},
		{"state beyond the span", "span s4 i32 out 2", "span s4 i32 out 1", `v1 is fixed, but there are states of only 1 variables`},
		{"looks up along a loop", "lookup [v1:3@]", "lookup [v1:3]", `looks up along an axis that is not fixed`},
		{"length of a look-up table", "s12 = s11", "s12 = s2", `table s2 has 2 numbers; want 6, a row of s12 for each joint state`},

		// entries
		{"block out of range", "blocks 1 root", "blocks 5 root", `entry "mpe": runs block b5 of 5`},
		{"two of a name", `logprob "logprob"`, `logprob "all"`, `entry "all": another query has the same name`},
		{"no root", "blocks 1 root s10", "blocks 1 root -", `entry "mpe": there is no root; want one, except for a signature`},
		{"root of integers", "blocks 1 root s10", "blocks 1 root s5", `entry "mpe": root is s5; want a span of numbers`},
		{"root of several numbers", "blocks 1 root s10", "blocks 1 root s9", `root s9 has 2 numbers; want 1`},
		{"exponent is no integer", "s8 exp s5 outs\n", "s8 exp s8 outs\n", `exponent is s8; want a span of one integer`},
		{"exponent without root", "blocks 3 root - exp -", "blocks 3 root - exp s5", `there is an exponent, but no root`},
		{"output that is none", "outs s12\nentry", "outs s9\nentry", `output s9 is temp`},
		{"output out of range", "outs s12\nentry", "outs s99\nentry", `output is s99; want a span of numbers`},
		{"output twice", "exp s5 outs s7\nentry logprob", "exp s5 outs s7 s7\nentry logprob", `output s7 is listed twice`},
		{"output of another variable", "outs s12\nentry", "outs s7\nentry", `entry "look": output is of v1; want the target, v0`},
		{"no target", `"b" targets v1`, `"b" targets`, `entry "b": found 0 targets and 1 outputs; a posterior has one of each`},
		{"outputs of a number", "entry logprob \"logprob\" targets evidence factors all blocks 0 root s8 exp s5 outs", "entry logprob \"logprob\" targets evidence factors all blocks 0 root s8 exp s5 outs s7", `found 1 outputs; a logprob has none`},
		{"target as evidence", `"look" targets v0`, `"look" targets v1`, `v1 is both target and evidence`},
		{"evidence twice", `"look" targets v0 evidence v1`, `"look" targets v0 evidence v1 v1`, `evidence names v1 twice`},

		// runs
		{"reads before it writes", "blocks 0 2 root", "blocks 2 0 root", `entry "sample": block b2 "draw" step 0: reads s7, which was not written yet or was overwritten`},
		{"root never computed", "blocks 1 root s10", "blocks 1 root s8", `entry "mpe": after its blocks: reads s8, which was not written yet`},
		{"exponent never cleared", "zero s5", "zero s14", `entry "all": block b0 "up" step 2: reads s5, which was not written yet`},
		{"output never computed", "blocks 4 root", "blocks 1 root", `entry "fixed": after its blocks: reads s12`},
		{"filled in part", "product [v1:3@ v0:2] s12(0 1) = s2(0 1) s3(1 3)", "sum [v1:3@ v0:2*] s12(0 0) = s2(0 1) s3(1 3)",
			`entry "fixed": block b4 "fixed" step 0: reads s12, which was not written yet`},
		{"no state yet", `"fixed" targets v0 evidence do v1`, `"fixed" targets v0 evidence`, `entry "fixed": block b4 "fixed" step 0: v1 has no state yet`},
		{"fixed before it is picked", "argmax [v0:2] = s9(1)\nargmax [v1:3 v0:2@] = s3(1 3) s1(1 0)", "argmax [v1:3 v0:2@] = s3(1 3) s1(1 0)\nargmax [v0:2] = s9(1)",
			`entry "mpe": block b1 "best" step 3: v0 has no state yet`},
		{"looks up before there is a state", `"look" targets v0 evidence v1`, `"look" targets v0 evidence`, `step 0: v1 has no state yet`},

		// layout
		{"beyond work memory", "work 19", "work 18", `span s13 "kept": occupies 16 to 19; its memory ends at 18`},
		{"beyond data memory", "data 14", "data 13", `occupies 8 to 14; its memory ends at 13`},
		{"beyond state memory", "ints 4", "ints 3", `span s14 "unused": occupies 3 to 4; its memory ends at 3`},
		{"no place", "temp 2 var -1 at 11", "temp 2 var -1 at -1", `span s9 "best": occupies -1 to 1`},
		{"sizes without places", "at 16", "at -1", `span s13 "kept": occupies -1`},
		{"constants overlap", "const 6 var -1 at 8", "const 6 var -1 at 7", `span s11 "P(a | b)": overlaps s3; want only temporaries to overlap`},
		{"input under a temporary", "temp 3 var -1 at 5", "temp 3 var -1 at 4", `span s6 "{a} → {b}": overlaps s1; want only temporaries to overlap`},
		{"persistent under a temporary", "temp 1 var -1 at 13", "temp 1 var -1 at 16", `overlaps s1`},
		{"exponent in the states' place", "i32 temp 1 var -1 at 2", "i32 temp 1 var -1 at 1", `span s5 "exponent": overlaps s4`},
		{"result in the place of an operand", "temp 1 var -1 at 13", "temp 1 var -1 at 11", `result s10 overlaps operand s9`},
		{"temporaries live at once", "product [v1:3] s7(1) = s6(1) s1(1) s13(1)\nsum [v1:3*] s8(0) = s7(1)", "sum [v1:3*] s8(0) = s1(1)\nproduct [v1:3] s7(1) = s6(1) s1(1) s13(1)",
			`entry "all": block b0 "up" step 4: reads s6, which was not written yet or was overwritten`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if strings.Count(chain, c.old) == 0 {
				t.Fatalf("the good program has no %q", c.old)
			}
			err := parse(t, strings.Replace(chain, c.old, c.new, 1)).Verify()
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got\n%v\nwant\n%s", err, c.want)
			}
		})
	}
}

// TestVerifyNumbers checks errors that a text cannot express.
func TestVerifyNumbers(t *testing.T) {
	for _, c := range []struct {
		name string
		edit func(p *ir.Program)
		want string
	}{
		{"element", func(p *ir.Program) { p.Spans[0].Elem = 9 }, "unknown element type or role: 9, 0"},
		{"role", func(p *ir.Program) { p.Spans[0].Role = 9 }, "unknown element type or role: 0, 9"},
		{"reduction", func(p *ir.Program) { p.Blocks[0].Steps[1].(*ir.Contract).Reduce = 9 }, "no such reduction: 9"},
		{"axis", func(p *ir.Program) { p.Blocks[0].Steps[1].(*ir.Contract).Axes[0].Kind = 9 }, "axis of v1 is of no known kind"},
		{"mode", func(p *ir.Program) { p.Blocks[1].Steps[3].(*ir.Pick).Mode = 9 }, "no such mode of choosing: 9"},
		{"query", func(p *ir.Program) { p.Entries[0].Query.Kind = 99 }, "unknown kind of query: 99"},
		{"no query", func(p *ir.Program) { p.Entries[0].Query = nil }, "entry 0: it has no query"},
		{"step", func(p *ir.Program) { p.Blocks[0].Steps[0] = nil }, "unknown step <nil>"},
		{"length", func(p *ir.Program) { p.Spans[13].Len = math.MaxInt }, `span s13 "kept": `},
		{"states", func(p *ir.Program) {
			*p = ir.Program{State: ir.NoSpan, Entries: []ir.Entry{{Query: &ir.Query{Kind: ir.MPE}, Root: ir.NoSpan, Exp: ir.NoSpan}}}
		}, "mpe needs states, and the program has none"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := parse(t, chain)
			c.edit(p)
			if err := p.Verify(); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got\n%v\nwant\n%s", err, c.want)
			}
		})
	}
}

func TestVerifyStopsAfterTen(t *testing.T) {
	err := parse(t, strings.ReplaceAll(chain, "v1:3", "v1:4")).Verify()
	if err == nil || strings.Count(err.Error(), "\n") != 9 {
		t.Errorf("got\n%v\nwant ten lines", err)
	}
}
