package codegen_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/codegen"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/compilertest"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// TestRandomPackages emits random models with each back-end, all in one program, and compares the
// answers of the packages with brute force. No query may allocate.
func TestRandomPackages(t *testing.T) {
	if testing.Short() {
		t.Skip("builds hundreds of packages")
	}
	backends := []string{"auto", codegen.Assembly, laneBatches, nestBatches}
	for _, b := range codegen.Backends {
		backends = append(backends, b.Name)
	}
	for i, b := range backends {
		t.Run(b, func(t *testing.T) {
			short, long := 6, 500
			if b == "auto" || b == laneBatches || b == nestBatches {
				short, long = 5, 20
			}
			randomPackages(t, b, uint64(1000*i), irtest.Cases(t, short, long))
		})
	}
}

// These are "auto" with all batches in lanes, or as loop nests in lanes.
const (
	laneBatches = "lane batches"
	nestBatches = "nest batches"
)

func randomPackages(t *testing.T, backend string, seed uint64, cases []uint64) {
	h := newHarness(t)
	var asked []*further
	for _, i := range cases {
		m := irtest.RandomModel(seed+i, irtest.Options{MaxJoint: 1 << 10})
		if i == 0 {
			m = &model.Model{Name: "empty"} // this is a distribution too
		}
		opt := compiler.Options{Rows: model.RowsAsIs, Steps: 100}
		var trial compilertest.Trial
		if i%4 == 0 && m.Kind == model.Bayes || i%8 == 1 {
			opt.Params = ir.Var
		}
		if i%2 == 0 {
			trial.Chunk = 8 // many blocks
		}
		if backend == "vector" || i%5 == 2 {
			trial.Lay = 1 // however small
		}
		opt.Queries = []string{"marginals", "posteriors", "logprob", "mpe", "sample"}
		if opt.Params == ir.Var && len(m.Factors) > 0 {
			opt.Queries = append(opt.Queries, "gradient", "sensitivity")
		}
		if i%2 == 1 {
			opt.Queries = append(opt.Queries, "maxmarginals")
		}
		if i%3 == 1 {
			opt.Queries = append(opt.Queries, "session")
		}
		if len(m.Vars) > 0 {
			opt.Queries = append(opt.Queries, fmt.Sprintf("kmpe=%d", completionsOf(i)))
			trial.Search = i%5 < 3
		}
		if names := someNames(m, int(i)); names != "" {
			opt.Queries = append(opt.Queries, "map("+names+")")
		}
		f := &further{m: m, rng: rand.New(rand.NewPCG(seed+i, 5)), completions: completionsOf(i), max: i%2 == 1}
		if len(m.Vars) > 0 {
			opt.Queries = append(opt.Queries, f.queries()...)
		}
		asked = append(asked, f)
		switch {
		case i%3 == 2 && backend != "nest":
			opt.Method = compiler.Named("circuit")
		case i%4 == 3:
			opt.Method, opt.Lasting = compiler.Named("jointree", "contract=pairs"), true
		}
		emit := codegen.Options{Backend: backend, Runtime: codegen.RuntimeImport, Types: codegen.TypesShared}
		if i%4 > 1 {
			emit = codegen.WithTables(emit)
		}
		switch backend {
		case laneBatches:
			emit.Backend = "auto"
			emit = codegen.WithLanes(emit)
		case nestBatches:
			emit.Backend = "auto"
			emit = codegen.WithNests(emit)
		}
		h.add(m, opt.Trial(trial), emit)
	}
	h.build()
	for i, m := range h.models {
		joint, err := brute.New(m)
		if err != nil {
			t.Fatal(err)
		}
		for k := range uint64(3) {
			comparePackage(t, h, i, joint, irtest.RandomEvidence(seed+cases[i]*10+k, m), asked[i])
		}
		if t.Failed() {
			t.Fatalf("model of seed %d", seed+cases[i])
		}
	}
}

// comparePackage asks package i about e, and its further questions if it has any.
func comparePackage(t *testing.T, h *harness, i int, joint *brute.Joint, e brute.Evidence, f *further) {
	q := asQuestion(i, joint.Model, e)
	if f.joint != nil {
		f.ask(&q, joint, e)
	}
	r := h.ask(q)
	want := joint.LogProb(e)
	compareRows(t, &r, joint, e)
	if r.Err == pgmrtLikelihood {
		return // more extreme than the program allows, as the error says
	}
	if impossible := math.IsInf(want, -1); impossible || r.Err != "" {
		if !impossible || r.Err != pgmrtImpossible {
			t.Errorf("error %q, but ln P is %v", r.Err, want)
		}
		return
	}
	irtest.CloseTo(t, r.LogP, want, 1e-12)
	irtest.CloseTo(t, r.MarginalP, want, 1e-12)
	for v, p := range joint.Marginals(e) {
		irtest.Close(t, r.Marginals[v], p, 1e-12)
		closePosterior(t, r.Posteriors[v], p)
	}
	logp, best := joint.MPE(e)
	irtest.CloseTo(t, r.BestLogP, logp, 1e-12)
	if !slices.ContainsFunc(best, func(s []int) bool { return slices.Equal(s, r.Best) }) {
		t.Errorf("mpe: %v is not among %v", r.Best, best)
	}
	if has := r.Max != nil; has != f.max {
		t.Errorf("the package has max-marginals: %v; want %v", has, f.max)
	}
	compareMaxMarginals(t, &r, joint, e)
	if joint.Conditional(e)[joint.Index(r.Sample)] == 0 {
		t.Errorf("sample: %v is impossible", r.Sample)
	}
	if r.Session != nil {
		irtest.CloseTo(t, r.SessionP, want, 1e-12)
		for v, p := range joint.Marginals(e) {
			irtest.Close(t, r.Session[v], p, 1e-12)
		}
	}
	compareBest(t, &r, f.completions, joint, e)
	if r.Gradient != nil {
		compareDerivatives(t, h.passed[i], &r, e)
	}
	if r.Allocs != 0 {
		t.Errorf("queries allocate %v times; want 0", r.Allocs)
	}
	if f.joint != nil {
		f.compare(t, joint, e, &r)
	}
}

