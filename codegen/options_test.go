package codegen_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/codegen"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/compilertest"
	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// diagrams returns the influence diagrams of the collection with the given names.
func diagrams(t testing.TB, names ...string) (list []*model.Model) {
	t.Helper()
	for _, name := range names {
		m, found := format.Read(compiler.Formats, filepath.Join(irtest.Shared(t), "data", "decide", name+".pgmc.json"), "", format.ReadOptions{})
		if err := found.Err(); err != nil {
			t.Fatal(err)
		}
		list = append(list, m)
	}
	return list
}

// TestBestPackages compares what packages of each back-end say about decisions, by themselves and
// beside other queries, with the interpreter of the same program: given all that is known, some of
// it, likelihoods, and evidence that is refused. The back-end that runs the interpreter's code
// gives the same bits. The same evidence in batches, by rows or in lanes, gives the same answers.
func TestBestPackages(t *testing.T) {
	t.Parallel()
	mod := newModule(t, "")
	names := []string{"oil", "two-oil-problems", "tiger3"}
	for _, i := range irtest.Cases(t, 12, 50) {
		names = append(names, fmt.Sprintf("random-diagrams/rand-%03d", i+1))
	}
	models := diagrams(t, names...)
	small := len(models)
	for _, n := range [][3]int{{300, 3, 20}, {100, 30, 30}, {300, 3, 20}, {100, 30, 30}} { // with programs for vectors and others in one
		models, names = append(models, irtest.Diagram(n[0], n[1], n[2])), append(names, fmt.Sprint(n))
	}
	for i, m := range models {
		opt, lay := compiler.Options{Queries: []string{"best", "information", "follow"}}, compilertest.Trial{}
		if i%3 == 1 {
			opt.Queries = []string{"logprob", "best", "policy", "information", "follow"}
		}
		if i%3 > 0 {
			lay.Lay = 1
		}
		r, err := compiler.Compile(t.Context(), m, opt.Trial(lay))
		if err != nil {
			t.Fatalf("%s: %v", names[i], err)
		}
		pkg := fmt.Sprint("best", i)
		emit, off := codegen.Options{Package: pkg, Backend: turn(uint64(i))}, 1e-12
		switch {
		case i >= small:
			emit.Backend = "auto"
		case emit.Backend == "tape":
			off = 0
		case emit.Backend == "auto" && i%8 == 3:
			emit = codegen.WithLanes(emit)
		case emit.Backend == "auto":
			emit = codegen.WithNests(emit)
		}
		mod.emit(r.Model, r.Program, emit)
		mod.check(pkg, "package "+pkg+bestHead+bestCases(t, r, uint64(i))+fmt.Sprintf(bestTail, off))
	}
	mod.test()
}

// bestCases returns questions about the decisions of the model of r, with the answers of the
// interpreter, as elements of a slice.
func bestCases(t *testing.T, r *compiler.Result, seed uint64) string {
	t.Helper()
	a := &bestAsker{t: t, r: r, machine: eval.New(r.Program, r.Model), rng: rand.New(rand.NewPCG(seed, 3))}
	for i := range r.Program.Entries {
		switch e := &r.Program.Entries[i]; e.Query.Kind {
		case ir.Best, ir.Information:
			for try := range 8 {
				d := e.Query.Targets[0]
				now := r.Model.Timing(d)
				a.ask(e, func(v model.VarID) (hard, soft bool) {
					given, known := r.Model.Vars[v].Given, now.After[v] == nil && v != d
					hard = slices.Contains(now.Earlier, v) && a.rng.IntN(30) > 0 || known && !given && a.rng.IntN(try+1) > 2 || !known && a.rng.IntN(40) == 0
					return hard, known && !given && a.rng.IntN(4) == 0 || a.rng.IntN(80) == 0 && !slices.Contains(now.Earlier, v)
				})
			}
		case ir.Follow:
			for range 8 {
				a.ask(e, func(model.VarID) (hard, soft bool) { return a.rng.IntN(5) == 0, a.rng.IntN(5) == 0 })
			}
		}
	}
	return a.cases.String()
}

// bestAsker asks the interpreter, and writes the cases.
type bestAsker struct {
	t       *testing.T
	r       *compiler.Result
	machine *eval.Machine
	rng     *rand.Rand
	cases   strings.Builder
}

// ask asks an entry with evidence about the variables for which have returns true: a state or a
// likelihood.
func (a *bestAsker) ask(e *ir.Entry, have func(model.VarID) (hard, soft bool)) {
	a.t.Helper()
	evidence, likelihoods := "", ""
	a.machine.ClearEvidence()
	for _, v := range a.r.Model.Vars {
		s, field := a.rng.IntN(a.r.Model.Card(v.ID)), exported(v.Name)
		hard, soft := have(v.ID)
		var err error
		switch {
		case hard:
			err = a.machine.Observe(v.ID, s)
			evidence += fmt.Sprintf("%s: %d, ", field, s+1)
		case soft:
			l := slices.Repeat([]float64{1}, a.r.Model.Card(v.ID))
			l[s] = .25
			err = a.machine.Likelihood(v.ID, l)
			likelihoods += fmt.Sprintf("%s: %sDist{%s}, ", field, field, list(l))
		}
		if err != nil {
			a.t.Fatal(err)
		}
	}
	failure, numbers := "", []float64(nil)
	switch err := a.machine.Run(e); {
	case errors.Is(err, eval.ErrImpossible):
		failure = "impossible"
	case err != nil && likelihoods != "": // packages enter likelihoods last, and may refuse another variable first
		failure = "variable"
	case err != nil:
		failure = err.Error()
	default:
		numbers = a.numbers(e)
	}
	typ, method, fields := a.text(e)
	single, batch := fmt.Sprintf("err := e.%s(ev, soft, &o)", method), method
	if e.Query.Kind == ir.Best {
		single = fmt.Sprintf("o, err := e.%s(ev, soft)", method)
	} else {
		single = "var o " + typ + "; " + single
	}
	fmt.Fprintf(&a.cases, "{func(e *Engine, ev *Evidence, soft *Soft) ([]float64, error) { %s; return []float64{%s}, err },\n", single, strings.Join(fields, ", "))
	fmt.Fprintf(&a.cases, "func(e *Engine, ev []Evidence, soft []Soft) ([]float64, error) { all := make([]%s, len(ev)); err := e.%sBatch(ev, soft, all); o := all[len(ev)-1]; return []float64{%s}, err },\n",
		typ, batch, strings.Join(fields, ", "))
	fmt.Fprintf(&a.cases, "Evidence{%s}, Soft{%s}, []float64{%s}, %q},\n", evidence, likelihoods, list(numbers), failure)
}

