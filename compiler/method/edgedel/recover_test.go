package edgedel_test

import (
	"math"
	"slices"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/method/edgedel"
	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// withClones returns the network of edge deletion as in the literature: a clone replaces the parent
// in the child's CPD, and a potential over the parent is the message from the child.
func withClones(m *model.Model, list []edgedel.Ranked) (out *model.Model, clones []model.VarID) {
	out = &model.Model{Name: m.Name, Kind: model.Markov}
	for _, v := range m.Vars {
		out.NewVar(v.Name, m.States(v.ID)...)
	}
	for _, f := range m.Factors {
		out.Factors = append(out.Factors, &model.Factor{Scope: slices.Clone(f.Scope), Child: -1, Dist: f.Dist})
	}
	for _, e := range list {
		clone := out.NewVar(m.Vars[e.Parent].Name+"'"+m.FactorName(m.Factors[e.Factor]), m.States(e.Parent)...).ID
		clones = append(clones, clone)
		scope := out.Factors[e.Factor].Scope
		scope[slices.Index(scope, e.Parent)] = clone
		out.Factors = append(out.Factors, &model.Factor{Scope: []model.VarID{clone}, Child: -1, Dist: &model.Table{Values: e.InPlace}},
			&model.Factor{Scope: []model.VarID{e.Parent}, Child: -1, Dist: &model.Table{Values: e.Likelihood}})
	}
	return out, clones
}

// TestInformationOfClones compares the mutual information that ranks edges with enumeration of the
// network with clones.
func TestInformationOfClones(t *testing.T) {
	compared, telling := 0, 0
	networks(t, 300, irtest.Options{NoZeros: true}, func(seed uint64, m *model.Model, e brute.Evidence) {
		list, err := edgedel.Rank(m, e.Hard)
		if err != nil {
			t.Fatal(err)
		}
		if len(list) == 0 || len(list) > 3 {
			return
		}
		joint, clones := withClones(m, list)
		j := enumerate(t, joint)
		for i, x := range list {
			p := j.JointPosterior([]model.VarID{x.Parent, clones[i]}, e)
			u, c := j.Posterior(x.Parent, e), j.Posterior(clones[i], e)
			irtest.Close(t, c, u, 1e-4) // equal at a fixed point, which the messages approach
			want := 0.0
			for k, y := range p {
				if y > 0 {
					want += y * math.Log(y/(u[k/len(c)]*c[k%len(c)]))
				}
			}
			if math.Abs(x.Information-want) > 1e-4 {
				t.Errorf("edge %v: information %v; want %v", x.Edge, x.Information, want)
			}
			compared++
			if want > 1e-3 {
				telling++
			}
		}
	})
	if compared < 100 || telling < 10 {
		t.Errorf("%d edges compared, of which %d have information; want at least 100 and 10", compared, telling)
	}
}

// TestRecovery deletes fewer edges with larger clusters, in the end none, and approaches the exact
// marginals.
func TestRecovery(t *testing.T) {
	var errors [3]float64
	networks(t, 60, irtest.Options{NoZeros: true}, func(seed uint64, m *model.Model, e brute.Evidence) {
		j := enumerate(t, m)
		var off [3]float64
		for i, cluster := range []string{"max-cluster=1", "max-cluster=12", "max-cluster=100000"} {
			got := query(t, m, e, "edgedel", cluster, "edges=recovery")
			if got.err != nil || got.report.Status != pgmrt.Converged {
				return
			}
			for v, p := range got.marginals {
				for s, x := range j.Posterior(model.VarID(v), e) {
					off[i] = max(off[i], math.Abs(x-p[s]))
				}
			}
		}
		for i, x := range off {
			errors[i] += x
		}
	})
	if !(errors[1] < errors[0] && errors[2] < 1e-9) {
		t.Errorf("errors %v; want them to fall to 0", errors)
	}
}

// TestRecoveryByEvidence has a loop that evidence on its first variable cuts. The edge that closes
// it then has no information.
func TestRecoveryByEvidence(t *testing.T) {
	n := network{&model.Model{Name: "loop"}}
	a := n.add("a", []float64{0.5})
	b, c := n.add("b", []float64{0.9, 0.2}, a), n.add("c", []float64{0.8, 0.3}, a)
	d := n.add("d", []float64{0.9, 0.5, 0.6, 0.1}, b, c)
	for _, e := range []map[model.VarID]int{{d: 0}, {a: 0, d: 0}} {
		list, err := edgedel.Rank(n.Model, e)
		if err != nil {
			t.Fatal(err)
		}
		if len(list) != 1 {
			t.Fatalf("%d edges close loops; want 1", len(list))
		}
		if _, cut := e[a]; cut != (list[0].Information < 1e-12) {
			t.Errorf("evidence %v: information %v", e, list[0].Information)
		}
	}
}
