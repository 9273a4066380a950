package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// TestScoreRows compares scores of 1 to 9 and of 1023 rows of Asia, some with missing cells, with
// brute force. Batches of 8 lanes are partly filled.
func TestScoreRows(t *testing.T) {
	m := irtest.Asia()
	joint, err := brute.New(m)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 9))
	for _, n := range []int{1, 7, 8, 9, 1023} {
		var text strings.Builder
		var names []string
		for _, v := range m.Vars {
			names = append(names, v.Name)
		}
		fmt.Fprintln(&text, strings.Join(names, ","))
		sum := 0.0
		for range n {
			e := brute.Evidence{Hard: map[model.VarID]int{}}
			cells := make([]string, len(m.Vars))
			for v := range m.Vars { // no observation contradicts another: either is the or of tub and lung, and is left out
				if id := model.VarID(v); r.IntN(2) == 0 && m.Vars[v].Name != "either" {
					e.Hard[id] = r.IntN(2)
					cells[v] = m.States(id)[e.Hard[id]]
				}
			}
			fmt.Fprintln(&text, strings.Join(cells, ","))
			sum += joint.LogProb(e)
		}
		file := filepath.Join(t.TempDir(), "rows.csv")
		if err := os.WriteFile(file, []byte(text.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		var out, errs bytes.Buffer
		if code := run([]string{"score", filepath.Join(irtest.ModuleRoot(t), "testdata/models/asia.bif"), file, "--json"}, nil, &out, &errs); code != 0 {
			t.Fatalf("%d rows: exit %d: %s", n, code, errs.String())
		}
		var got struct {
			Rows int
			LL   float64
		}
		if err := json.Unmarshal(out.Bytes(), &got); err != nil {
			t.Fatal(err)
		}
		if want := sum / float64(n); got.Rows != n || math.Abs(got.LL-want) > 1e-12*math.Abs(want) {
			t.Errorf("%d rows: %d with mean %v; want %v", n, got.Rows, got.LL, want)
		}
	}
}
