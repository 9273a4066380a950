package topdown_test

import (
	"compress/gzip"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/compiler/method/circuit"
	"github.com/pgmc-go/pgmc/compiler/method/topdown"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// row is a row of the reference answers.
type row struct {
	Evidence map[string]string `json:"evidence"`
	LogP     float64           `json:"logp"`
}

// oracle returns the rows of the reference answers about a network.
func oracle(t *testing.T, name string) []row {
	t.Helper()
	f, err := os.Open(filepath.Join(irtest.Shared(t), "oracle", name+".jsonl.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var rows []row
	for d := json.NewDecoder(z); d.More(); {
		var r row
		if err := d.Decode(&r); err != nil {
			t.Fatal(err)
		}
		rows = append(rows, r)
	}
	return rows
}

// TestOracle counts what evidence leaves of each network of the reference answers: the weight of
// all joint states that agree with it, from the top and by elimination on what is not zero. Both
// are that of the junction tree of another program. Networks too wide to be compiled from the top
// whole have the rows with most evidence.
func TestOracle(t *testing.T) {
	for _, c := range []struct {
		name  string
		rows  []int
		short bool
	}{
		{"asia", []int{0, 19}, true}, {"cancer", []int{0, 19}, true}, {"sachs", []int{0, 19}, true}, {"child", []int{0, 19}, true},
		{"alarm", []int{0, 1, 14, 19}, true}, {"hailfinder", []int{1, 19}, true}, {"win95pts", []int{1, 19}, true},
		{"hepar2", []int{19}, true}, {"insurance", []int{1, 14, 19}, false}, {"water", []int{14, 19}, false},
		{"barley", []int{17, 18, 19}, false}, {"diabetes", []int{17, 18, 19}, false}, {"pigs", []int{14, 17, 18, 19}, false},
		{"munin", []int{17, 18, 19}, false}, {"munin2", []int{17, 18, 19}, false}, {"munin3", []int{17, 18, 19}, false}, {"munin4", []int{17, 18, 19}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if !c.short {
				irtest.SkipUnlessLong(t)
			}
			m, rows := read(t, "bif/"+c.name+".bif.gz"), oracle(t, c.name)
			for _, i := range c.rows {
				left := conditioned(t, m, rows[i].Evidence)
				got := weight(t, left, topdown.NewOptions())
				irtest.CloseTo(t, got, weight(t, left, circuit.NewOptions()), 1e-11) // sums of many terms in another order
				irtest.CloseTo(t, got, rows[i].LogP, 1e-9)                           // the digits of the other program
			}
		})
	}
}

// conditioned returns what evidence leaves of m.
func conditioned(t *testing.T, m *model.Model, evidence map[string]string) *model.Model {
	t.Helper()
	state := make([]int, len(m.Vars))
	for i, v := range m.Vars {
		state[i] = -1
		if s, ok := evidence[v.Name]; ok {
			for k, name := range m.States(v.ID) {
				if name == s {
					state[i] = k
				}
			}
		}
	}
	left, err := m.Condition(state, 1<<24)
	if err != nil {
		t.Fatal(err)
	}
	return left
}

// weight returns ln of the sum of the product of the factors of m.
func weight(t *testing.T, m *model.Model, by method.Options) float64 {
	t.Helper()
	r, err := compiler.Compile(t.Context(), m, compiler.Options{Method: by, Queries: []string{"logprob"}, Unnormalised: true, MaxMem: 8 << 30})
	if err != nil {
		t.Fatal(err)
	}
	t.Log(r.Note)
	machine := eval.New(r.Program, r.Model)
	if err := machine.Run(r.Program.Entry("logprob")); err != nil {
		t.Fatal(err)
	}
	return machine.LogP()
}
