package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// oracleTolerance is the largest difference from the numbers of another program, which normalises
// messages and prints marginals with 12 digits.
const oracleTolerance = 1e-9

// oracleRow is a line of the other program's answers.
type oracleRow struct {
	ID        int                           `json:"id"`
	Evidence  map[string]string             `json:"evidence"`
	LogP      *float64                      `json:"logp"`
	Marginals map[string]map[string]float64 `json:"marginals"`
	MPE       map[string]chosen             `json:"mpe"`
	MPELogP   *float64                      `json:"mpe_logp"`
	Error     string                        `json:"error"`
}

// chosen is the name of the state of a variable in a completion, or the value of a real one as
// text.
type chosen string

// UnmarshalJSON reads a name or a number.
func (c *chosen) UnmarshalJSON(data []byte) error {
	if len(data) > 0 && data[0] != '"' {
		*c = chosen(data)
		return nil
	}
	return json.Unmarshal(data, (*string)(c))
}

// oracleNetworks are the networks with stored answers. Those marked long run in long tests only.
var oracleNetworks = []struct {
	name                    string
	tree, circuit, compiled bool // whether the test of that name takes it
	long                    bool
}{
	{"asia", true, true, true, false},
	{"sachs", true, true, false, false},
	{"child", true, true, false, false},
	{"alarm", true, true, true, false},
	{"insurance", true, true, false, false},
	{"hailfinder", true, true, false, false},
	{"hepar2", true, true, false, false},
	{"win95pts", true, true, false, false},
	{"cancer", true, true, false, true},
	{"water", true, true, true, true},
	{"barley", true, false, false, true},
	{"diabetes", true, false, false, true},
	{"pigs", true, true, true, true},
	{"munin", true, true, false, true},
	{"munin2", true, true, true, true},
	{"munin3", true, true, false, true},
	{"munin4", true, true, false, true},
}

// TestOracle compares the answers of clique trees and of circuits with stored ones: sums, maxima
// and traced states.
func TestOracle(t *testing.T) {
	for _, n := range oracleNetworks {
		if n.tree {
			oracle(t, n.name+"/jointree", n.name, n.long, "--method", "jointree")
		}
		if n.circuit {
			oracle(t, n.name+"/circuit", n.name, n.long, "--method", "circuit", "--max-mem", "6GiB")
		}
	}
}

// TestOracleCompiled compares the answers of packages with stored ones. A long test takes all
// networks except the largest.
func TestOracleCompiled(t *testing.T) {
	for _, n := range oracleNetworks {
		if n.compiled || !n.long {
			oracle(t, n.name, n.name, n.long || !n.compiled, "--engine", "compiled")
		}
	}
}

// TestOracleBounds asks for bounds of stored posteriors with so little memory that tables are
// split. A short test takes one row of two networks, a long one three of every network.
func TestOracleBounds(t *testing.T) {
	for _, n := range oracleNetworks {
		t.Run(n.name, func(t *testing.T) {
			count := 3
			if !irtest.Long(t) {
				if count = 1; n.name != "alarm" && n.name != "insurance" {
					t.Skip("a long test")
				}
			}
			shared := irtest.Shared(t)
			for _, want := range readOracle(t, filepath.Join(shared, "oracle", n.name+".jsonl.gz"))[:count] {
				compareBounds(t, filepath.Join(shared, "data", "bif", n.name+".bif.gz"), &want)
			}
		})
	}
}

// compareBounds compares bounds of posteriors given the evidence of a row with those of the row.
func compareBounds(t *testing.T, path string, want *oracleRow) {
	args := []string{"query", path, "--rows", "asis", "--quiet", "--method", "bound", "--max-mem", "32KiB", "--all", "--json", "--timeout", limit(t, "5s")}
	for name, state := range want.Evidence {
		args = append(args, "--evidence", strconv.Quote(name)+"="+strconv.Quote(state))
	}
	var out, stderr bytes.Buffer
	if code := run(args, nil, &out, &stderr); code != cli.ExitDone {
		t.Fatalf("row %d: exit code %d\n%s", want.ID, code, &stderr)
	}
	type marginals map[string]map[string]float64
	var got struct {
		Marginals   marginals
		Certificate struct {
			Marginals struct {
				Lower, Upper marginals
				Widest       float64
			}
		}
	}
	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	bounds := got.Certificate.Marginals
	for name, list := range want.Marginals {
		for s, p := range list {
			low, ok := bounds.Lower[name][s]
			if high := bounds.Upper[name][s]; !ok || p < low-oracleTolerance || p > high+oracleTolerance || got.Marginals[name][s] < low || got.Marginals[name][s] > high {
				t.Errorf("row %d: P(%s=%s) is %v, estimated %v; the bounds are %v and %v", want.ID, name, s, p, got.Marginals[name][s], low, high)
			}
		}
	}
	t.Logf("row %d: the widest bounds are %v apart", want.ID, bounds.Widest)
}

