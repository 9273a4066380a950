package ir_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// two answers the same query by two entries, of which the second runs in place of the first if at
// most 20 products are left.
const two = `program "two" const logz 0 softbits 0 work 0 data 0 ints 0 state -
span s0 f64 in 4 var 0 at -1 "λ a"
span s1 f64 in 8 var 1 at -1 "λ b"
span s2 f64 temp 1 var -1 at -1 "root"
span s3 f64 temp 1 var -1 at -1 "root by tables"
span s4 f64 out 4 var 0 at -1 "P(a)"
span s5 f64 out 4 var 0 at -1 "P(a) by tables"
block "first"
sum [v0:4* v1:8*] s2(0 0) = s0(1 0) s1(0 1)
product [v0:4] s4(1) = s0(1)
normalize s4
block "second"
sum [v0:4* v1:8*] s3(0 0) = s0(1 0) s1(0 1)
product [v0:4] s5(1) = s0(1)
normalize s5
entry marginals "all" targets evidence factors all blocks 0 root s2 exp - outs s4
entry marginals "all by tables" targets evidence factors all blocks 1 root s3 exp - outs s5 instead "all" most 20 fixed 4 loops 2 [v0 v1] 1 [v0]
`

func TestInstead(t *testing.T) {
	p := parse(t, two)
	if err := p.Verify(); err != nil {
		t.Fatal(err)
	}
	if got := print(t, p); got != two {
		t.Errorf("printed again it is\n%s", got)
	}
	x := p.Instead(p.Entry("all"))
	if x != p.Entry("all by tables") || p.Instead(x) != nil {
		t.Fatalf("in place of the first entry runs %+v", x)
	}
	want := &ir.Instead{Of: "all", Most: 20, Fixed: 4, Loops: []ir.LoopWork{{Each: 2, Vars: []model.VarID{0, 1}}, {Each: 1, Vars: []model.VarID{0}}}}
	if !reflect.DeepEqual(x.Instead, want) {
		t.Errorf("it is %+v; want %+v", x.Instead, want)
	}
	if got := x.Instead.Work(func(v model.VarID) int { return []int{2, 3}[v] }); got != 18 {
		t.Errorf("work is %v; want 18", got)
	}
	if r := ir.RangesOf(p, func(int, *ir.Contract, []bool) []bool { return nil }); r == nil || r.Ints() != 4 || r.Place(1) < 0 {
		t.Error("there are no places for the remaining states of a and b")
	}
}

func TestVerifyInstead(t *testing.T) {
	for _, c := range []struct{ name, old, new, want string }{
		{"unknown", `instead "all"`, `instead "none"`, `runs in place of query "none", which is unknown`},
		{"itself", `instead "all"`, `instead "all by tables"`, `can't run in place of query "all by tables"`},
		{"another kind", `entry marginals "all"`, `entry sets "all"`, `can't run in place of query "all"`},
		{"other inputs", "s3(0 0) = s0(1 0) s1(0 1)", "s3(0 0) = s0(1 0)", `query "all" reads other inputs`},
		{"other answers", "outs s5", "outs", `query "all" has answers of other variables`},
		{"unknown variable", "1 [v0]", "1 [v2]", "work depends on v2, which has no input"},
		{"half a product", "fixed 4", "fixed 4.5", "work is no integer"},
		{"negative work", "fixed 4", "fixed -4", "work is no integer"},
		{"much work", "most 20", "most 1e16", "want less than 2^53"},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := strings.Replace(two, c.old, c.new, 1)
			if text == two {
				t.Fatalf("the good program has no %q", c.old)
			}
			if err := parse(t, text).Verify(); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got\n%v\nwant\n%s", err, c.want)
			}
		})
	}
}