// compareMaxMarginals compares the max-marginals of all variables with brute force, if the package
// has them.
func compareMaxMarginals(t *testing.T, r *reply, joint *brute.Joint, e brute.Evidence) {
	t.Helper()
	for v, p := range r.Max {
		best := slices.Max(p)
		for k, log := range joint.MaxMarginal([]model.VarID{model.VarID(v)}, e) {
			irtest.CloseTo(t, math.Exp(r.MaxP)*p[k]/best, math.Exp(log), 1e-12)
			if (p[k] == 0) != math.IsInf(log, -1) {
				t.Errorf("max-marginal: state %d of variable %d has %v; want %v", k, v, p[k], log)
			}
		}
	}
}

// closePosterior compares the numbers of a posterior, none of which may exceed 1, even by rounding.
func closePosterior(t *testing.T, got, want []float64) {
	t.Helper()
	irtest.Close(t, got, want, 1e-12)
	if slices.ContainsFunc(got, func(p float64) bool { return p > 1 }) {
		t.Errorf("the posterior %v has a probability above 1", got)
	}
}

// compareRows checks the answers of batches, in which rows 1, 4, 7 and 10 have no evidence, and row
// 5 has a state that no variable has. LogProbs takes no likelihoods. Equal rows must have equal
// bits in any lane; those that do not fill the lanes may be answered by single queries.
func compareRows(t *testing.T, r *reply, joint *brute.Joint, e brute.Evidence) {
	t.Helper()
	full, none := wantedRow(joint, e), wantedRow(joint, brute.Evidence{})
	for i := range r.Rows.LogProbs {
		want, bad := full, i == 5 && len(joint.Model.Vars) > 0
		if i%3 == 1 {
			want = none
		}
		refused := bad || r.Err == pgmrtLikelihood && i%3 != 1
		compareLogP(t, r.Rows.LogProbs[i], want.hardLogP, bad)
		compareLogP(t, r.Rows.LogPs[i], want.logP, refused)
		if i >= 3 && i < pgmrt.Lanes && !bad && (r.Rows.LogProbs[i] != r.Rows.LogProbs[i%3] || r.Rows.LogPs[i] != r.Rows.LogPs[i%3]) {
			t.Errorf("row %d differs from row %d", i, i%3)
		}
		for v, p := range want.marginals {
			if refused || math.IsInf(want.logP, -1) {
				p = make([]float64, len(p))
			}
			irtest.Close(t, r.Rows.Marginals[i][v], p, 1e-12)
		}
	}
	if r.Rows.Counts != "" {
		t.Error(r.Rows.Counts)
	}
	if r.Rows.Columns != "" {
		t.Error(r.Rows.Columns)
	}
	for _, text := range []string{r.Rows.LogErr, r.Rows.Err} {
		if len(joint.Model.Vars) > 0 && (!strings.Contains(text, "row 5: ") || !strings.Contains(text, "no state 250")) {
			t.Errorf("a batch fails with %q; want it to name row 5 and its state", text)
		}
	}
}

// wanted holds what brute force answers about one row of a batch.
type wanted struct {
	hardLogP, logP float64 // without and with the likelihoods
	marginals      [][]float64
}

func wantedRow(joint *brute.Joint, e brute.Evidence) wanted {
	return wanted{joint.LogProb(brute.Evidence{Hard: e.Hard}), joint.LogProb(e), joint.Marginals(e)}
}

// compareLogP compares a logarithm given as text.
func compareLogP(t *testing.T, text string, want float64, refused bool) {
	t.Helper()
	got, err := strconv.ParseFloat(text, 64)
	switch {
	case err != nil:
		t.Error(err)
	case refused || math.IsInf(want, -1):
		if !math.IsInf(got, -1) {
			t.Errorf("a row without an answer gets %v", got)
		}
	default:
		irtest.CloseTo(t, got, want, 1e-12)
	}
}

// asQuestion converts evidence to the form of the harness.
func asQuestion(i int, m *model.Model, e brute.Evidence) question {
	q := question{Model: i, Hard: make([]int, len(m.Vars)), Soft: make([][]float64, len(m.Vars))}
	for v := range m.Vars {
		if s, ok := e.Hard[model.VarID(v)]; ok {
			q.Hard[v] = s + 1
		}
		q.Soft[v] = e.Soft[model.VarID(v)]
	}
	return q
}

// The messages of packages that refuse evidence.
const (
	pgmrtImpossible = "the evidence is impossible"
	pgmrtLikelihood = "the smallest likelihoods together lie too far below the largest"
)