// oracle compares the answers about a network in a subtest.
func oracle(t *testing.T, test, network string, long bool, flags ...string) {
	t.Run(test, func(t *testing.T) {
		if long {
			irtest.SkipUnlessLong(t)
		}
		compareOracle(t, network, flags...)
	})
}

// compareOracle runs a batch of a network's stored evidence and compares the answers with the
// stored ones.
func compareOracle(t *testing.T, name string, flags ...string) {
	shared := irtest.Shared(t)
	path := filepath.Join(shared, "data", "bif", name+".bif.gz")
	want := readOracle(t, filepath.Join(shared, "oracle", name+".jsonl.gz"))
	var in, out, stderr bytes.Buffer
	for _, row := range want {
		line, err := json.Marshal(map[string]any{"id": row.ID, "evidence": row.Evidence})
		if err != nil {
			t.Fatal(err)
		}
		in.Write(append(line, '\n'))
	}
	args := append([]string{"query", path, "--rows", "asis", "--quiet", "--batch", "-"}, flags...)
	if code := run(args, &in, &out, &stderr); code != cli.ExitDone {
		t.Fatalf("exit code %d\n%s", code, &stderr)
	}
	m, list := format.Read(compiler.Formats, path, "", format.ReadOptions{})
	if err := list.Err(); err != nil {
		t.Fatal(err)
	}
	dec := json.NewDecoder(&out)
	for _, w := range want {
		var got oracleRow
		if err := dec.Decode(&got); err != nil {
			t.Fatal(err)
		}
		if got.ID != w.ID || got.Error != "" {
			t.Fatalf("row %d: id %d, error %q", w.ID, got.ID, got.Error)
		}
		compareRow(t, m, &got, &w)
	}
}

func readOracle(t *testing.T, path string) []oracleRow {
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	text, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	var list []oracleRow
	dec := json.NewDecoder(bufio.NewReader(text))
	for dec.More() {
		var row oracleRow
		if err := dec.Decode(&row); err != nil {
			t.Fatal(err)
		}
		list = append(list, row)
	}
	return list
}

func compareRow(t *testing.T, m *model.Model, got, want *oracleRow) {
	near := func(what string, g, w float64) {
		if !(math.Abs(g-w) <= oracleTolerance*math.Max(1, math.Abs(w))) {
			t.Errorf("row %d: %s is %v; want %v", want.ID, what, g, w)
		}
	}
	near("logp", *got.LogP, *want.LogP)
	near("mpe_logp", *got.MPELogP, *want.MPELogP)
	state := make([]int, len(m.Vars))
	for i, v := range m.Vars {
		for _, s := range m.States(v.ID) {
			p, ok := got.Marginals[v.Name][s]
			if !ok {
				p = math.NaN()
			}
			near("P("+v.Name+"="+s+")", p, want.Marginals[v.Name][s])
		}
		s, ok := m.StateByName(v.ID, string(got.MPE[v.Name]))
		if !ok {
			t.Fatalf("row %d: the completion has %q in state %q", want.ID, v.Name, got.MPE[v.Name])
		}
		if e, seen := want.Evidence[v.Name]; seen && e != string(got.MPE[v.Name]) {
			t.Errorf("row %d: the completion has %q in state %q; observed was %q", want.ID, v.Name, got.MPE[v.Name], e)
		}
		state[i] = s
	}
	own := 0.0
	for _, f := range m.Factors {
		own += math.Log(m.Value(f, state))
	}
	near("probability of the completion", own, *got.MPELogP)
}
