package bench

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// TestPeers compares the answers of the programs that filters are compared with, those in C and Go,
// with those of the interpreter, about sequences that are so short that errors in the first slices
// show. In long runs it compares those in C++ as well, and about sequences in which errors may grow.
func TestPeers(t *testing.T) {
	s := &streams{run: &run{Effort: &quick}, report: &StreamReport{}}
	for l, find := range finders {
		if library(l) == withEigen && !irtest.Long(t) {
			continue
		}
		s.compilers[l], _ = find(t.Context())
	}
	defer s.close()
	lengths := []int{3}
	if irtest.Long(t) {
		lengths = append(lengths, 60)
	}
	for _, length := range lengths {
		for _, x := range systems(length, rand.New(rand.NewPCG(1, uint64(length)))) {
			if len(x.peers) == 0 {
				continue
			}
			want := interpreted(t, x)
			for _, p := range x.peers {
				got, err := s.start(t.Context(), t.TempDir(), x, p)
				if err != nil {
					t.Fatal(err)
				}
				if got == nil {
					continue
				}
				if err := sameAnswers(p.subject, got, p.want(want)); err != nil {
					t.Errorf("%s, %d slices: %v", x.name, length, err)
				}
			}
		}
	}
}

// interpreted returns what a package answers: ln P of the sequence, the means of the last belief,
// and ln P of the most probable path.
func interpreted(t *testing.T, x *system) []float64 {
	t.Helper()
	e, err := infer.New(t.Context(), x.model, infer.Options{})
	if err != nil {
		t.Fatal(err)
	}
	f, err := e.Filter(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var last *infer.Marginals
	var all []infer.Given
	for _, slice := range x.sequence {
		given := infer.Evidence{}
		for v, finding := range slice {
			if finding != nil && x.model.IsReal(model.VarID(v)) {
				given[x.model.Vars[v].Name] = *finding
			} else if finding != nil {
				given[x.model.Vars[v].Name] = x.model.States(model.VarID(v))[int(*finding)-1]
			}
		}
		all = append(all, given)
		if last, err = f.Step(t.Context(), given); err != nil {
			t.Fatal(err)
		}
	}
	list := []float64{f.LogProb()}
	for _, d := range last.List {
		if d.P == nil {
			list = append(list, d.Mean)
		}
	}
	if slices.Contains(x.queries, "viterbi") {
		path, err := e.Viterbi(t.Context(), all)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, path.LogProb)
	}
	return list
}
