package formattest_test

import (
	"fmt"
	"math"
	"runtime"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/internal/format/formattest"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// chain returns a network a -> b with P(b = x | a = x) = p.
func chain(p float64) *model.Model {
	m := &model.Model{Name: "chain"}
	a, b := m.NewVar("a", "x", "y"), m.NewVar("b", "x", "y")
	m.Factors = []*model.Factor{
		{Scope: []model.VarID{a.ID}, Dist: &model.Table{Values: []float64{0.25, 0.75}}},
		{Scope: []model.VarID{a.ID, b.ID}, Child: 1, Dist: &model.Table{Values: []float64{p, 1 - p, 0.5, 0.5}}},
	}
	return m
}

func TestDiff(t *testing.T) {
	for name, change := range map[string]func(*model.Model){
		"name":   func(m *model.Model) { m.Name = "other" },
		"states": func(m *model.Model) { m.Vars[1].Domain = model.Discrete{States: []string{"y", "x"}} },
		"latent": func(m *model.Model) { m.Vars[1].Latent = true },
		"order":  func(m *model.Model) { m.Factors[0], m.Factors[1] = m.Factors[1], m.Factors[0] },
		"tree": func(m *model.Model) {
			m.Factors[1].Dist = &model.Tree{Nodes: []model.TreeNode{{Axis: 0, Next: []int32{1, 2}}, {Leaf: []float64{1, 0}}, {Leaf: []float64{0.25, 0.75}}}}
		},
		"number": func(m *model.Model) {
			m.Factors[1].Dist = &model.Table{Values: []float64{1, 0, 0.5, math.Nextafter(0.5, 1)}}
		},
	} {
		m := chain(1)
		if diff := formattest.Diff(m, chain(1)); diff != "" {
			t.Fatalf("equal models: %s", diff)
		}
		change(m)
		if formattest.Diff(m, chain(1)) == "" {
			t.Errorf("no difference found after a change of %s", name)
		}
	}
	same := chain(1)
	same.Factors[1].Dist = &model.Tree{Nodes: []model.TreeNode{{Axis: 0, Next: []int32{1, 2}}, {Leaf: []float64{1, 0}}, {Leaf: []float64{0.5, 0.5}}}}
	if diff := formattest.Diff(chain(1), same); diff != "" {
		t.Errorf("a tree that became a table: %s", diff)
	}
}

func TestJoint(t *testing.T) {
	joint := formattest.NewJoint(t, chain(0.5))
	if got := joint.Posterior(t, "a", "x", map[string]string{"b": "y"}); got != 0.25 {
		t.Errorf("P(a=x | b=y) = %v; want 0.25, for they are independent", got)
	}
	joint = formattest.NewJoint(t, chain(1))
	if got := joint.Posterior(t, "a", "x", map[string]string{"b": "y"}); got != 0 {
		t.Errorf("P(a=x | b=y) = %v; want 0", got)
	}
}

// TestLoss writes a network in formats that lose names, with and without a report of it.
func TestLoss(t *testing.T) {
	formats := map[string]format.Format{
		"honest":   lossy(true, 0.25),
		"silent":   lossy(false, 0.25),
		"careless": lossy(true, 0.5),
	}
	for name, wantOK := range map[string]bool{"honest": true, "silent": false, "careless": false} {
		rec := &recorder{TB: t}
		done := make(chan struct{})
		go func() { // Fatalf ends the goroutine
			defer close(done)
			formattest.RoundTrip(rec, formats[name], chain(1))
		}()
		<-done
		if wantOK == rec.failed {
			t.Errorf("%s: failed %v", name, rec.failed)
		}
	}
}

// lossy returns a format that holds nothing: whatever was written, it reads a network like chain
// with other names, in which a has state 0 with probability p.
func lossy(says bool, p float64) format.Format {
	return format.Format{
		Name: "lossy",
		Exts: []string{".lossy"},
		Read: func(*format.Source, format.ReadOptions) (*model.Model, diag.List) {
			m := chain(1)
			m.Name = ""
			for i, v := range m.Vars {
				v.Name, v.Domain = fmt.Sprint("x", i), model.Discrete{States: []string{"0", "1"}}
			}
			m.Factors[0].Dist = &model.Table{Values: []float64{p, 1 - p}}
			return m, diag.List{}
		},
		Write: func(out *format.Sink, m *model.Model) error {
			out.Add(out.Name)
			if says && m.Name != "" {
				out.Warn("names: %s has none", "lossy")
			}
			return nil
		},
	}
}

// recorder records a failure instead of failing.
type recorder struct {
	testing.TB
	failed bool
}

func (r *recorder) Fatalf(string, ...any) {
	r.failed = true
	runtime.Goexit()
}
