package learnertest

import (
	"math"
	"path/filepath"
	"testing"

	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/data/rowfile"
	"github.com/pgmc-go/pgmc/learn/rate"
)

// Load reads a data set of the shared collection in the format of Libra. The path starts in its
// folder data.
func Load(t *testing.T, path ...string) *data.Set {
	t.Helper()
	s, err := rowfile.Load(filepath.Join(append([]string{irtest.Shared(t), "data"}, path...)...), rowfile.Libra, rowfile.LoadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Table reads a table of the shared collection, with the given columns of real numbers.
func Table(t *testing.T, name string, real ...string) *data.Set {
	t.Helper()
	s, err := rowfile.Load(filepath.Join(irtest.Shared(t), "data", "tables", name), rowfile.Auto, rowfile.LoadOptions{Real: real})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// DEBD reads a part of one of the data sets for density estimation: train, valid or test.
func DEBD(t *testing.T, set, part string) *data.Set {
	t.Helper()
	return Load(t, "debd", set+"."+part+".data.gz")
}

// LogLikelihood returns the mean log-likelihood of a set under a network that sums to 1, in nats
// per row.
func LogLikelihood(t *testing.T, m *model.Model, s *data.Set) float64 {
	t.Helper()
	return mean(t, m, s, (*rate.Rows).Log)
}

// PseudoLogLikelihood returns the mean pseudo-log-likelihood of a set, in nats per row.
func PseudoLogLikelihood(t *testing.T, m *model.Model, s *data.Set) float64 {
	t.Helper()
	return mean(t, m, s, (*rate.Rows).Pseudo)
}

func mean(t *testing.T, m *model.Model, s *data.Set, log func(*rate.Rows, []int) float64) float64 {
	t.Helper()
	rows, err := rate.NewRows(m)
	if err != nil {
		t.Fatal(err)
	}
	var mean rate.Mean
	row := make([]int, len(s.Vars))
	for i := range s.Len() {
		s.Row(i, row)
		mean.Add(log(rows, row), s.Weight(i))
	}
	return mean.Value
}

// SameCircuit checks that a network and a circuit are equal at all joint states, and sum to 1.
func SameCircuit(t *testing.T, net, circuit *model.Model) {
	t.Helper()
	x, total := make([]int, len(net.Vars)), 0.0
	all := circuit.Factors[0].Scope
	for more := true; more; more = net.Next(all, x) {
		want := 1.0
		for _, f := range net.Factors {
			want *= net.Value(f, x)
		}
		got := circuit.Value(circuit.Factors[0], x)
		if math.Abs(got-want) > 1e-12 {
			t.Fatalf("at %v the circuit is %v, and the network %v", x, got, want)
		}
		total += got
	}
	if math.Abs(total-1) > 1e-12 {
		t.Errorf("the circuit sums to %v; want 1", total)
	}
}

// Columns returns the set with some of its variables, in the given order. It has no missing values.
func Columns(t *testing.T, s *data.Set, names ...string) *data.Set {
	t.Helper()
	var vars []data.Var
	rows := make([][]float64, s.Len())
	for _, name := range names {
		v, err := data.Find(s.Vars, name)
		if err != nil {
			t.Fatal(err)
		}
		vars = append(vars, s.Vars[v])
		column := s.Column(v)
		for i := range rows {
			x := float64(column.At(i))
			if s.Vars[v].Real {
				x = s.Real(v)[i]
			}
			rows[i] = append(rows[i], x)
		}
	}
	out, err := data.NewReal(vars, rows, s.Weights())
	if err != nil {
		t.Fatal(err)
	}
	return out
}
