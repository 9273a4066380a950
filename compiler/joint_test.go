package compiler_test

import (
	"context"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/irtest"
)

// TestJoint checks that targets of one clique take one operation after the passes of the main tree,
// and others a tree of their own. In both cases the answer is laid out as the query orders it.
func TestJoint(t *testing.T) {
	m := irtest.Asia()
	for _, c := range []struct {
		spec, blocks string
		want         []float64
	}{
		{"joint(smoke, lung)", "up down joint", []float64{.05, .45, .005, .495}},
		{"joint(lung, smoke)", "up down joint", []float64{.05, .005, .45, .495}},
		{"joint(lung)", "up down joint", []float64{.055, .945}},
		{"joint(smoke, asia)", "joint1", []float64{.005, .495, .005, .495}},
		{"joint(asia, tub, smoke)", "joint1", []float64{.00025, .00025, .00475, .00475, .00495, .00495, .49005, .49005}},
	} {
		r, err := compiler.Compile(context.Background(), m, compiler.Options{Queries: []string{c.spec}, Check: true})
		if err != nil {
			t.Fatal(err)
		}
		var blocks []string
		for _, b := range r.Program.Entries[0].Blocks {
			blocks = append(blocks, r.Program.Blocks[b].Name)
		}
		if got := strings.Join(blocks, " "); got != c.blocks {
			t.Errorf("%s runs %s; want %s", c.spec, got, c.blocks)
		}
		machine := eval.New(r.Program, r.Model)
		if err := machine.Run(&r.Program.Entries[0]); err != nil {
			t.Fatal(err)
		}
		irtest.Close(t, machine.Posterior(0), c.want, 1e-15)
	}
}

func TestJointTooLarge(t *testing.T) {
	_, err := compiler.Compile(context.Background(), irtest.Asia(), compiler.Options{Queries: []string{"joint(asia, tub, smoke, dysp)"}, MaxTable: 15})
	want := `jointree: query "joint \"asia\" \"tub\" \"smoke\" \"dysp\"": the answer has 16 numbers; limit: max-table 15; ask for fewer variables together, or raise the limit`
	if err == nil || err.Error() != want {
		t.Errorf("got %v; want %s", err, want)
	}
}
