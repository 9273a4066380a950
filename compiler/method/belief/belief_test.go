package belief_test

import (
	"testing"

	"github.com/pgmc-go/pgmc/compiler/method/belief"
	"github.com/pgmc-go/pgmc/compiler/method/methodtest"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

func TestContract(t *testing.T) {
	if exact, models := methodtest.Loop(t, belief.Method); exact < models/3 {
		t.Errorf("%d of %d models are free of cycles; want at least a third to check exactness", exact, models)
	}
}

func TestFlooding(t *testing.T) { methodtest.Loop(t, belief.Method, "schedule=flooding") }

// TestResidual checks that schedule residual never claims to be exact, because changes below the
// tolerance are not propagated.
func TestResidual(t *testing.T) {
	if exact, _ := methodtest.Loop(t, belief.Method, "schedule=residual"); exact > 0 {
		t.Errorf("%d models are claimed to be exact; want none", exact)
	}
}

func TestLibDAI(t *testing.T) {
	for _, c := range []struct{ row, option string }{{"BP", "schedule=sequential"}, {"BP_PARALL", "schedule=flooding"}, {"BP_SEQFIX", "damping=0.3"},
		{"BP_SEQMAX", "schedule=residual"}} {
		t.Run(c.row, func(t *testing.T) { methodtest.LibDAI(t, belief.Method, c.row, c.option, "iterations=10000") })
	}
}

// TestLibra compares with Libra's small cases, which have no cycles, so that any schedule reaches
// the printed digits. For networks with cycles Libra prints messages that have not converged: it
// stops at changes of 1e-4.
func TestLibra(t *testing.T) {
	for _, c := range []methodtest.LibraCase{
		{Model: "inference/test1.bif", Log: "inference/test1.log"},
		{Model: "inference/test1.mn", Log: "inference/test1.log"},
		{Model: "inference/test1-f.mn", Log: "inference/test1.log"},
		{Model: "inference/test1.bif", Evidence: "inference/test1.ev", Log: "inference/test2.log"},
		{Model: "inference/test1.mn", Evidence: "inference/test1.ev", Log: "inference/test2b.log"},
		{Model: "inference/test1-f.mn", Evidence: "inference/test1.ev", Log: "inference/test2b.log"},
		{Model: "inference/test1-ev1.mn", Log: "inference/test4.log"},
		{Model: "inference/test1-ev1.mn", Evidence: "inference/test1.ev1", Log: "inference/test5.log"},
	} {
		for _, schedule := range []string{"sequential", "flooding"} {
			t.Run(c.Model+" "+c.Evidence+" "+schedule, func(t *testing.T) {
				got, want := c.Run(t, belief.Method, pgmrt.LoopOptions{}, "schedule="+schedule), c.Want(t)
				if len(got) != len(want) {
					t.Fatalf("%d rows of evidence; Libra answered %d", len(got), len(want))
				}
				for i, row := range want {
					for v, p := range row {
						for s, w := range p {
							if !methodtest.LibraNear(got[i][v][s], w) {
								t.Errorf("row %d, variable %d: %v; want %v", i, v, got[i][v], p)
							}
						}
					}
				}
			})
		}
	}
}
