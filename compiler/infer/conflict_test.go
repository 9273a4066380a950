package infer_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// TestConflict compares conflicts in random networks with enumeration: they are impossible, and
// without any one finding possible.
func TestConflict(t *testing.T) {
	ctx, found := context.Background(), 0
	for _, seed := range irtest.Cases(t, 40, 1000) {
		m := irtest.RandomModel(seed, irtest.Options{MaxVars: 8})
		e, err := infer.New(ctx, m, infer.Options{})
		if err != nil {
			t.Fatal(err)
		}
		all := infer.NewFindings(len(m.Vars))
		for v := range m.Vars {
			all.State[v] = int(seed+3*uint64(v)) % m.Card(m.Vars[v].ID)
		}
		part, err := e.Conflict(ctx, all)
		if err != nil {
			t.Fatal(err)
		}
		joint, err := brute.New(m)
		if err != nil {
			t.Fatal(err)
		}
		possible := func(f *infer.Findings) bool {
			given := brute.Evidence{Hard: map[model.VarID]int{}}
			for _, v := range f.Known() {
				given.Hard[v] = f.State[v]
			}
			return !math.IsInf(joint.LogProb(given), -1)
		}
		if part == nil {
			if !possible(all) {
				t.Errorf("seed %d: no conflict in impossible evidence", seed)
			}
			continue
		}
		found++
		if possible(part) {
			t.Errorf("seed %d: the conflict %s is possible", seed, part.Text(m))
		}
		for _, v := range part.Known() {
			less := infer.NewFindings(len(m.Vars))
			copy(less.State, part.State)
			less.State[v] = infer.Missing
			if !possible(less) {
				t.Errorf("seed %d: %s is more than a conflict", seed, part.Text(m))
			}
		}
	}
	if found < 10 {
		t.Errorf("%d conflicts; want at least 10", found)
	}
}

func TestConflictOfApproximations(t *testing.T) {
	e, err := infer.New(context.Background(), irtest.Asia(), infer.Options{Method: compiler.Named("belief")})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Conflict(context.Background(), nil); !errors.Is(err, infer.ErrNoAnswer) {
		t.Errorf("%v; want ErrNoAnswer", err)
	}
}

func ExampleEngine_Conflict() {
	ctx, m := context.Background(), irtest.Asia()
	e, err := infer.New(ctx, m, infer.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	part, err := e.Conflict(ctx, infer.Evidence{"smoke": "yes", "lung": "yes", "either": "no"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(part.Text(m))
	// Output: lung=yes, either=no
}
