package infer_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/compiler/method/belief"
	"github.com/pgmc-go/pgmc/compiler/method/gibbs"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn"
	"github.com/pgmc-go/pgmc/learn/hillclimb"
)

// asia is the engine of the examples below.
func asia() *infer.Engine {
	m, _, err := infer.Load("../../testdata/models/asia.bif")
	if err != nil {
		log.Fatal(err)
	}
	e, err := infer.New(context.Background(), m, infer.Options{})
	if err != nil {
		log.Fatal(err)
	}
	return e
}

func Example() {
	ctx := context.Background()
	m, _, err := infer.Load("../../testdata/models/asia.bif")
	if err != nil {
		log.Fatal(err)
	}
	e, err := infer.New(ctx, m, infer.Options{})
	if err != nil {
		log.Fatal(err)
	}
	lung, err := e.Posterior(ctx, infer.Evidence{"smoke": "yes"}, "lung")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("P(lung=yes | smoke=yes) = %.2f\n", lung.Of("yes"))
	// Output: P(lung=yes | smoke=yes) = 0.10
}

// Learn a network from rows, and ask it.
func Example_learned() {
	ctx := context.Background()
	learned, err := learn.FitFile(ctx, hillclimb.Options{Score: "bdeu"}, studentRows())
	if err != nil {
		log.Fatal(err)
	}
	e, err := infer.New(ctx, learned.Models[0], infer.Options{})
	if err != nil {
		log.Fatal(err)
	}
	grade, err := e.Posterior(ctx, infer.Evidence{"intelligence": "i1"}, "grade")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("the most probable grade of the intelligent:", grade.Best())
	// Output: the most probable grade of the intelligent: g1
}

// studentRows writes rows drawn from the network student, and returns the name of their file.
func studentRows() string {
	m, _, err := infer.Load("../../testdata/models/student.bif")
	if err != nil {
		log.Fatal(err)
	}
	e, err := infer.New(context.Background(), m, infer.Options{Seed: 1})
	if err != nil {
		log.Fatal(err)
	}
	rows, err := e.Sample(context.Background(), nil, 500)
	if err != nil {
		log.Fatal(err)
	}
	var text strings.Builder
	text.WriteString("difficulty,intelligence,grade,sat,letter\n")
	for _, row := range rows {
		for i, v := range e.Vars() {
			text.WriteString(strings.Repeat(",", min(i, 1)) + m.States(v.ID)[row[i]])
		}
		text.WriteByte('\n')
	}
	path := filepath.Join(os.TempDir(), "pgmc-example-student.csv")
	if err := os.WriteFile(path, []byte(text.String()), 0o644); err != nil {
		log.Fatal(err)
	}
	return path
}

func ExampleLoad() {
	m, warnings, err := infer.Load("../../testdata/models/asia.bif")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(m.Kind, "with", len(m.Vars), "variables and", len(warnings), "warnings")
	// Output: Bayesian network with 8 variables and 0 warnings
}

func ExampleDo() {
	m, _, err := infer.Load("../../testdata/models/asia.bif")
	if err != nil {
		log.Fatal(err)
	}
	if m, err = infer.Do(m, infer.Evidence{"bronc": "yes"}); err != nil {
		log.Fatal(err)
	}
	e, err := infer.New(context.Background(), m, infer.Options{})
	if err != nil {
		log.Fatal(err)
	}
	smoke, err := e.Posterior(context.Background(), nil, "smoke")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("P(smoke=yes | do(bronc=yes)) = %.2f\n", smoke.Of("yes"))
	// Output: P(smoke=yes | do(bronc=yes)) = 0.50
}

