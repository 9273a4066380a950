package infer_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/compiler/internal/trial"
	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

func engine(t testing.TB, m *model.Model, opt infer.Options) *infer.Engine {
	t.Helper()
	e, err := infer.New(t.Context(), m, opt)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// given returns evidence by name for evidence by number.
func given(m *model.Model, ev brute.Evidence) infer.Evidence {
	out := infer.Evidence{}
	for v, s := range ev.Hard {
		out[m.Vars[v].Name] = m.States(v)[s]
	}
	for v, l := range ev.Soft {
		name := m.Vars[v].Name
		if s, ok := out[name]; ok {
			out[name] = infer.All{s, infer.Likelihood(l)}
		} else {
			out[name] = infer.Likelihood(l)
		}
	}
	return out
}

// TestExact compares all exact answers with those of enumeration, on random networks and evidence.
func TestExact(t *testing.T) {
	for _, seed := range irtest.Cases(t, 4, 8) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			m := irtest.RandomModel(seed, irtest.Options{})
			j, err := brute.New(m)
			if err != nil {
				t.Fatal(err)
			}
			e := engine(t, m, infer.Options{})
			for k := range uint64(3) {
				ev := irtest.RandomEvidence(seed<<8+k, m)
				compareExact(t, e, j, ev)
			}
		})
	}
}

// No probability exceeds 1, not even by the rounding errors of the scale that the posteriors of a
// clique tree share: in complete rows all of them are close to 0 or 1.
func TestAtMostOne(t *testing.T) {
	e := asia()
	rows, row := [][]int{}, make([]int, 8)
	for {
		rows = append(rows, slices.Clone(row))
		v := 0
		for ; v < 8 && row[v] == 1; v++ {
			row[v] = 0
		}
		if v == 8 {
			break
		}
		row[v] = 1
	}
	batch, ok, err := e.Batch(t.Context(), rows, true)
	if err != nil || !ok {
		t.Fatal(err, ok)
	}
	posteriors := 0
	check := func(where string, p []float64) {
		posteriors++
		if largest := slices.Max(p); largest > 1 {
			t.Errorf("%s: a probability is %v", where, largest)
		}
	}
	for i, row := range rows {
		if batch[i].Failed {
			continue
		}
		for _, p := range batch[i].P {
			check(fmt.Sprint("batch, ", row), p)
		}
		all, err := e.Marginals(t.Context(), infer.Row(row))
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range all.List {
			check(fmt.Sprint(row), d.P)
		}
		joint, err := e.Joint(t.Context(), infer.Row(row), "lung", "bronc")
		if err != nil {
			t.Fatal(err)
		}
		check(fmt.Sprint("joint, ", row), joint.P)
	}
	if posteriors < 2000 {
		t.Errorf("%d posteriors; want more", posteriors)
	}
}