// numbers returns the numbers of the answer of e, as text lists their expressions.
func (a *bestAsker) numbers(e *ir.Entry) (numbers []float64) {
	switch e.Query.Kind {
	case ir.Best:
		numbers = make([]float64, a.r.Model.Card(e.Query.Targets[0]))
		return append(numbers, float64(1+a.machine.BestOption(numbers)))
	case ir.Information:
		for i := range e.Query.Targets[1:] {
			numbers = append(numbers, a.machine.Information(i))
		}
		return numbers
	}
	for i := range e.Outs {
		numbers = append(numbers, a.machine.Posterior(i)...)
	}
	for i := range e.Utilities {
		m := a.machine.Moments(i)
		numbers = append(numbers, m.Mean, m.Variance)
	}
	return numbers
}

// text returns the type of the answer of e, the method, and expressions of the numbers of o, an
// answer.
func (a *bestAsker) text(e *ir.Entry) (typ, method string, fields []string) {
	m := a.r.Model
	switch e.Query.Kind {
	case ir.Best:
		id := exported(m.Vars[e.Query.Targets[0]].Name)
		for k := range m.Card(e.Query.Targets[0]) {
			fields = append(fields, fmt.Sprintf("o.Utilities[%d]", k))
		}
		return id + "Choice", "Best" + id, append(fields, "float64(o."+id+")")
	case ir.Information:
		id := exported(m.Vars[e.Query.Targets[0]].Name)
		for _, v := range e.Query.Targets[1:] {
			fields = append(fields, "o."+exported(m.Vars[v].Name))
		}
		return id + "Information", "Information" + id, fields
	}
	for _, id := range e.Outs {
		v := m.Vars[a.r.Program.Spans[id].Var]
		for k := range m.Card(v.ID) {
			fields = append(fields, fmt.Sprintf("o.%s[%d]", exported(v.Name), k))
		}
	}
	for i := range e.Utilities {
		id := "Total"
		if i < len(m.Diagram.Utilities) {
			id = exported(m.Diagram.Utilities[i].Name)
		}
		fields = append(fields, "o.Utilities."+id+".Mean", "o.Utilities."+id+".Variance")
	}
	return "Outcome", "Follow", fields
}

// list writes numbers as elements of a slice.
func list(numbers []float64) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(numbers), " ", ", "), "[]")
}

// exported returns the Go name of a variable of the collection.
func exported(name string) string { return strings.ToUpper(name[:1]) + name[1:] }

const bestHead = `

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
)

func TestBest(t *testing.T) {
	e := New()
	for i, c := range []struct {
		ask     func(*Engine, *Evidence, *Soft) ([]float64, error)
		many    func(*Engine, []Evidence, []Soft) ([]float64, error)
		ev      Evidence
		soft    Soft
		want    []float64
		failure string
	}{
`

const bestTail = `	} {
		var soft []Soft
		if c.soft != (Soft{}) {
			soft = slices.Repeat([]Soft{c.soft}, 9)
		}
		one, err := c.ask(e, &c.ev, &c.soft)
		many, failed := c.many(e, slices.Repeat([]Evidence{c.ev}, 9), soft)
		for _, err := range []error{err, failed} {
			switch {
			case c.failure == "impossible" && !errors.Is(err, ErrImpossible):
				t.Errorf("case %%d: error %%v; want ErrImpossible", i, err)
			case c.failure != "" && c.failure != "impossible" && (!errors.Is(err, ErrState) || !strings.Contains(err.Error(), c.failure)):
				t.Errorf("case %%d: error %%v; want %%s", i, err, c.failure)
			case c.failure == "" && err != nil:
				t.Errorf("case %%d: error %%v", i, err)
			}
		}
		for k, x := range c.want {
			if !(math.Abs(one[k]-x) <= %[1]g*max(1, math.Abs(x))) {
				t.Errorf("case %%d: %%v; want %%v", i, one[k], x)
			}
			if !(math.Abs(many[k]-x) <= 1e-12*max(1, math.Abs(x))) {
				t.Errorf("case %%d: of many %%v; want %%v", i, many[k], x)
			}
		}
		if n := testing.AllocsPerRun(5, func() { c.ask(e, &c.ev, &c.soft) }); c.failure == "" && n > 1 {
			t.Errorf("case %%d: %%v allocations; want that of the slice", i, n)
		}
	}
}
`