// An approximate method takes networks of any width, and reports how it went.
func ExampleNew() {
	m, _, err := infer.Load("../../testdata/models/asia.bif")
	if err != nil {
		log.Fatal(err)
	}
	e, err := infer.New(context.Background(), m, infer.Options{Method: belief.Options{Damping: .2}})
	if err != nil {
		log.Fatal(err)
	}
	all, err := e.Marginals(context.Background(), infer.Evidence{"smoke": "yes"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s: P(lung=yes) is about %.2f\n", all.Report.Status, all.Of("lung").Of("yes"))
	// Output: converged: P(lung=yes) is about 0.10
}

func ExampleEngine_Marginals() {
	all, err := asia().Marginals(context.Background(), infer.Evidence{
		"smoke": "yes",
		"dysp":  infer.Likelihood{.8, .3},
		"tub":   infer.States{"yes", "no"},
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, d := range all.List[:4] {
		fmt.Printf("%-6s %.4f\n", d.Var, d.P)
	}
	fmt.Printf("ln P(evidence) = %.4f\n", all.LogProb)
	// Output:
	// asia   [0.0101 0.9899]
	// tub    [0.0128 0.9872]
	// smoke  [1.0000 0.0000]
	// lung   [0.1232 0.8768]
	// ln P(evidence) = -1.2441
}

func ExampleEngine_Posterior() {
	lung, err := asia().Posterior(context.Background(), infer.Evidence{"smoke": "yes", "xray": "yes"}, "lung")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(lung.States, lung.Best())
	fmt.Printf("%.4f\n", lung.P)
	// Output:
	// [yes no] yes
	// [0.6460 0.3540]
}

// Evidence of probability zero is an error that names it.
func ExampleEngine_Posterior_impossible() {
	_, err := asia().Posterior(context.Background(), infer.Evidence{"tub": "yes", "either": "no"}, "lung")
	fmt.Println(err, errors.Is(err, infer.ErrImpossible))
	_, err = asia().Posterior(context.Background(), infer.Evidence{"smok": "yes"}, "lung")
	fmt.Println(err)
	// Output:
	// impossible evidence: tub=yes, either=no has probability 0 true
	// unknown variable "smok"; did you mean "smoke"?
}

func ExampleEngine_LogProb() {
	logProb, err := asia().LogProb(context.Background(), infer.Evidence{"smoke": "yes", "dysp": "yes"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.4f\n", math.Exp(logProb))
	// Output: 0.2764
}

// The integral of two canonical potentials over three real variables, without evidence and at one
// value of Y.
func ExampleEngine_LogPartition() {
	m := &model.Model{Kind: model.Markov}
	x, y, z := m.NewReal("X").ID, m.NewReal("Y").ID, m.NewReal("Z").ID
	m.Factors = []*model.Factor{
		{Scope: []model.VarID{x, y}, Child: -1, Dist: &model.Canonical{K: []float64{1, -1, 1}, H: []float64{1, -1}, G: []float64{-3}}},
		{Scope: []model.VarID{y, z}, Child: -1, Dist: &model.Canonical{K: []float64{3, -2, 4}, H: []float64{5, -1}, G: []float64{1}}},
	}
	e, err := infer.New(context.Background(), m, infer.Options{})
	if err != nil {
		log.Fatal(err)
	}
	for _, given := range []infer.Evidence{nil, {"Y": 1.}} {
		log, err := e.LogPartition(context.Background(), given)
		fmt.Printf("%.6f %v\n", log, err)
	}
	// Output:
	// 5.404595 <nil>
	// 3.269730 <nil>
}

func ExampleEngine_MPE() {
	best, err := asia().MPE(context.Background(), infer.Evidence{"dysp": "yes"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(best.Of("smoke"), best.Of("bronc"), best.Of("lung"))
	// Output: yes yes no
}

func ExampleEngine_MAP() {
	best, err := asia().MAP(context.Background(), infer.Evidence{"dysp": "yes"}, "lung", "bronc")
	if err != nil {
		log.Fatal(err)
	}
	for _, a := range best.States {
		fmt.Println(a.Var, a.State)
	}
	// Output:
	// lung no
	// bronc yes
}

func ExampleEngine_Joint() {
	t, err := asia().Joint(context.Background(), infer.Evidence{"smoke": "no"}, "lung", "dysp")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.4f\n", t.Of("yes", "yes"))
	// Output: 0.0076
}

func ExampleEngine_KMPE() {
	list, err := asia().KMPE(context.Background(), infer.Evidence{"dysp": "yes"}, 2)
	if err != nil {
		log.Fatal(err)
	}
	for _, c := range list {
		fmt.Printf("%.4f smoke=%s\n", math.Exp(c.LogProb), c.Of("smoke"))
	}
	// Output:
	// 0.2011 smoke=yes
	// 0.1106 smoke=no
}

func ExampleEngine_Sample() {
	e := asia()
	rows, err := e.Sample(context.Background(), infer.Evidence{"smoke": "yes"}, 1000)
	if err != nil {
		log.Fatal(err)
	}
	smokers := 0
	for _, row := range rows {
		if row[2] == 0 { // smoke=yes
			smokers++
		}
	}
	fmt.Println(e.Vars()[2].Name, smokers)
	// Output: smoke 1000
}

func ExampleEngine_LogProbs() {
	logs, err := asia().LogProbs(context.Background(), [][]int{
		{1, 1, 0, 1, 1, 1, 1, 1},
		{infer.Missing, 1, 0, 1, 1, 1, 1, 1},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.4f\n", logs)
	// Output: [-1.8916 -1.8819]
}

// A loop over Samples draws as many rows as it wants.
func ExampleEngine_Samples() {
	e := asia()
	n := 0
	for row, err := range e.Samples(context.Background(), infer.Evidence{"smoke": "no"}) {
		if err != nil {
			log.Fatal(err)
		}
		if n++; row[4] == 0 { // bronc=yes
			break
		}
	}
	fmt.Println(e.Vars()[4].Name, n > 0)
	// Output: bronc true
}

// Batch answers many rows, eight at a time.
func ExampleEngine_Batch() {
	answers, ok, err := asia().Batch(context.Background(), [][]int{
		{infer.Missing, infer.Missing, 0, infer.Missing, infer.Missing, infer.Missing, 0, infer.Missing},
		{infer.Missing, infer.Missing, 1, infer.Missing, infer.Missing, infer.Missing, 0, infer.Missing},
	}, true)
	if err != nil || !ok {
		log.Fatal(err, ok)
	}
	for _, a := range answers {
		fmt.Printf("ln P = %.4f, P(lung=yes) = %.4f\n", a.LogProb, a.P[3][0])
	}
	// Output:
	// ln P = -2.5790, P(lung=yes) = 0.6460
	// ln P = -3.3686, P(lung=yes) = 0.1423
}

// Rows are states of all variables by number.
func ExampleRow() {
	e := asia()
	row := infer.Row{infer.Missing, infer.Missing, 0, infer.Missing, infer.Missing, infer.Missing, infer.Missing, infer.Missing}
	lung, err := e.Posterior(context.Background(), row, "lung") // smoke=yes
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.2f\n", lung.Of("yes"))
	// Output: 0.10
}

// Chains estimate the probability of states one after the other.
func ExampleEngine_ChainLogProb() {
	m, _, err := infer.Load("../../testdata/models/asia.bif")
	if err != nil {
		log.Fatal(err)
	}
	e, err := infer.New(context.Background(), m, infer.Options{Method: gibbs.Options{Iterations: 20000}})
	if err != nil {
		log.Fatal(err)
	}
	logProb, report, err := e.ChainLogProb(context.Background(), infer.Evidence{"smoke": "yes", "bronc": "yes"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("ln P is about %.1f; %v\n", logProb, report.RHat < 1.1)
	// Output: ln P is about -1.2; true
}

// Options of a run stay until they are set again.
func ExampleEngine_SetRunOptions() {
	m, _, err := infer.Load("../../testdata/models/asia.bif")
	if err != nil {
		log.Fatal(err)
	}
	e, err := infer.New(context.Background(), m, infer.Options{Method: belief.Options{}})
	if err != nil {
		log.Fatal(err)
	}
	for _, most := range []int{1, 100} {
		e.SetRunOptions(infer.RunOptions{Iterations: most})
		all, err := e.Marginals(context.Background(), nil)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(most, all.Report.Status)
	}
	// Output:
	// 1 not converged
	// 100 converged
}

// Each goroutine has an engine of its own; they share the compiled programs.
func ExampleEngine_Clone() {
	e := asia()
	smokes := []string{"yes", "no"}
	out := make([]float64, len(smokes))
	var wg sync.WaitGroup
	for i, state := range smokes {
		wg.Go(func() {
			lung, err := e.Clone().Posterior(context.Background(), infer.Evidence{"smoke": state}, "lung")
			if err != nil {
				log.Fatal(err)
			}
			out[i] = lung.Of("yes")
		})
	}
	wg.Wait()
	fmt.Printf("%.2f\n", out)
	// Output: [0.10 0.01]
}

// Ask a program that the compiler made for certain queries.
func ExampleOf() {
	m, _, err := infer.Load("../../testdata/models/asia.bif")
	if err != nil {
		log.Fatal(err)
	}
	r, err := compiler.Compile(context.Background(), m, compiler.Options{Queries: []string{"map(lung, bronc)"}})
	if err != nil {
		log.Fatal(err)
	}
	best, err := infer.Of(r, 0).MAP(context.Background(), infer.Evidence{"dysp": "yes"}, "lung", "bronc")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s %s %.4f\n", best.Of("lung"), best.Of("bronc"), math.Exp(best.LogProb))
	// Output: no yes 0.3352
}

// Resolve finds variables and states by name, once for many questions.
func ExampleResolve() {
	e := asia()
	known, err := infer.Resolve(e.Model(), infer.Evidence{"smoke": "yes", "tub": infer.States{"yes", "no"}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(known.Text(e.Model()))
	logProb, err := e.LogProb(context.Background(), known)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.2f\n", math.Exp(logProb))
	// Output:
	// tub=yes|no, smoke=yes
	// 0.50
}

// A session keeps its evidence between questions.
func ExampleEngine_Session() {
	s, err := asia().Session(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	show := func() {
		all, err := s.Marginals()
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("P(lung=yes) = %.4f, P(evidence) = %.4f\n", all.Of("lung").Of("yes"), math.Exp(all.LogProb))
	}
	for _, name := range []string{"smoke", "xray"} {
		if err := s.Observe(name, "yes"); err != nil {
			log.Fatal(err)
		}
		show()
	}
	if err := s.Retract("smoke"); err != nil {
		log.Fatal(err)
	}
	show()
	// Output:
	// P(lung=yes) = 0.1000, P(evidence) = 0.5000
	// P(lung=yes) = 0.6460, P(evidence) = 0.0759
	// P(lung=yes) = 0.4887, P(evidence) = 0.1103
}

func ExampleQuoteName() {
	fmt.Println(infer.QuoteName("smoke"), infer.QuoteName("X-ray, left"))
	// Output: smoke "X-ray, left"
}

// The log-probability of the best completion with each state of a variable.
func ExampleEngine_MaxMarginals() {
	all, err := asia().MaxMarginals(context.Background(), infer.Evidence{"xray": "yes"})
	if err != nil {
		log.Fatal(err)
	}
	for _, x := range all.List[:3] {
		fmt.Printf("%s: %.4f %.4f\n", x.Vars[0], x.LogProb[0], x.LogProb[1])
	}
	fmt.Printf("best: %.4f\n", all.LogProb)
	// Output:
	// asia: -8.2886 -3.6522
	// tub: -6.0501 -3.6522
	// smoke: -3.6522 -4.1811
	// best: -3.6522
}

// Tabu search over the states of some variables, with all others summed out.
func ExampleEngine_TabuMAP() {
	found, err := asia().TabuMAP(context.Background(), infer.Evidence{"dysp": "yes"}, nil, "lung", "bronc")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("lung %s, bronc %s: %.4f\n", found.Of("lung"), found.Of("bronc"), found.LogProb)
	// Output: lung no, bronc yes: -1.0929
}

// Two goroutines could draw the halves of ten rows; here the second half is drawn alone.
func ExampleForwardFrom() {
	m := &model.Model{}
	m.NewVar("coin", "heads", "tails")
	m.Factors = []*model.Factor{{Scope: []model.VarID{0}, Dist: &model.Table{Values: []float64{.5, .5}}}}
	draw := func(from uint64, n int) (text string) {
		for row, err := range infer.ForwardFrom(context.Background(), m, nil, 1, 0, from) {
			if err != nil {
				log.Fatal(err)
			}
			if text += m.States(0)[row[0].State][:1]; len(text) == n {
				break
			}
		}
		return text
	}
	all := draw(0, 10)
	fmt.Println(all[5:] == draw(5, 5))
	// Output: true
}

// ExampleEngine_Best decides whether to take an umbrella, first without a forecast and then with
// one.
func ExampleEngine_Best() {
	m := &model.Model{Name: "umbrella"}
	forecast, umbrella := m.NewVar("forecast", "rain", "dry"), m.NewVar("umbrella", "take", "leave")
	umbrella.Given = true
	m.Factors = []*model.Factor{{Scope: []model.VarID{forecast.ID}, Dist: &model.Table{Values: []float64{.25, .75}}}}
	m.Diagram = &model.Diagram{
		Decisions: []*model.Decision{{Var: umbrella.ID, Known: []model.VarID{forecast.ID}}},
		Utilities: []*model.Utility{{Name: "comfort", Scope: []model.VarID{forecast.ID, umbrella.ID}, Values: []float64{5, -10, -1, 3}}},
	}
	e, err := infer.New(context.Background(), m, infer.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, given := range []infer.Evidence{{}, {"forecast": "rain"}} {
		c, err := e.Best(context.Background(), given, "umbrella")
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(c.Option, c.Utilities)
	}
	// Output:
	// take [0.5 -0.25]
	// take [5 -10]
}

// ExampleEngine_Follow prints how often an umbrella is taken by those who know the forecast, and
// the mean comfort.
func ExampleEngine_Follow() {
	m := &model.Model{Name: "umbrella"}
	forecast, umbrella := m.NewVar("forecast", "rain", "dry"), m.NewVar("umbrella", "take", "leave")
	umbrella.Given = true
	m.Factors = []*model.Factor{{Scope: []model.VarID{forecast.ID}, Dist: &model.Table{Values: []float64{.25, .75}}}}
	m.Diagram = &model.Diagram{
		Decisions: []*model.Decision{{Var: umbrella.ID, Known: []model.VarID{forecast.ID}}},
		Utilities: []*model.Utility{{Name: "comfort", Scope: []model.VarID{forecast.ID, umbrella.ID}, Values: []float64{5, -10, -1, 3}}},
	}
	e, err := infer.New(context.Background(), m, infer.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	out, err := e.Follow(context.Background(), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(out.Of("umbrella").P, out.Total)
	// Output: [0.25 0.75] {3.5 0.75}
}

// ExampleEngine_Information prints what a forecast is worth before an umbrella is taken.
func ExampleEngine_Information() {
	m := &model.Model{Name: "umbrella"}
	forecast, umbrella := m.NewVar("forecast", "rain", "dry"), m.NewVar("umbrella", "take", "leave")
	umbrella.Given = true
	m.Factors = []*model.Factor{{Scope: []model.VarID{forecast.ID}, Dist: &model.Table{Values: []float64{.25, .75}}}}
	m.Diagram = &model.Diagram{
		Decisions: []*model.Decision{{Var: umbrella.ID}},
		Utilities: []*model.Utility{{Name: "comfort", Scope: []model.VarID{forecast.ID, umbrella.ID}, Values: []float64{5, -10, -1, 3}}},
	}
	e, err := infer.New(context.Background(), m, infer.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(e.Information(context.Background(), nil, "umbrella"))
	// Output:
	// [{forecast 3}] <nil>
}

// Blocks of a sample, given evidence, which goroutines could draw: block 0 is the engine's.
func ExampleEngine_CloneAt() {
	e := asia()
	first := func(e *infer.Engine) []model.Value {
		for row, err := range e.Values(context.Background(), infer.Evidence{"smoke": "yes"}) {
			if err != nil {
				log.Fatal(err)
			}
			return row
		}
		return nil
	}
	fmt.Println(slices.Equal(first(e.CloneAt(0)), first(e)))
	// Output: true
}
