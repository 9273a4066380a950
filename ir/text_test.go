package ir_test

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// chain is a -> b with two and three states, with a step and a query of every kind, laid out: s6
// and s8 share a place.
const chain = `program "chain \"1\"" const logz 0 softbits 960 work 19 data 14 ints 4 state s4
span s0 f64 in 2 var 0 at 0 "λ a"
span s1 f64 in 3 var 1 at 2 "λ b"
span s2 f64 param 2 var -1 at 0 "P(a)" 0.1 0.9
span s3 f64 const 6 var -1 at 2 "P(b | a)" 0.5 0.3 0.2 0.1 0.6 0.3
span s4 i32 out 2 var -1 at 0 "state"
span s5 i32 temp 1 var -1 at 2 "exponent"
span s6 f64 temp 3 var -1 at 5 "{a} → {b}"
span s7 f64 out 3 var 1 at 8 "P(b | evidence)"
span s8 f64 temp 1 var -1 at 6 "sum"
span s9 f64 temp 2 var -1 at 11 "best"
span s10 f64 temp 1 var -1 at 13 "top"
span s11 f64 const 6 var -1 at 8 "P(a | b)" 0.5 0.5 0.25 0.75 1e-300 1
span s12 f64 out 2 var 0 at 14 "P(a | b)"
span s13 f64 persistent 3 var -1 at 16 "kept"
span s14 i32 temp 1 var -1 at 3 "unused"
block "up"
zero s5
sum [v1:3 v0:2*] s6(1 0) = s2(0 1) s0(0 1) s3(1 3)
rescale s6 s5
product [v1:3] s7(1) = s6(1) s1(1) s13(1)
sum [v1:3*] s8(0) = s7(1)
normalize s7
block "best"
max [v0:2 v1:3*] s9(1 0) = s2(1 0) s0(1 0) s3(3 1) s1(0 1)
max [v0:2*] s10(0) = s9(1)
rescale s9 -
argmax [v0:2] = s9(1)
argmax [v1:3 v0:2@] = s3(1 3) s1(1 0)
block "draw"
draw [v1:3] = s7(1)
draw [v0:2 v1:3@] = s2(1 0) s0(1 0) s3(3 1)
block "look up"
lookup [v1:3@] s12 = s11
block "fixed"
product [v1:3@ v0:2] s12(0 1) = s2(0 1) s3(1 3)
normalize s12
entry marginals "all" targets evidence factors all blocks 0 root s8 exp s5 outs s7
entry logprob "logprob" targets evidence factors all blocks 0 root s8 exp s5 outs
entry posterior "b" targets v1 evidence factors all blocks 0 root s8 exp s5 outs s7
entry mpe "mpe" targets evidence factors all blocks 1 root s10 exp - outs
entry sample "sample" targets evidence factors all blocks 0 2 root s8 exp s5 outs
entry signature "look" targets v0 evidence v1 factors 0 1 blocks 3 root - exp - outs s12
entry signature "fixed" targets v0 evidence do v1 factors blocks 4 root - exp - outs s12
`

