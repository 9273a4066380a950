package ir_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/ir"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// climbing is a program that moves a by tabu search and b by sweeps, keeps the best states, and
// weighs them.
const climbing = `program "climbing" const logz 0 softbits 0 work 25 data 6 ints 2 state s0
span s0 i32 out 2 var -1 at 0 "state"
span s1 f64 persistent 1 var -1 at 0 "beta"
span s2 f64 persistent 1 var -1 at 1 "weight"
span s3 f64 persistent 1 var -1 at 2 "score"
span s4 f64 persistent 1 var -1 at 3 "best"
span s5 f64 persistent 1 var -1 at 4 "total"
span s6 f64 persistent 1 var -1 at 5 "square"
span s7 f64 persistent 1 var -1 at 6 "moves"
span s8 f64 persistent 1 var -1 at 7 "error"
span s9 f64 persistent 1 var -1 at 8 "possible"
span s10 f64 in 2 var 0 at 9 "λ a"
span s11 f64 persistent 2 var -1 at 11 "ln λ a"
span s12 f64 logs 4 var -1 at 0 "ln φ" -1 -1e+300 0 1
span s13 f64 persistent 2 var -1 at 13 "row of a"
span s14 f64 persistent 2 var -1 at 15 "row of b"
span s15 f64 persistent 2 var -1 at 17 "tabu for a"
span s16 f64 persistent 1 var -1 at 19 "best a"
span s17 f64 persistent 2 var -1 at 20 "start of b"
span s18 f64 const 2 var -1 at 4 "any" 1 1
span s19 f64 persistent 2 var -1 at 22 "start of a"
span s20 f64 persistent 1 var -1 at 24 "best b"
block "begin"
takelogs s1 s2 s3 s4 s5 s6 s7 s8 lists v0 s10 s11
block "start"
findstart s9 level s19 -1 [v0:2] = s10(1) trees end level s17 0 [v1:2] = s18(1) trees end
addscore s1 s2 s3 s4 s5 s6 s7 s8 level s14 near row [v1:2 v0:2@] = s12(1 2) trees end lists
block "step"
tabumove s1 s2 s3 s4 s5 s6 s7 s8 level s13 near 0 row [v0:2 v1:2@] = s12(2 1) s11(1 0) trees end lists v0 s15 -
drawtempered s1 s2 s3 s4 s5 s6 s7 s8 level s14 near row [v1:2 v0:2@] = s12(1 2) trees end lists
keepbest s1 s2 s3 s4 s5 s6 s7 s8 lists v0 s16 - v1 s20 -
block "end"
restorebest s1 s2 s3 s4 s5 s6 s7 s8 lists v0 s16 - v1 s20 -
entry climb "tabu" chain 1 2 3 3 3 iterations 50 burnin 0 chains 2 seed 7 mode move hot 2 cold 0.5 tenure 3 run s1 s2 s3 s4 s5 s6 s7 s8 targets evidence factors all blocks 0 1 2 3 root s9 exp - outs
`

func TestTrialText(t *testing.T) {
	p := parse(t, climbing)
	if err := p.Verify(); err != nil {
		t.Fatal(err)
	}
	if got := print(t, p); got != climbing {
		t.Errorf("printed\n%s\nwant\n%s", got, climbing)
	}
	p.Renumber(func(id ir.SpanID) ir.SpanID { return id + 1 })
	p.Renumber(func(id ir.SpanID) ir.SpanID { return id - 1 })
	if !reflect.DeepEqual(p, parse(t, climbing)) {
		t.Error("renumbering there and back changed the program")
	}
}

func TestTrialFaults(t *testing.T) {
	for _, c := range []struct{ from, to, want string }{
		{"near 0 row", "near 1 row", "level 0 is near level 1 of 1"},
		{"hot 2 cold 0.5", "hot 0.25 cold 0.5", "with temperatures from 0.25 to 0.5"},
		{"lists v0 s15 -", "lists v0 s16 -", "s16 has 1 numbers; want 2"},
		{"lists v0 s15 -", "lists", "lists of 0 and 0 spans for 0 variables"},
		{"tenure 3 run s1 s2 s3 s4 s5 s6 s7 s8", "tenure 3 run s1 s2 s3 s4 s5 s6", "6 numbers of a run; want 8"},
		{"level s19 -1 [v0:2] = s10(1) trees end level s17 0", "level s17 -1", "v0 has no state yet"},
		{"takelogs s1 s2 s3 s4 s5 s6 s7 s8 lists v0 s10 s11", "takelogs s1 s2 s3 s4 s5 s6 s7 s8 lists v0 s11 s10", "writes s10, which is in"},
		{"span s12 f64 logs 4", "span s12 f64 const 4", "number 0 of its data is -1; want a finite number of at least 0"},
	} {
		text := strings.Replace(climbing, c.from, c.to, 1)
		if text == climbing {
			t.Fatalf("%q is not there", c.from)
		}
		if err := parse(t, text).Verify(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q in place of %q gives %v; want %q", c.to, c.from, err, c.want)
		}
	}
}

// TestLogZero checks that the compiler and the runtime represent the logarithm of 0 by the same
// number.
func TestLogZero(t *testing.T) {
	if ir.LogZero != pgmrt.TrialZero {
		t.Errorf("%v and %v", ir.LogZero, pgmrt.TrialZero)
	}
}
