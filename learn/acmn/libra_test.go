package acmn_test

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/acmn"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/learnertest"
)

// The result of Libra's acmn on its test case: the same number of features, which differ in those
// of two splits, and a distribution at a divergence of 1.03e-4 from that of its stored circuit.
// Several splits are almost equally good, and the choice between them depends on the precision of
// the fitted weights.
func TestLibraOutputs(t *testing.T) {
	dir := filepath.Join(irtest.Shared(t), "data", "libra", "test", "acmn")
	read := func(name string) *model.Model {
		m, list := format.Read(compiler.Formats, filepath.Join(dir, name), "", format.ReadOptions{})
		if list.HasErrors() {
			t.Fatal(list.Err())
		}
		return m
	}
	stored, network := read("cold.ac"), read("cold.mn")
	r := learnertest.Learn(t, acmn.Learner, &learner.Job{Train: learnertest.Load(t, "libra", "test", "acbn", "cold.data"), Cores: 1})
	learned, scope := r.Models[1], stored.Factors[0].Scope
	var p, q []float64
	z := 0.0
	x := make([]int, len(stored.Vars))
	for more := true; more; more = stored.Next(scope, x) {
		p = append(p, stored.Value(stored.Factors[0], x))
		q = append(q, learned.Value(learned.Factors[0], x))
		z += p[len(p)-1]
	}
	divergence := 0.0
	for i := range p {
		divergence += p[i] / z * math.Log(p[i]/z/q[i])
	}
	if divergence > 2e-4 {
		t.Errorf("divergence %v; want at most 2e-4", divergence)
	}
	got, want := conjunctions(r.Models[0]), conjunctions(network)
	if len(got) != len(want) {
		t.Errorf("%d features; want %d", len(got), len(want))
	}
	common := 0
	for _, x := range got {
		if slices.Contains(want, x) {
			common++
		}
	}
	if common < 22 {
		t.Errorf("features %v; want %v but for two of the splits", got, want)
	}
}

// conjunctions returns the features of a network over variables of two states, in a canonical form.
func conjunctions(m *model.Model) (list []string) {
	for _, f := range m.Factors {
		for _, x := range f.Dist.(*model.Features).List {
			var text []string
			for _, l := range x.Literals {
				text = append(text, fmt.Sprintf("v%d=%v", f.Scope[l.Axis], (l.State == 1) != l.Not))
			}
			slices.Sort(text)
			list = append(list, strings.Join(text, " "))
		}
	}
	slices.Sort(list)
	return list
}
