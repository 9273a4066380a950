package compiler_test

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// TestHybridAnswers reads the shared networks with real variables and compares their posteriors in
// exact arithmetic with published ones and with those of another enumeration. It checks readers: a
// deviation taken for a variance, or rows in another order, give other numbers.
func TestHybridAnswers(t *testing.T) {
	dir := filepath.Join(irtest.Shared(t), "data", "hybrid")
	text, err := os.ReadFile(filepath.Join(dir, "answers.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	models, posteriors, count := map[string]*model.Model{}, map[string]*brute.Hybrid{}, 0
	compiled := map[string]*compiler.Result{}
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n")[1:] {
		field := strings.Split(line, "\t")
		file, evidence, quantity := field[0], field[1], field[2]
		if models[file] == nil {
			m, list := format.Read(compiler.Formats, filepath.Join(dir, filepath.FromSlash(file)), "", format.ReadOptions{})
			if err := list.Err(); err != nil {
				t.Fatal(err)
			}
			models[file] = m
		}
		m := models[file]
		if len(m.Reals()) == 0 {
			continue
		}
		key := file + "|" + evidence
		if posteriors[key] == nil {
			h, err := brute.NewHybrid(m, parsed(t, m, evidence))
			if err != nil {
				t.Fatal(err)
			}
			posteriors[key] = h
		}
		if compiled[file] == nil {
			if compiled[file], err = compiler.Compile(t.Context(), m, compiler.Options{Queries: []string{"marginals"}, Check: true}); err != nil {
				t.Fatal(err)
			}
		}
		count++
		tol := 2e-9 // printed digits
		if x, err := strconv.ParseFloat(strings.Split(field[4], ",")[0], 64); err == nil {
			tol = x
		}
		got := answered(t, posteriors[key], quantity)
		program := answeredBy(t, compiled[file], parsed(t, m, evidence), quantity)
		values := strings.Fields(strings.ReplaceAll(field[3], ",", " "))
		if len(values) != len(got) {
			t.Fatalf("%s: %d values; want %d", line, len(got), len(values))
		}
		for i, s := range values {
			want, err := strconv.ParseFloat(s, 64)
			if err != nil || !irtest.Near(got[i], want, tol) || !irtest.Near(program[i], want, tol) {
				t.Errorf("%s: %v and %v; want %v", line, got[i], program[i], s)
			}
		}
	}
	if count < 70 {
		t.Errorf("compared %d answers; want at least 70", count)
	}
}

// answeredBy is answered by a compiled program.
func answeredBy(t *testing.T, r *compiler.Result, e brute.HybridEvidence, quantity string) []float64 {
	t.Helper()
	mc := eval.New(r.Program, r.Model)
	for v := range r.Model.Vars {
		v, err := model.VarID(v), error(nil)
		if x, ok := e.Reals[v]; ok {
			err = mc.ObserveReal(v, x)
		} else if s, ok := e.States[v]; ok {
			err = mc.Observe(v, s)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	entry := &r.Program.Entries[0]
	if err := mc.Run(entry); err != nil {
		t.Fatal(err)
	}
	if quantity == "ln p(evidence)" {
		return []float64{mc.LogP()}
	}
	what, name, ok := strings.Cut(quantity, " of ")
	if !ok {
		name, _, _ = strings.Cut(strings.TrimPrefix(quantity, "P("), ") = ")
	}
	v, _ := r.Model.VarByName(name)
	for i, id := range entry.Outs {
		if r.Program.Spans[id].Var != v.ID {
			continue
		}
		out := slices.Clone(mc.Posterior(i))
		if strings.HasSuffix(what, "deviation") {
			out[1] = math.Sqrt(out[1])
		}
		return out
	}
	t.Fatalf("no answer for %s", quantity)
	return nil
}

// parsed returns evidence such as "Type=industrial, Light=1.1".
func parsed(t *testing.T, m *model.Model, text string) brute.HybridEvidence {
	t.Helper()
	e := brute.HybridEvidence{States: map[model.VarID]int{}, Reals: map[model.VarID]float64{}}
	for _, item := range strings.Split(text, ", ") {
		name, value, ok := strings.Cut(item, "=")
		if !ok {
			continue
		}
		v, _ := m.VarByName(name)
		x, err := v.Domain.Parse(value)
		if err != nil {
			t.Fatal(err)
		}
		if m.IsReal(v.ID) {
			e.Reals[v.ID] = x.Real
		} else {
			e.States[v.ID] = x.State
		}
	}
	return e
}

// answered returns the numbers of "ln p(evidence)", "mean, variance of X" or "P(X) = a, b".
func answered(t *testing.T, h *brute.Hybrid, quantity string) []float64 {
	t.Helper()
	if quantity == "ln p(evidence)" {
		return []float64{h.LogDensity}
	}
	if what, name, ok := strings.Cut(quantity, " of "); ok {
		v, _ := h.Model.VarByName(name)
		mean, variance := h.Moments(v.ID)
		if strings.HasSuffix(what, "deviation") {
			variance = math.Sqrt(variance)
		}
		return []float64{mean, variance}
	}
	name, states, _ := strings.Cut(strings.TrimPrefix(quantity, "P("), ") = ")
	v, ok := h.Model.VarByName(name)
	if !ok || !slices.Equal(strings.Split(states, ", "), h.Model.States(v.ID)) {
		t.Fatalf("%s: states %q", quantity, h.Model.States(v.ID))
	}
	return h.Posterior(v.ID)
}