func parse(t testing.TB, text string) *ir.Program {
	t.Helper()
	p, err := ir.Parse(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func print(t testing.TB, p *ir.Program) string {
	t.Helper()
	var b strings.Builder
	if err := p.Print(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestTextRoundTrip(t *testing.T) {
	p := parse(t, chain)
	if got := print(t, p); got != chain {
		t.Errorf("printed again it is\n%s", got)
	}
	if again := parse(t, print(t, p)); !reflect.DeepEqual(again, p) {
		t.Error("parsed again it differs")
	}
}

// The text of a few parts, so that a mistake that print and parse share is found.
func TestParseMeaning(t *testing.T) {
	p := parse(t, chain)
	if p.Name != `chain "1"` || p.State != 4 || p.SoftBits != 960 || p.Work != 19 || p.Data != 14 || p.Ints != 4 {
		t.Errorf("head is %q, %d, %v, %d, %d, %d", p.Name, p.State, p.SoftBits, p.Work, p.Data, p.Ints)
	}
	if got, want := p.Spans[2], (ir.Span{Name: "P(a)", Role: ir.RoleParam, Len: 2, Var: -1, Data: []float64{.1, .9}}); !reflect.DeepEqual(got, want) {
		t.Errorf("s2 is %+v; want %+v", got, want)
	}
	want := &ir.Contract{
		Axes:   []ir.Axis{{Var: 1, Size: 3, Kind: ir.AxisFixed}, {Var: 0, Size: 2, Kind: ir.AxisOut}},
		Out:    ir.View{Span: 12, Stride: []int{0, 1}},
		In:     []ir.View{{Span: 2, Stride: []int{0, 1}}, {Span: 3, Stride: []int{1, 3}}},
		Reduce: ir.ReduceNone,
	}
	if got := p.Blocks[4].Steps[0]; !reflect.DeepEqual(got, want) {
		t.Errorf("the step is %+v; want %+v", got, want)
	}
	if got := p.Blocks[1].Steps[2]; !reflect.DeepEqual(got, &ir.Rescale{Span: 9, Exp: ir.NoSpan}) {
		t.Errorf("the step is %+v", got)
	}
	look, fixed, all := p.Entry("look"), p.Entry("fixed").Query.Factors, p.Entry("all").Query.Factors
	wantQuery := &ir.Query{Name: "look", Kind: ir.Signature, Targets: []model.VarID{0}, Evidence: []model.VarID{1}, Factors: []int{0, 1}}
	if !reflect.DeepEqual(look.Query, wantQuery) || look.Root != ir.NoSpan || look.Exp != ir.NoSpan {
		t.Errorf("the entry is %+v of %+v", look, look.Query)
	}
	if fixed == nil || len(fixed) > 0 || all != nil {
		t.Errorf("factors are %v and %v; want none, and nil for all", fixed, all)
	}
}

func TestNumbersAreExact(t *testing.T) {
	p := &ir.Program{State: ir.NoSpan, LogZ: math.Nextafter(-1, 0), Spans: []ir.Span{{Role: ir.RoleConst, Var: -1, Offset: -1,
		Data: []float64{0.1, 1. / 3, 5e-324, math.MaxFloat64, 0, math.Nextafter(1, 2), 123456789012}}}}
	if again := parse(t, print(t, p)); !reflect.DeepEqual(again, p) {
		t.Errorf("got %+v; want %+v", again, p)
	}
}

func TestHostileNames(t *testing.T) {
	for _, name := range []string{"", "\n", "\"", "\\", "a\x00b", "\xff", "λ \u2028", "] = s1", "` + x + `"} {
		p := &ir.Program{Name: name, State: ir.NoSpan, Spans: []ir.Span{{Name: name, Var: -1, Offset: -1}},
			Blocks: []ir.Block{{Name: name}}, Entries: []ir.Entry{{Query: &ir.Query{Name: name}, Root: ir.NoSpan, Exp: ir.NoSpan}}}
		if again := parse(t, print(t, p)); !reflect.DeepEqual(again, p) {
			t.Errorf("%q: got %+v; want %+v", name, again, p)
		}
	}
}

const head = `program "" const logz 0 softbits 0 work 0 data 0 ints 0 state -` + "\n"

func TestParseErrors(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"empty", "", `-:1: found no program line`},
		{"something else", "span s0", `-:1:1: found "span"; want one program line, and want it first`},
		{"two programs", head + head, `-:2:1: found "program"; want one program line, and want it first`},
		{"name", "program x", `-:1:9: found "x"; want a quoted name`},
		{"open name", `program "x`, `-:1:9: found "\"x"; want a quoted name`},
		{"mode", `program "" x`, `-:1:12: found "x"; want one of const, var`},
		{"number", `program "" const logz x`, `-:1:23: found "x"; want a number`},
		{"huge number", `program "" const logz 1e999`, `-:1:23: found "1e999"; want a number`},
		{"cut short", `program "" const logz 0 softbits 0 work 0 data 0`, `-:1:49: found the end of the line; want more`},
		{"trailing", head + `block "" x`, `-:2:10: found "x"; want the end of the line`},
		{"indented", head + "  \tblock x", `-:2:10: found "x"; want a quoted name`},
		{"span number", head + `span s1 f64`, `-:2:6: found span s1; want s0, the next`},
		{"element", head + `span s0 f32`, `-:2:9: found "f32"; want one of f64, i32`},
		{"role", head + `span s0 f64 tmp`, `-:2:13: found "tmp"; want one of in, out, const, param, persistent, temp, logs, signed`},
		{"length", head + `span s0 f64 temp x`, `-:2:18: found "x"; want an integer behind ""`},
		{"huge length", head + `span s0 f64 temp 9999999999`, `-:2:18: found "9999999999"; want an integer behind ""`},
		{"data", head + `span s0 f64 in 1 var 0 at 0 "" 1 x`, `-:2:34: found "x"; want a number`},
		{"step outside a block", head + `zero s1`, `-:2:1: found "zero"; want span, block or entry`},
		{"unknown step", head + "block \"\"\nadd s1", `-:3:1: found "add"; want a step`},
		{"axis", head + "block \"\"\nlookup [v1] s1 = s2", `-:3:8: found axis "v1"; want v1:2`},
		{"axis variable", head + "block \"\"\nlookup [1:3@] s1 = s2", `-:3:8: found "1"; want an integer behind "v"`},
		{"axis size", head + "block \"\"\nlookup [v1:@] s1 = s2", `-:3:8: found ""; want an integer behind ""`},
		{"open axes", head + "block \"\"\nlookup [v1:3@", `-:3:8: found "[v1:3@"; want words in []`},
		{"no axes", head + "block \"\"\nlookup s1", `-:3:8: found "s1"; want words in []`},
		{"open strides", head + "block \"\"\ndraw [] = s1(1", `-:3:13: found "(1"; want words in ()`},
		{"operand", head + "block \"\"\ndraw [] = s1", `-:3:11: found "s1"; want an operand such as s1(2 1)`},
		{"span", head + "block \"\"\nzero 1", `-:3:6: found "1"; want an integer behind "s"`},
		{"query", head + `entry what ""`, `-:2:7: found "what"; want one of marginals, posterior, logprob, mpe, sample, signature, joint, map, kmpe, gradient, sensitivity, statistics, jeffrey, sets, session, mixture, maxmarginals, policy, best, information, follow, beliefs, decoding, estimates, weighted, climb, bounded, filter, smooth, viterbi, innovation, trajectory`},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := ir.Parse(strings.NewReader(c.text))
			if err == nil {
				t.Fatalf("it was read: %+v", p)
			}
			if got := err.Error(); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

// Whatever is read prints to a text that is read as the same; nothing panics, Verify included.
func FuzzParse(f *testing.F) {
	f.Add(chain)
	f.Add(head)
	for _, line := range strings.SplitAfter(chain, "\n") {
		f.Add(head + line)
		f.Add(head + "block \"\"\n" + line)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := ir.Parse(strings.NewReader(text))
		if err != nil {
			return
		}
		p.Verify()
		once := print(t, p)
		if twice := print(t, parse(t, once)); twice != once {
			t.Errorf("printed\n%s\nand again\n%s", once, twice)
		}
	})
}
