package clg_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// shortNetworks are the shared networks that a short test takes: those whose rationals stay small.
var shortNetworks = []string{"healthcare", "bnrep-building", "bnrep-turbine2", "bnrep-algal2", "bnrep-healthinsurance"}

// TestShared compares answers with exact rationals on the networks of the reference data. Evidence
// is of one sample, on none, some and many of the variables.
func TestShared(t *testing.T) {
	dir := irtest.Shared(t)
	for _, folder := range []string{"gauss", "clg"} {
		files, err := filepath.Glob(filepath.Join(dir, "data", folder, "*.json"))
		if err != nil || len(files) == 0 {
			t.Fatalf("no networks in %s (%v)", folder, err)
		}
		for _, file := range files {
			name := strings.TrimSuffix(filepath.Base(file), ".json")
			t.Run(name, func(t *testing.T) {
				if !slices.Contains(shortNetworks, name) {
					irtest.SkipUnlessLong(t)
				}
				m, list := format.Read(compiler.Formats, file, "bnlearn", format.ReadOptions{})
				if list.HasErrors() {
					t.Fatal(list.Err())
				}
				shared(t, m)
			})
		}
	}
}

func shared(t *testing.T, m *model.Model) {
	began := time.Now()
	s := compile(t, m, "marginals")
	compiled := time.Since(began)
	for k, share := range []float64{0, .1, .5} {
		s.check(t, irtest.HybridEvidence(uint64(k), m, share))
	}
	t.Logf("%d variables; compiled in %v, checked in %v", len(m.Vars), compiled, time.Since(began)-compiled)
}

// TestHealthcare compares answers with exact rationals for every subset of the variables of a
// network in which some rows are functions.
func TestHealthcare(t *testing.T) {
	file := filepath.Join(irtest.Shared(t), "data", "clg", "healthcare.json")
	m, list := format.Read(compiler.Formats, file, "bnlearn", format.ReadOptions{})
	if list.HasErrors() {
		t.Fatal(list.Err())
	}
	s := compile(t, m, "marginals")
	functions := 0
	for subset := range 1 << len(m.Vars) {
		e := irtest.HybridEvidence(uint64(subset), m, 1)
		for v := range m.Vars {
			if subset>>v&1 == 0 {
				delete(e.States, model.VarID(v))
				delete(e.Reals, model.VarID(v))
			}
		}
		s.check(t, e)
		if h, err := brute.NewHybrid(s.m, e); err == nil {
			functions += h.Functions
		}
	}
	if functions == 0 {
		t.Error("no value is determined by others; want some")
	}
}
