package codegen_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// further holds the queries of a package besides the default ones: a joint posterior, a signature,
// with interventions if the model has causes, sets of states, Jeffrey's rule, and best completions.
type further struct {
	m           *model.Model
	rng         *rand.Rand
	completions int
	max         bool // max-marginals

	joint, given []model.VarID // targets and evidence
	target       model.VarID   // of the signature
	do           map[model.VarID]bool

	sets    map[model.VarID][]int // of the last question
	margins map[model.VarID][]float64
	states  map[model.VarID]int
}

// queries chooses variables, and returns the specifications of the queries.
func (f *further) queries() []string {
	perm := f.rng.Perm(len(f.m.Vars))
	name := func(v int) string { return strconv.Quote(f.m.Vars[v].Name) }
	f.target, f.do = model.VarID(perm[0]), map[model.VarID]bool{}
	var given, joint []string
	for _, v := range perm[1:min(len(perm), 2+f.rng.IntN(2))] {
		text := name(v)
		if f.m.Kind == model.Bayes && f.rng.IntN(2) == 0 {
			f.do[model.VarID(v)], text = true, "do("+text+")"
		}
		f.given, given = append(f.given, model.VarID(v)), append(given, text)
	}
	for _, v := range f.rng.Perm(len(f.m.Vars))[:min(len(perm), 1+f.rng.IntN(3))] {
		f.joint, joint = append(f.joint, model.VarID(v)), append(joint, name(v))
	}
	return []string{"sets", "jeffrey",
		name(perm[0]) + " | " + strings.Join(given, ", "), "joint(" + strings.Join(joint, ", ") + ")"}
}

// ask draws the questions that accompany e.
func (f *further) ask(q *question, joint *brute.Joint, e brute.Evidence) {
	f.sets = irtest.RandomSets(f.rng.Uint64(), f.m)
	f.margins, f.states = map[model.VarID][]float64{}, map[model.VarID]int{}
	q.In, q.Targets, q.Given = make([][]int, len(f.m.Vars)), make([][]float64, len(f.m.Vars)), []int{}
	for v, set := range f.sets {
		q.In[v] = set
	}
	hard := brute.Evidence{Hard: e.Hard}
	v := model.VarID(f.rng.IntN(len(f.m.Vars)))
	if p := joint.Posterior(v, hard); slices.Max(p) > 0 {
		for s := range p {
			p[s] *= 0.2 + f.rng.Float64()
		}
		pgmrt.Normalize(p)
		f.margins[v], q.Targets[v] = p, p
	}
	for _, v := range f.given {
		f.states[v] = f.rng.IntN(f.m.Card(v))
		q.Given = append(q.Given, f.states[v]+1)
	}
}

// compare compares the answers with brute force.
func (f *further) compare(t *testing.T, joint *brute.Joint, e brute.Evidence, r *reply) {
	t.Helper()
	irtest.Close(t, r.Joint, joint.JointPosterior(f.joint, e), 1e-12)
	f.compareGiven(t, joint, r)
	hard := brute.Evidence{Hard: e.Hard, In: f.sets}
	if want := joint.LogProb(hard); math.IsInf(want, -1) {
		if r.InErr != pgmrtImpossible {
			t.Errorf("sets: error %q; want %q", r.InErr, pgmrtImpossible)
		}
	} else {
		irtest.CloseTo(t, r.InP, want, 1e-12)
		for v, p := range joint.Marginals(hard) {
			irtest.Close(t, r.In[v], p, 1e-12)
		}
	}
	fitted, _ := joint.Fit(brute.Evidence{Hard: e.Hard}, f.margins, 2)
	if r.FitErr != "" || r.Report.Status != pgmrt.Converged || r.Report.Iterations > 1 {
		t.Fatalf("jeffrey: %+v, error %q", r.Report, r.FitErr)
	}
	for v, p := range fitted {
		irtest.Close(t, r.Fitted[v], p, 1e-11) // the fit itself stops at 1e-12
	}
}

func (f *further) compareGiven(t *testing.T, joint *brute.Joint, r *reply) {
	t.Helper()
	e, set := brute.Evidence{Hard: map[model.VarID]int{}}, map[model.VarID]int{}
	for v, s := range f.states {
		if e.Hard[v] = s; f.do[v] {
			set[v] = s
		}
	}
	if len(set) > 0 {
		var err error
		if joint, err = brute.NewDo(f.m, set); err != nil {
			t.Fatal(err)
		}
	}
	if possible := !math.IsInf(joint.LogProb(e), -1); possible != (r.GivenErr == "") {
		t.Errorf("signature: error %q, but ln P is %v", r.GivenErr, joint.LogProb(e))
	} else if possible {
		irtest.Close(t, r.Given, joint.Posterior(f.target, e), 1e-12)
	}
}
