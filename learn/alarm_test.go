package learn_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/data/rowfile"
	"github.com/pgmc-go/pgmc/learn/internal/graph"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/learnertest"
	"github.com/pgmc-go/pgmc/learn/rate"
)

// fullNames maps the short names of alarm's variables in the rows of R's bnlearn to those of the
// BIF file.
var fullNames = map[string]string{
	"HIST": "HISTORY", "HYP": "HYPOVOLEMIA", "LVV": "LVEDVOLUME", "LVF": "LVFAILURE", "STKV": "STROKEVOLUME", "ERLO": "ERRLOWOUTPUT", "HREK": "HREKG",
	"ERCA": "ERRCAUTER", "HRSA": "HRSAT", "ANES": "INSUFFANESTH", "APL": "ANAPHYLAXIS", "ECO2": "EXPCO2", "KINK": "KINKEDTUBE", "MINV": "MINVOL",
	"PVS": "PVSAT", "PMB": "PULMEMBOLUS", "SHNT": "SHUNT", "INT": "INTUBATION", "PRSS": "PRESS", "DISC": "DISCONNECT", "MVS": "MINVOLSET",
	"VMCH": "VENTMACH", "VTUB": "VENTTUBE", "VLNG": "VENTLUNG", "VALV": "VENTALV", "ACO2": "ARTCO2", "CCHL": "CATECHOL",
}

// network37 returns the network alarm.
func network37(t *testing.T) *model.Model {
	t.Helper()
	m, list := format.Read(compiler.Formats, filepath.Join(irtest.Shared(t), "data", "bif", "alarm.bif.gz"), "", format.ReadOptions{})
	if list.HasErrors() {
		t.Fatal(list.Err())
	}
	return m
}

// alarm returns the 20,000 rows that come with R's bnlearn, and the structure from which they were
// drawn.
func alarm(t *testing.T) (*data.Set, [][]int) {
	t.Helper()
	s, err := rowfile.Load(filepath.Join(irtest.Shared(t), "data", "tables", "bnlearn-alarm.csv.gz"), rowfile.CSV, rowfile.LoadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range s.Vars {
		if full, ok := fullNames[v.Name]; ok {
			s.Vars[i].Name = full
		}
	}
	truth := data.Parents(network37(t), s.Vars)
	edges := 0
	for _, p := range truth {
		edges += len(p)
	}
	if edges != 46 {
		t.Fatalf("the structure has %d edges; want 46", edges)
	}
	return s, truth
}

// distance returns the structural Hamming distance between the classes of the learned and of the
// true structure.
func distance(t *testing.T, s *data.Set, truth [][]int, algo string, args ...string) (rate.Distance, *learner.Result) {
	t.Helper()
	l, err := learn.Find(algo)
	if err != nil {
		t.Fatal(err)
	}
	r := learnertest.Learn(t, *l, &learner.Job{Train: s, Cores: 2, Seed: 1}, args...)
	return rate.CompareStructures(truth, data.Parents(r.Models[0], s.Vars)), r
}

// The structural Hamming distances from the class of alarm of learners on those 20,000 rows. They
// are the distances when this test was written, so that the test finds a search that became worse.
func TestAlarm(t *testing.T) {
	s, truth := alarm(t)
	for _, c := range []struct {
		algo string
		args []string
		shd  int
	}{
		{"boss", nil, 24},
		{"auto", nil, 5},
		{"boss", []string{"-restarts", "10"}, 5},
		{"ges", nil, 24},
		{"ges", []string{"-score", "bic"}, 22},
		{"pc", nil, 3},
		{"pc", []string{"-test", "chi2", "-alpha", "0.01"}, 4},
		{"average", []string{"-candidates", "12", "-samples", "20"}, 7},
		{"hillclimb", []string{"-tabu", "10"}, 22},
	} {
		if d, r := distance(t, s, truth, c.algo, c.args...); d.SHD > c.shd {
			t.Errorf("%s %v: %+v, %s %.4f; want a distance of %d at most", c.algo, c.args, d, r.Report.Score, r.Report.Total, c.shd)
		}
	}
}

// The same 5,000 rows of alarm with their columns in five orders give the same network.
func TestOrders(t *testing.T) {
	irtest.SkipUnlessLong(t)
	for _, c := range []struct {
		algo string
		args []string
	}{
		{"hillclimb", []string{"-score", "bic", "-max-parents", "10"}},
		{"hillclimb", []string{"-score", "bic", "-tabu", "10"}},
		{"hillclimb", []string{"-restarts", "2", "-perturb", "1"}},
		{"ges", []string{"-score", "bic", "-max-parents", "10"}},
		{"pc", nil},
		{"order", []string{"-score", "bic", "-candidates", "12", "-restarts", "2"}},
		{"chowliu", nil},
		{"treebn", nil},
	} {
		var first *learner.Result
		for k := 1; k <= 5; k++ {
			s, err := rowfile.Load(filepath.Join(irtest.Shared(t), "data", "order", fmt.Sprintf("alarm-5000-order%d.csv.gz", k)), rowfile.CSV, rowfile.LoadOptions{})
			if err != nil {
				t.Fatal(err)
			}
			l, err := learn.Find(c.algo)
			if err != nil {
				t.Fatal(err)
			}
			r := learnertest.Learn(t, *l, &learner.Job{Train: s, Cores: 2, Seed: 1}, c.args...)
			if first == nil {
				first = r
			}
			vars := first.Models[0].Vars
			names := make([]data.Var, len(vars))
			for v, x := range vars {
				names[v].Name = x.Name
			}
			if d := rate.CompareStructures(data.Parents(first.Models[0], names), data.Parents(r.Models[0], names)); d.SHD != 0 || r.Report.Total != first.Report.Total {
				t.Errorf("%s %v, order %d: score %v at a distance of %d from order 1; want %v", c.algo, c.args, k, r.Report.Total, d.SHD, first.Report.Total)
			}
		}
	}
}

// From 100,000 rows drawn from alarm, ges finds its class except for two edges at most.
func TestLarge(t *testing.T) {
	m := network37(t)
	s := drawn(t, m, 100_000)
	if d, _ := distance(t, s, data.Parents(m, s.Vars), "ges"); d.SHD > 2 {
		t.Errorf("%+v; want a distance of 2 at most", d)
	}
}

// drawn returns rows drawn from a network of tables, parents first.
func drawn(t *testing.T, m *model.Model, n int) *data.Set {
	t.Helper()
	rng := rand.New(rand.NewPCG(37, 46))
	var vars []data.Var
	factors := make([]*model.Factor, len(m.Vars))
	for _, v := range m.Vars {
		vars = append(vars, data.Var{Name: v.Name, States: m.States(v.ID)})
	}
	for _, f := range m.Factors {
		factors[f.ChildVar()] = f
	}
	order := graph.Order(data.Parents(m, vars))
	rows := make([][]int, n)
	for i := range rows {
		row := make([]int, len(vars))
		for _, v := range order {
			u := rng.Float64()
			for k := range vars[v].States {
				row[v] = k
				if u -= entry(m, factors[v], row); u < 0 {
					break
				}
			}
		}
		rows[i] = row
	}
	return learnertest.New(t, vars, rows, nil)
}

// entry returns the index in a table for the states of a row; the last variable of the scope varies
// fastest.
func entry(m *model.Model, f *model.Factor, row []int) float64 {
	at := 0
	for _, v := range f.Scope {
		at = at*m.Card(v) + row[v]
	}
	return f.Dist.(*model.Table).Values[at]
}
