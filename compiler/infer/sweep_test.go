package infer_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// TestSweep checks that a sweep goes back over each slice once, the last one first, with the states
// of the slices that it needs; that it keeps no more states than it has room for, but for two at
// each level if the room is small; and how often it goes forwards.
func TestSweep(t *testing.T) {
	for n := range 60 {
		for _, room := range []int{0, 1, 2, 3, 4, 5, 7, 10, 16, 30, 100} {
			sweepOver(t, n, room)
		}
	}
	for _, c := range []struct{ n, room, steps int }{{100, 100, 100}, {10000, 200, 19900}, {1 << 16, 512, 1<<17 - 256}, {9999, 200, 19899}} {
		steps := 0
		most, err := infer.Sweep(c.n, c.room, func(int, float64) (float64, error) { steps++; return 0, nil }, func([]float64, int, int) {})
		if err != nil || steps != c.steps || most > c.room {
			t.Errorf("%d slices, room for %d: %d steps forwards, at most %d states, error %v; want %d steps", c.n, c.room, steps, most, err, c.steps)
		}
	}
}

// sweepOver checks one sweep, whose state of slice t is 3t+1.
func sweepOver(t *testing.T, n, room int) {
	t.Helper()
	next := n // slices from next on have been gone back over
	steps := 0
	most, err := infer.Sweep(n, room, func(at int, before float64) (float64, error) {
		if steps++; at > 0 && before != float64(3*at-2) || at == 0 && before != 0 {
			t.Errorf("%d slices, room for %d: slice %d comes after state %v", n, room, at, before)
		}
		return float64(3*at + 1), nil
	}, func(past []float64, from, end int) {
		first := end - len(past)
		if end != next || first != max(from-1, 0) {
			t.Errorf("%d slices, room for %d: back from %d to %d with states from slice %d on; want from %d", n, room, end, from, first, next)
		}
		for i, x := range past {
			if x != float64(3*(first+i)+1) {
				t.Errorf("%d slices, room for %d: state %v of slice %d", n, room, x, first+i)
			}
		}
		next = from
	})
	levels := 0
	for k := 2; k < n; k *= 2 {
		levels++
	}
	if err != nil || next != 0 || most > max(room, 2+2*levels) || steps > n*(1+levels) {
		t.Errorf("%d slices, room for %d: error %v, %d slices left, %d states kept, %d steps", n, room, err, next, most, steps)
	}
}

// TestSweepError checks that an error ends a sweep, in the first pass and in a later one.
func TestSweepError(t *testing.T) {
	failed := errors.New("failed")
	for _, last := range []int{3, 40, 99} {
		calls := 0
		_, err := infer.Sweep(100, 10, func(at int, _ float64) (float64, error) {
			if at == last {
				calls++
				return 0, failed
			}
			return 0, nil
		}, func(_ []float64, from, end int) {
			if from <= last && last < end {
				t.Errorf("went back over slice %d, which failed", last)
			}
		})
		if err != failed || calls != 1 {
			t.Errorf("error %v after %d calls; want %v after one", err, calls, failed)
		}
	}
}

// TestCheckpointedSmoothing checks that smoothing and best paths of random templates are the same
// numbers, to the bit, however few beliefs there is memory for.
func TestCheckpointedSmoothing(t *testing.T) {
	ctx := context.Background()
	const n = 13
	for name, opt := range map[string]irtest.TemplateOptions{
		"discrete": {}, "latent": {Latent: true}, "mixed": {Reals: true}, "real": {All: true}, "given": {All: true, Givens: true},
	} {
		for _, seed := range irtest.Cases(t, 2, 40) {
			m := irtest.RandomTemplate(seed, opt)
			sequence, _ := irtest.RandomSequence(m, n, seed)
			given := make([]infer.Given, n)
			for i := range sequence {
				given[i] = infer.Evidence(sequence[i])
			}
			kinds := []ir.QueryKind{ir.Smooth}
			if len(m.Reals()) == 0 {
				kinds = append(kinds, ir.Viterbi)
			}
			e := newEngine(t, m)
			wantPath, wantSmooth := answers(ctx, t, e, given)
			for _, room := range []int{1, 4, 6} {
				for _, kind := range kinds {
					if err := infer.Keep(ctx, e, kind, room); err != nil {
						t.Fatal(err)
					}
					size, err := e.SweepSize(ctx, kind, n)
					if err != nil || size.Forward <= n || size.Kept >= n {
						t.Fatalf("%s, seed %d, room for %d: %+v, error %v; want several passes", name, seed, room, size, err)
					}
				}
				path, smooth := answers(ctx, t, e, given)
				if !reflect.DeepEqual(path, wantPath) || !reflect.DeepEqual(smooth, wantSmooth) {
					t.Errorf("%s, seed %d, room for %d: other answers than with all beliefs", name, seed, room)
				}
			}
		}
	}
}

// answers returns the text of the most probable path and the smoothed posteriors of a sequence.
func answers(ctx context.Context, t *testing.T, e *infer.Engine, given []infer.Given) (string, []infer.Marginals) {
	t.Helper()
	smooth, err := e.Smooth(ctx, given)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(e.Model().Reals()); n > 0 && n < len(e.Model().Vars) {
		return "", smooth // paths along histories, all of which are kept
	}
	path, err := e.Viterbi(ctx, given)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprint(*path), smooth
}

// TestLongSmoothing smooths 10,000 slices in a memory for 200 beliefs.
func TestLongSmoothing(t *testing.T) {
	ctx := context.Background()
	m := &model.Model{}
	x, y := m.NewVar("x", "a", "b").ID, m.NewVar("y", "0", "1").ID
	emit := &model.Factor{Scope: []model.VarID{x, y}, Child: 1, Dist: &model.Table{Values: []float64{.8, .2, .3, .7}}}
	m.Factors = []*model.Factor{{Scope: []model.VarID{x}, Dist: &model.Table{Values: []float64{.5, .5}}}, emit}
	m.Transition = &model.Transition{Before: []model.VarID{x}, Factors: []*model.Factor{
		{Scope: []model.VarID{2, x}, Child: 1, Dist: &model.Table{Values: []float64{.9, .1, .2, .8}}}, emit}}
	given := make([]infer.Given, 10000)
	for t := range given {
		given[t] = infer.Evidence{"y": fmt.Sprint(t * t / 7 % 2)}
	}
	all, few := newEngine(t, m), newEngine(t, m)
	want, err := all.Smooth(ctx, given)
	if err != nil {
		t.Fatal(err)
	}
	if err := infer.Keep(ctx, few, ir.Smooth, 200); err != nil {
		t.Fatal(err)
	}
	size, err := few.SweepSize(ctx, ir.Smooth, len(given))
	if want := (infer.SweepSize{Bytes: 10000 * 80, Kept: 199, Forward: 19900}); err != nil || size != want {
		t.Errorf("smoothing takes %+v, error %v; want %+v", size, err, want)
	}
	got, err := few.Smooth(ctx, given)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("other answers with checkpoints than with all beliefs; error %v", err)
	}
}
