package codegen_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/compilertest"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// trialCases lists the methods that make trials: their names in packages, and options.
var trialCases = []struct {
	method, call string
	options      []string
	weighs       bool
}{
	{"lw", "LikelihoodWeighting", []string{"iterations=50"}, true},
	{"ais", "AnnealedImportance", []string{"iterations=10", "chains=20"}, true},
	{"icm", "ICM", []string{"chains=3"}, false},
	{"tabu", "TabuSearch", []string{"iterations=30", "chains=3"}, false},
	{"anneal", "SimulatedAnnealing", []string{"iterations=20", "chains=2"}, false},
}

// TestTrials compares the answers of packages of methods that make trials with the interpreter, for
// random models, every back-end, and both layouts of blocks. The random numbers are the same, and
// so are the drawn states.
func TestTrials(t *testing.T) {
	t.Parallel()
	m := newModule(t, "")
	for _, seed := range irtest.Cases(t, len(trialCases), 2*len(trialCases)) {
		c := trialCases[seed%uint64(len(trialCases))]
		mod := irtest.RandomModel(seed, irtest.Options{MaxJoint: 1 << 9, NoZeros: seed%3 == 0})
		for more := seed; c.method == "lw" && mod.Kind != model.Bayes || mod.Kind == model.Dependency; {
			more += 1000
			mod = irtest.RandomModel(more, irtest.Options{MaxJoint: 1 << 9, NoZeros: seed%3 == 0})
		}
		opt := compiler.Options{Method: compiler.Named(c.method, c.options...), Seed: seed}
		round := seed / uint64(len(trialCases))
		if round%2 == 1 {
			opt = opt.Trial(compilertest.Trial{Chunk: 16})
		}
		name := fmt.Sprintf("p%d", seed)
		m.add(t, name, turn(seed+round), mod, opt, func(r *compiler.Result) string { return trialTest(name, c.call, c.weighs, r, seed) })
	}
	m.test()
}

// failureText returns the text of an error, or "" for none.
func failureText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// trialTest returns a check of package name: evidence, and the interpreter's answers to it.
func trialTest(name, call string, weighs bool, r *compiler.Result, seed uint64) string {
	machine, entry := eval.New(r.Program, r.Model), &r.Program.Entries[0]
	answer := "Assignment"
	if weighs {
		answer = "Marginals"
	}
	var cases strings.Builder
	for k := range uint64(3) {
		evidence := enter(machine, r.Model, 10*seed+k)
		report, err := machine.RunTrials(context.Background(), entry, pgmrt.TrialOptions{})
		if errors.Is(err, pgmrt.ErrLikelihood) {
			continue
		}
		logP := 0.0
		var want []string
		if err == nil {
			logP = machine.LogP()
			if want = states(machine, r.Model); weighs {
				want = posteriors(machine, r)
			}
		}
		fmt.Fprintf(&cases, "{%s, %s{%s}, %v, %d, %q},\n", evidence, answer, strings.Join(want, ", "), logP, report.Iterations, failureText(err))
	}
	get := "logP, report, err :="
	same := "if got != c.want || report.Iterations != c.iterations || math.Abs(logP-c.logP) > 1e-9*(1+math.Abs(c.logP)) {\n" +
		"t.Errorf(\"case %d: %v, %v, %+v; want %v, %v\", i, got, logP, report, c.want, c.logP)\n}"
	if weighs {
		get, same = "report, err :=", "c.want.LogP = c.logP\ncompare(t, i, reflect.ValueOf(got), reflect.ValueOf(c.want))\n"+
			"if report.Iterations != c.iterations {\nt.Errorf(\"case %d: %+v; want %d\", i, report, c.iterations)\n}"
	}
	return strings.NewReplacer("PACKAGE", name, "CASES", cases.String(), "ANSWER", answer, "CALL", call, "GET", get, "SAME", same,
		"DROP", strings.Repeat("_, ", strings.Count(get, ",")-1)).Replace(trialTestText)
}

const trialTestText = `package PACKAGE

import (
	"context"
	"errors"
	"math"
	"reflect"
	"testing"
)

func compare(t *testing.T, i int, a, b reflect.Value) {
	switch a.Kind() {
	case reflect.Float64:
		if math.Abs(a.Float()-b.Float()) > 1e-9*(1+math.Abs(b.Float())) {
			t.Errorf("case %d: %v; want %v", i, a, b)
		}
	case reflect.Struct:
		for f := range a.NumField() {
			compare(t, i, a.Field(f), b.Field(f))
		}
	default:
		for s := range a.Len() {
			compare(t, i, a.Index(s), b.Index(s))
		}
	}
}

func TestTrials(t *testing.T) {
	e := New()
	for i, c := range []struct {
		ev         Evidence
		soft       Soft
		want       ANSWER
		logP       float64
		iterations int
		failure    string
	}{
		CASES
	} {
		for range 2 {
			var got ANSWER
			GET e.CALL(context.Background(), &c.ev, &c.soft, CALLOptions{}, &got)
			if err != nil || c.failure != "" {
				if err == nil || err.Error() != c.failure {
					t.Fatalf("case %d: %v; want %q", i, err, c.failure)
				}
				continue
			}
			SAME
		}
		ctx, got := context.Background(), new(ANSWER)
		if n := testing.AllocsPerRun(2, func() { e.CALL(ctx, &c.ev, &c.soft, CALLOptions{}, got) }); n != 0 {
			t.Errorf("case %d: %v allocations", i, n)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, DROPerr := e.CALL(ctx, nil, nil, CALLOptions{}, new(ANSWER)); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that is done gives %v", err)
	}
}
`