func compareExact(t *testing.T, e *infer.Engine, j *brute.Joint, ev brute.Evidence) {
	m, ctx, known := j.Model, t.Context(), given(j.Model, ev)
	logProb, err := e.LogProb(ctx, known)
	if err != nil {
		t.Fatal(err)
	}
	irtest.CloseTo(t, logProb, j.LogProb(ev), 1e-11)
	marginals, err := e.Marginals(ctx, known)
	if math.IsInf(logProb, -1) {
		if !errors.Is(err, infer.ErrImpossible) {
			t.Errorf("the error of impossible evidence is %v", err)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	want := j.Marginals(ev)
	for _, v := range j.Observable() {
		name := m.Vars[v].Name
		irtest.Close(t, marginals.Of(name).P, want[v], 1e-11)
		one, err := e.Posterior(ctx, known, name)
		if err != nil {
			t.Fatal(err)
		}
		irtest.Close(t, one.P, want[v], 1e-11)
	}
	vars := j.Observable()[:min(2, len(j.Observable()))]
	names := make([]string, len(vars))
	for i, v := range vars {
		names[i] = m.Vars[v].Name
	}
	joint, err := e.Joint(ctx, known, names...)
	if err != nil {
		t.Fatal(err)
	}
	irtest.Close(t, joint.P, j.JointPosterior(vars, ev), 1e-11)
	best, err := e.MAP(ctx, known, names...)
	if err != nil {
		t.Fatal(err)
	}
	log, _ := j.MAP(vars, ev)
	irtest.CloseTo(t, best.LogProb, log, 1e-11)
	mpe, err := e.MPE(ctx, known)
	if err != nil {
		t.Fatal(err)
	}
	log, _ = j.MPE(ev)
	irtest.CloseTo(t, mpe.LogProb, log, 1e-11)
	several, err := e.KMPE(ctx, known, 3)
	if err != nil {
		t.Fatal(err)
	}
	for i, log := range j.KMPE(len(several), ev) {
		irtest.CloseTo(t, several[i].LogProb, log, 1e-11)
	}
}

func TestEvidence(t *testing.T) {
	e := engine(t, irtest.Asia(), infer.Options{})
	ask := func(ev infer.Evidence) float64 {
		t.Helper()
		d, err := e.Posterior(t.Context(), ev, "lung")
		if err != nil {
			t.Fatal(err)
		}
		return d.Of("yes")
	}
	irtest.CloseTo(t, ask(infer.Evidence{"smoke": infer.States{"yes"}}), ask(infer.Evidence{"smoke": "yes"}), 1e-14)
	irtest.CloseTo(t, ask(infer.Evidence{"smoke": infer.Likelihood{1, 0}}), ask(infer.Evidence{"smoke": "yes"}), 1e-14)
	irtest.CloseTo(t, ask(infer.Evidence{"smoke": infer.States{"yes", "no"}}), ask(nil), 1e-14)
	irtest.CloseTo(t, ask(infer.Evidence{"smoke": infer.All{infer.Likelihood{.5, .2}, infer.Likelihood{.4, 1}}}), ask(infer.Evidence{"smoke": infer.Likelihood{1, 1}}), 1e-14)
	bins := &model.Model{Kind: model.Bayes}
	height := bins.NewVar("height", "..1.5", "1.5..2", "2..")
	bins.Factors = []*model.Factor{{Scope: []model.VarID{height.ID}, Child: 0, Dist: &model.Table{Values: []float64{.2, .3, .5}}}}
	for x, want := range map[float64]float64{1.5: .2, 1.6: .3, 7: .5} {
		logp, err := engine(t, bins, infer.Options{}).LogProb(t.Context(), infer.Evidence{"height": x})
		if err != nil {
			t.Fatal(err)
		}
		irtest.CloseTo(t, math.Exp(logp), want, 1e-14)
	}
	// Jeffrey's rule on one variable mixes the posteriors given its states.
	mixed := .7*ask(infer.Evidence{"xray": "yes"}) + .3*ask(infer.Evidence{"xray": "no"})
	irtest.CloseTo(t, ask(infer.Evidence{"xray": infer.Jeffrey{.7, .3}}), mixed, 1e-9)
}

func TestErrors(t *testing.T) {
	e := engine(t, irtest.Asia(), infer.Options{})
	for _, c := range []struct {
		given infer.Given
		want  string
	}{
		{infer.Evidence{"smok": "yes"}, `unknown variable "smok"; did you mean "smoke"?`},
		{infer.Evidence{"smoke": "yse"}, `variable "smoke" has no state "yse"; want "yes", "no"; did you mean "yes"?`},
		{infer.Evidence{"smoke": 1}, `want a state, a number, States, Likelihood or Jeffrey`},
		{infer.Evidence{"smoke": infer.All{"yes", "no"}}, `"smoke" is observed twice`},
		{infer.Evidence{"smoke": infer.Likelihood{1}}, `has length 1; want 2`},
		{infer.Evidence{"smoke": infer.Likelihood{0, 0}}, `is all zeros`},
		{infer.Evidence{"smoke": infer.Likelihood{-1, 0}}, `want numbers of at least 0`},
		{infer.Evidence{"smoke": infer.Jeffrey{.5, .6}}, `sums to 1.1; want 1`},
		{infer.Evidence{"smoke": infer.Jeffrey{.5, .5}, "xray": infer.Likelihood{1, 2}}, `not with likelihoods`},
		{infer.Row{0}, `a row has 1 states; want 8`},
		{infer.Evidence{"tub": "yes", "either": "no"}, `impossible evidence: tub=yes, either=no has probability 0`},
	} {
		if _, err := e.Marginals(t.Context(), c.given); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v; want %s", c.given, err, c.want)
		}
	}
	if _, err := e.Posterior(t.Context(), nil, "lnug"); err == nil || !strings.Contains(err.Error(), `did you mean "lung"`) {
		t.Errorf("an unknown target: %v", err)
	}
	if _, err := infer.Do(irtest.Misconception(), nil); err == nil {
		t.Error("do in a Markov network succeeds")
	}
	if _, _, err := infer.Load("missing.bif"); err == nil {
		t.Error("a missing file is read")
	}
}

// TestApproximate asks methods of each kind on a network with loops. Tolerances are those of the
// methods' own tests on asia.
func TestApproximate(t *testing.T) {
	m := irtest.Asia()
	known := infer.Evidence{"smoke": "yes"}
	want, err := engine(t, m, infer.Options{}).Marginals(t.Context(), known)
	if err != nil {
		t.Fatal(err)
	}
	for name, tolerance := range map[string]float64{"belief": .05, "meanfield": .3, "edgedel": 1e-9, "gibbs": .1, "lw": .05} {
		t.Run(name, func(t *testing.T) {
			e := engine(t, m, infer.Options{Method: compiler.Named(name), Seed: 1})
			got, err := e.Marginals(t.Context(), known)
			if err != nil || got.Report == nil || got.Report.Iterations == 0 {
				t.Fatal(err, got)
			}
			irtest.CloseTo(t, got.Of("lung").Of("yes"), want.Of("lung").Of("yes"), tolerance)
			if _, err := e.Joint(t.Context(), known, "lung", "dysp"); !errors.Is(err, infer.ErrNoAnswer) {
				t.Errorf("a joint posterior: %v", err)
			}
			if log, err := e.LogProb(t.Context(), known); err != nil || math.Abs(log-want.LogProb) > .5 {
				t.Errorf("ln P is %v, %v; want about %v", log, err, want.LogProb)
			}
		})
	}
	for _, name := range []string{"maxprod", "trws", "mplp", "icm", "tabu", "anneal"} {
		t.Run(name, func(t *testing.T) {
			e := engine(t, m, infer.Options{Method: compiler.Named(name), Seed: 1})
			c, err := e.MPE(t.Context(), known)
			if err != nil || c.Report == nil || c.Of("smoke") != "yes" {
				t.Errorf("%v, %v", c, err)
			}
			if _, err := e.LogProb(t.Context(), known); !errors.Is(err, infer.ErrNoAnswer) {
				t.Errorf("ln P: %v", err)
			}
		})
	}
}

func TestRows(t *testing.T) {
	e := engine(t, irtest.Asia(), infer.Options{Seed: 3})
	rows, err := e.Sample(t.Context(), infer.Evidence{"smoke": "yes"}, 21)
	if err != nil || len(rows) != 21 {
		t.Fatal(err, len(rows))
	}
	again, err := engine(t, irtest.Asia(), infer.Options{Seed: 3}).Sample(t.Context(), infer.Evidence{"smoke": "yes"}, 21)
	if err != nil || fmt.Sprint(again) != fmt.Sprint(rows) {
		t.Error("the same seed draws other rows")
	}
	rows[3][0], rows[5][7] = infer.Missing, infer.Missing
	logs, err := e.LogProbs(t.Context(), rows)
	if err != nil {
		t.Fatal(err)
	}
	batch, ok, err := e.Batch(t.Context(), rows, true)
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	for i, row := range rows {
		want, err := e.Marginals(t.Context(), infer.Row(row))
		if err != nil {
			t.Fatal(err)
		}
		irtest.CloseTo(t, logs[i], want.LogProb, 1e-12)
		irtest.CloseTo(t, batch[i].LogProb, want.LogProb, 1e-12)
		for v, p := range batch[i].P {
			irtest.Close(t, p, want.List[v].P, 1e-12)
		}
	}
}

// TestUnderflow scores rows that are less probable than a float64 can hold. In a mixture whose two
// parts divide 400 variables differently, nothing is rescaled. A row of states with the probability
// 1/500 or 1/1000 each, all those of half of the variables the same of the two, has the logarithm
// -400 ln 500 - 2 ln 2. With half of it missing, one part has one half to sum over and the other
// two. An impossible row stays so, and nothing warns.
func TestUnderflow(t *testing.T) {
	const n = 400
	e := engine(t, irtest.CrossedMixture(n), infer.Options{Queries: []string{"logprob"}})
	if list := e.Warnings(); len(list) > 0 {
		t.Errorf("warnings: %v", list)
	}
	whole, half, none := make([]int, n), make([]int, n), make([]int, n)
	for v := range n / 2 {
		half[v] = infer.Missing
	}
	none[n-1] = 2
	got, err := e.LogProbs(t.Context(), [][]int{whole, half, none})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{-n*math.Log(500) - 2*math.Ln2, -n/2*math.Log(500) + math.Log(0.375), math.Inf(-1)} {
		if got[i] != want && !(math.Abs(got[i]-want) < 1e-9) {
			t.Errorf("row %d: %v; want %v", i, got[i], want)
		}
	}
}

// TestClones asks clones concurrently, for the race detector.
func TestClones(t *testing.T) {
	e := engine(t, irtest.Asia(), infer.Options{})
	var group sync.WaitGroup
	for range 4 {
		c := e.Clone()
		group.Go(func() {
			for _, smoke := range []string{"yes", "no"} {
				d, err := c.Posterior(context.Background(), infer.Evidence{"smoke": smoke}, "lung")
				if err != nil || d.Of("yes") > .11 {
					t.Errorf("%v, %v", d, err)
				}
			}
			if _, err := c.MPE(context.Background(), nil); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
}

// TestLanes scores rows of models that are rescaled, possible and impossible ones: eight at once,
// and one by one if a program has no form for that.
func TestLanes(t *testing.T) {
	t.Run("eight", func(t *testing.T) { scoreRows(t, 8) })
	defer infer.RefuseLanes()()
	t.Run("one by one", func(t *testing.T) { scoreRows(t, 1) })
}

func scoreRows(t *testing.T, atOnce int) {
	for seed := range uint64(100) {
		m := irtest.RandomModel(9000+seed, irtest.Options{MaxJoint: 1 << 8})
		r, err := compiler.Compile(t.Context(), m, compiler.Options{Queries: []string{"logprob"}, Rows: model.RowsAsIs, Steps: 50})
		if err != nil {
			t.Fatal(err)
		}
		joint, err := brute.New(r.Model)
		if err != nil {
			t.Fatal(err)
		}
		e, rnd := infer.Of(r, 0), rand.New(rand.NewPCG(seed, 1))
		rows, want := make([][]int, 8), make([]float64, 8)
		for i := range rows {
			ev := brute.Evidence{Hard: map[model.VarID]int{}}
			for _, v := range e.Vars() {
				state := rnd.IntN(m.Card(v.ID)+1) - 1
				if rows[i] = append(rows[i], state); state >= 0 {
					ev.Hard[v.ID] = state
				}
			}
			want[i] = joint.LogProb(ev)
		}
		if n, err := e.RowsAtOnce(t.Context()); n != atOnce || err != nil {
			t.Fatalf("%d rows at once, %v", n, err)
		}
		got, err := e.LogProbs(t.Context(), rows)
		if err != nil {
			t.Fatal(err)
		}
		for i, w := range want {
			if got[i] != w && !(math.Abs(got[i]-w) <= 1e-12*max(1, math.Abs(w))) {
				t.Errorf("model of seed %d, row %d: %v; want %v", 9000+seed, i, got[i], w)
			}
		}
	}
}

// TestSession changes one finding after another, and compares with an engine that starts afresh.
func TestSession(t *testing.T) {
	for seed := range uint64(6) {
		m := irtest.RandomModel(seed, irtest.Options{})
		e := engine(t, m, infer.Options{})
		s, err := e.Session(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		random, known := rand.New(rand.NewPCG(seed, 1)), infer.Evidence{}
		for range 20 {
			v := e.Vars()[random.IntN(len(e.Vars()))]
			switch k := random.IntN(m.Card(v.ID) + 2); {
			case k < m.Card(v.ID):
				known[v.Name] = m.States(v.ID)[k]
			case k == m.Card(v.ID):
				l := make(infer.Likelihood, m.Card(v.ID))
				for i := range l {
					l[i] = random.Float64()
				}
				known[v.Name] = infer.All{infer.States(m.States(v.ID)), l}
			default:
				delete(known, v.Name)
			}
			if finding, ok := known[v.Name]; !ok {
				err = s.Retract(v.Name)
			} else {
				err = s.Observe(v.Name, finding)
			}
			if err != nil {
				t.Fatal(err)
			}
			want, wantErr := e.Marginals(t.Context(), known)
			got, err := s.Marginals()
			if fmt.Sprint(err) != fmt.Sprint(wantErr) {
				t.Fatalf("error %v; want %v", err, wantErr)
			}
			if err != nil {
				if logProb, err := s.LogProb(); err != nil || !math.IsInf(logProb, -1) {
					t.Errorf("ln P of impossible evidence is %v, %v", logProb, err)
				}
				continue
			}
			irtest.CloseTo(t, got.LogProb, want.LogProb, 1e-11)
			for i := range got.List {
				irtest.Close(t, got.List[i].P, want.List[i].P, 1e-11)
			}
		}
	}
}

// TestSessionRefuses has sessions refuse what they cannot keep.
func TestSessionRefuses(t *testing.T) {
	s, err := engine(t, irtest.Asia(), infer.Options{}).Session(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, finding := range []any{"maybe", infer.Jeffrey{.5, .5}, infer.Likelihood{1}, 3} {
		if err := s.Observe("smoke", finding); err == nil {
			t.Errorf("%v is observed", finding)
		}
	}
	if s.Observe("smok", "yes") == nil || s.Retract("smok") == nil {
		t.Error("an unknown variable is found")
	}
	approximate := engine(t, irtest.Asia(), infer.Options{Method: compiler.Named("belief")})
	if _, err := approximate.Session(t.Context()); !errors.Is(err, infer.ErrNoAnswer) {
		t.Errorf("the session of an approximate engine: %v", err)
	}
}

// patience is a context that ends after a number of calls of Err.
type patience struct {
	context.Context
	calls int
}

func (p *patience) Err() error {
	if p.calls--; p.calls < 0 {
		return context.DeadlineExceeded
	}
	return nil
}

// TestStopped ends searches after each number of steps: what they return is never worse than with
// fewer steps, and within its bound.
func TestStopped(t *testing.T) {
	m := irtest.Asia()
	names := []string{"tub", "either", "dysp"}
	targets := make([]model.VarID, len(names))
	for i, name := range names {
		v, _ := m.VarByName(name)
		targets[i] = v.ID
	}
	j, err := brute.New(m)
	if err != nil {
		t.Fatal(err)
	}
	want, _ := j.MAP(targets, brute.Evidence{})
	r, err := compiler.Compile(t.Context(), m, compiler.Options{Queries: []string{"map(tub, either, dysp)", "kmpe=5"}}.Trial(trial.Options{Search: true}))
	if err != nil {
		t.Fatal(err)
	}
	e := infer.Of(r, 0)
	steps, value, found := 0, math.Inf(-1), 0
	for ; ; steps++ {
		c, err := e.MAP(&patience{t.Context(), steps}, nil, names...)
		if err == nil {
			if irtest.CloseTo(t, c.LogProb, want, 1e-12); !c.Report.Converged || c.Report.Gap != 0 || c.Report.Iterations < 2 {
				t.Errorf("the report of a whole search is %+v", *c.Report)
			}
			break
		}
		var stopped *infer.SearchError
		if !errors.As(err, &stopped) || !errors.Is(err, context.DeadlineExceeded) {
			t.Fatal(err)
		}
		if c == nil {
			continue
		}
		found++
		if c.LogProb < value || c.Report.Converged || c.Report.Bound < want-1e-12 || c.Report.Gap < 0 {
			t.Errorf("after %d steps: %v, before %v; report %+v", steps, c.LogProb, value, *c.Report)
		}
		value = c.LogProb
	}
	if found == 0 {
		t.Error("no stopped search found anything")
	}
	best, err := e.KMPE(t.Context(), nil, 5)
	if err != nil {
		t.Fatal(err)
	}
	part, err := e.KMPE(&patience{t.Context(), 4}, nil, 5)
	if !errors.Is(err, context.DeadlineExceeded) || len(part) == 0 || len(part) >= len(best) {
		t.Fatalf("%d completions of %d, error %v", len(part), len(best), err)
	}
	for i := range part {
		irtest.CloseTo(t, part[i].LogProb, best[i].LogProb, 0)
	}
}
