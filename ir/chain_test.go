package ir_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/ir"
)

// sampled is a program that draws a and b given each other, by a table and by a tree that tests a.
const sampled = `program "sampled" const logz 0 softbits 0 work 31 data 6 ints 2 state s0
span s0 i32 out 2 var -1 at 0 "state"
span s1 f64 persistent 2 var -1 at 0 "batch"
span s2 f64 persistent 2 var -1 at 2 "half"
span s3 f64 persistent 2 var -1 at 4 "total"
span s4 f64 persistent 2 var -1 at 6 "square"
span s5 f64 persistent 2 var -1 at 8 "within"
span s6 f64 persistent 2 var -1 at 10 "between"
span s7 f64 persistent 1 var -1 at 12 "share"
span s8 f64 persistent 1 var -1 at 13 "chains"
span s9 f64 persistent 1 var -1 at 14 "length"
span s10 f64 persistent 1 var -1 at 15 "R-hat"
span s11 f64 persistent 1 var -1 at 16 "ESS"
span s12 f64 persistent 1 var -1 at 17 "error"
span s13 f64 persistent 1 var -1 at 18 "possible"
span s14 f64 in 2 var 0 at 19 "λ a"
span s15 f64 const 2 var -1 at 0 "P(a)" 0.5 0.5
span s16 f64 const 4 var -1 at 2 "P(b|a)" 0.25 0.75 0.5 0.5
span s17 f64 temp 4 var -1 at 21 "weights"
span s18 f64 persistent 2 var -1 at 25 "start of a"
span s19 f64 persistent 2 var -1 at 27 "start of b"
span s20 f64 out 2 var 0 at 29 "marginal of a"
block "begin"
statsclear s1 s2 s3 s4 s5 s6 run s7 s8 s9 s10 s11 s12
block "start"
findstart s13 level s18 -1 [v0:2] = s15(1) s14(1) trees end level s19 0 [v1:2 v0:2@] = trees s16 child v1 { v0 -1 -3 } end
block "sweep"
resample scaled s17 tallies s1 - row [v0:2 v1:2] = s15(1 0) s14(1 0) trees s16 child v1 { v0 -1 -3 } end
block "end"
statsrun s1 s2 s3 s4 s5 s6 run s7 s8 s9 s10 s11 s12
product [v0:2] s20(1) = s3(1)
entry estimates "gibbs" chain 1 2 3 3 3 iterations 50 burnin 5 chains 2 seed 18446744073709551615 run s7 s8 s9 s10 s11 s12 targets evidence factors all blocks 0 1 2 3 root s13 exp - outs s20
`

// TestChainText also has numbers for the refused steps and draws of a method, and functions.
func TestChainText(t *testing.T) {
	for _, text := range []string{sampled, strings.Replace(sampled, " targets", " refused s13 s12 functions v0 v1 targets", 1)} {
		p := parse(t, text)
		if err := p.Verify(); err != nil {
			t.Fatal(err)
		}
		if got := print(t, p); got != text {
			t.Errorf("printed\n%s\nwant\n%s", got, text)
		}
		p.Renumber(func(id ir.SpanID) ir.SpanID { return id + 1 })
		p.Renumber(func(id ir.SpanID) ir.SpanID { return id - 1 })
		if !reflect.DeepEqual(p, parse(t, text)) {
			t.Error("renumbering there and back changed the program")
		}
	}
}

// Each case violates one rule by a small change to the text of a valid program.
func TestVerifyChain(t *testing.T) {
	for _, c := range []struct{ name, old, new, want string }{
		{"a chain elsewhere", `entry estimates "gibbs"`, `entry marginals "gibbs"`, `marginals, which has a chain`},
		{"sections", "chain 1 2 3 3 3", "chain 1 2 3 3 5", `sections of 4 blocks that end at [1 2 3 3 5]`},
		{"no sweeps", "iterations 50", "iterations 0", `2 chains of 0 iterations after 5`},
		{"a number of the run", "seed 18446744073709551615 run s7", "seed 18446744073709551615 run s1", `a number of the run, s1, has 2 numbers; want 1`},
		{"no state before it stands", "level s18 -1 [v0:2] = s15(1) s14(1) trees end level s19 0", "level s19 -1", `v0 has no state yet`},
		{"back to itself", "level s19 0", "level s19 1", `level 1 draws 1 variables and goes back to level 1`},
		{"weights", "resample scaled s17", "resample scaled s18", `weights s18 have 2 numbers; want 4`},
		{"tallies", "tallies s1 - row", "tallies s1 row", `1 tallies for 2 variables`},
		{"tally", "tallies s1 - row", "tallies s7 - row", `tally s7 has 1 numbers; want 2`},
		{"weights among the operands", "resample scaled s17 tallies s1 - row [v0:2 v1:2] = s15(1 0)", "resample scaled s17 tallies s1 - row [v0:2 v1:2] = s17(1 0)", `s17 is both the result and an operand`},
		{"nothing is drawn", "[v0:2 v1:2] = s15(1 0) s14(1 0)", "[v0:2@ v1:2@] = s15(1 0) s14(1 0)", `draws along other axes than some that loop`},
		{"test", "s14(1 0) trees s16 child v1 { v0 -1 -3 }", "s14(1 0) trees s16 child v1 { v2 -1 -3 }", `node 0 of a tree tests v2 for 2 states`},
		{"leaf", "s14(1 0) trees s16 child v1 { v0 -1 -3 }", "s14(1 0) trees s16 child v1 { v0 -1 -4 }", `node 0 of a tree leads to -4, which is not there`},
		{"child", "s14(1 0) trees s16 child v1", "s14(1 0) trees s16 child v2", `the child v2 of a tree is none of the axes`},
		{"statistics", "statsclear s1 s2", "statsclear s1 s7", `statistic s7 has 1 numbers; want 2, the number of s1`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if strings.Count(sampled, c.old) != 1 {
				t.Fatalf("%q is not once in the good program", c.old)
			}
			if err := parse(t, strings.Replace(sampled, c.old, c.new, 1)).Verify(); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got\n%v\nwant\n%s", err, c.want)
			}
		})
	}
}
