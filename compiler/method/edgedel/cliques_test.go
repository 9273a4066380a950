package edgedel_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// simplified is a network without edges of its triangulated graph.
type simplified struct {
	joint      []float64 // probability of each joint state, as brute.Joint numbers them
	divergence float64   // as the note reports it
	largest    float64   // number of joint states of a cluster
	logZ       float64
	note       string
}

// deleteFromCliques compiles a network with parameters cliques, and asks for the probability of
// each joint state.
func deleteFromCliques(t *testing.T, m *model.Model, option string) (s simplified, err error) {
	t.Helper()
	r, err := compiler.Compile(context.Background(), m, compiler.Options{
		Method: compiler.Named("edgedel", "parameters=cliques", option), Rows: model.RowsAsIs, Check: true, Steps: -1})
	if err != nil {
		return s, err
	}
	s.note, s.logZ = r.Note, r.Program.LogZ
	if _, err := fmt.Sscanf(r.Note[strings.Index(r.Note, "the largest"):],
		"the largest cluster has %f joint states; divergence without evidence %f nats", &s.largest, &s.divergence); err != nil {
		t.Fatalf("note %q: %v", r.Note, err)
	}
	machine, j := eval.New(r.Program, r.Model), enumerate(t, m)
	for i := range j.Len() {
		for v, state := range j.State(i) {
			if err := machine.Observe(model.VarID(v), state); err != nil {
				t.Fatal(err)
			}
		}
		p := 0.0
		if report, err := machine.RunLoop(context.Background(), &r.Program.Entries[0], pgmrt.LoopOptions{}); err == nil {
			p = math.Exp(machine.LogP())
			if report.Status != pgmrt.Converged {
				t.Fatalf("report %+v", report)
			}
		}
		s.joint = append(s.joint, p)
	}
	return s, nil
}

// TestCliques deletes edges until clusters have at most six joint states: the network remains a
// distribution, the reported divergence is the one by enumeration, and answers are those of the
// distribution.
func TestCliques(t *testing.T) {
	deleted := 0
	option := "max-cluster=6"
	for seed := range uint64(40) {
		m := irtest.RandomModel(seed, irtest.Options{Kinds: []model.Kind{model.Bayes, model.Markov}, TablesOnly: true, MaxVars: 7, MaxStates: 3, MaxJoint: 400})
		j := enumerate(t, m)
		all := make([]model.VarID, len(m.Vars))
		for v := range m.Vars {
			m.Vars[v].Latent, all[v] = false, model.VarID(v)
		}
		s, err := deleteFromCliques(t, m, option)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(s.note, "0 ") {
			deleted++
		} else if s.divergence > 0 {
			t.Errorf("seed %d: %s", seed, s.note)
		}
		if s.largest > 6 {
			t.Errorf("seed %d: %s", seed, s.note)
		}
		z := 0.0
		for _, p := range s.joint {
			z += p
		}
		irtest.CloseTo(t, z, 1, 1e-9)
		irtest.CloseTo(t, s.logZ, j.LogPartition(), 1e-9)
		irtest.CloseTo(t, divergence(j.JointPosterior(all, brute.Evidence{}), s.joint), s.divergence, 1e-5*(1+s.divergence))
		e := brute.Evidence{Hard: irtest.EvidenceOn(seed, m, 0.4, 0).Hard}
		s.answers(t, j, e, query(t, m, e, "edgedel", "parameters=cliques", option))
		if t.Failed() {
			t.Fatalf("seed %d: %s", seed, s.note)
		}
	}
	if deleted < 20 {
		t.Errorf("edges were deleted from %d of 40 networks", deleted)
	}
}

// answers compares the answer to evidence with sums over the joint distribution.
func (s *simplified) answers(t *testing.T, j *brute.Joint, e brute.Evidence, got answer) {
	t.Helper()
	want, sum := make([][]float64, len(j.Model.Vars)), 0.0
	for v := range want {
		want[v] = make([]float64, j.Model.Card(model.VarID(v)))
	}
	for i, p := range s.joint {
		state := j.State(i)
		for v, at := range e.Hard {
			if state[v] != at {
				p = 0
			}
		}
		sum += p
		for v, at := range state {
			want[v][at] += p
		}
	}
	if got.err != nil && sum > 0 {
		t.Fatal(got.err)
	}
	for v := range want {
		for at := range want[v] {
			want[v][at] /= sum
		}
		if sum > 0 {
			irtest.Close(t, got.marginals[v], want[v], 1e-9)
		}
	}
}

// TestNamedInCliques deletes single edges by name. The divergence is the mutual information of the
// ends given their common neighbours, if the edge is in one clique; otherwise it is refused.
func TestNamedInCliques(t *testing.T) {
	done, refused := 0, 0
	networks(t, 25, irtest.Options{MaxParents: 2}, func(_ uint64, m *model.Model, _ brute.Evidence) {
		j := enumerate(t, m)
		for u := range m.Vars {
			for v := range u {
				name := m.Vars[v].Name + "--" + m.Vars[u].Name
				s, err := deleteFromCliques(t, m, "delete="+name)
				if err != nil {
					refused++
					if want := "edge " + name + " to delete: "; !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "delete: 1 ") {
						t.Errorf("%s: %v", name, err)
					}
					continue
				}
				done++
				least, any := math.Inf(1), false
				for given := range 1 << len(m.Vars) {
					if given>>u&1 == 0 && given>>v&1 == 0 {
						x := mutualGiven(j, model.VarID(u), model.VarID(v), given)
						any = any || math.Abs(x-s.divergence) < 1e-5*(1+x)
						least = min(least, x)
					}
				}
				if !any {
					t.Errorf("%s: divergence %g is the mutual information given no set of variables; the least is %g", name, s.divergence, least)
				}
			}
		}
	})
	if done < 50 || refused < 50 {
		t.Errorf("%d edges were deleted, %d refused", done, refused)
	}
}

// mutualGiven returns the mutual information of u and v given the variables with a bit in given.
func mutualGiven(j *brute.Joint, u, v model.VarID, given int) float64 {
	var rest []model.VarID
	for w := range j.Model.Vars {
		if given>>w&1 == 1 {
			rest = append(rest, model.VarID(w))
		}
	}
	h := func(more ...model.VarID) float64 {
		return entropy(j.JointPosterior(slices.Concat(rest, more), brute.Evidence{}))
	}
	return h(u) + h(v) - h() - h(u, v)
}
