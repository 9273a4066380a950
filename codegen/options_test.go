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
	"github.com/pgmc-go/pgmc/compiler/infer"
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

// TestBestPackages compares the options of decisions in packages of each back-end, by themselves
// and beside other queries, with the interpreter: given all that is known, some of it, likelihoods,
// and evidence that is refused.
func TestBestPackages(t *testing.T) {
	t.Parallel()
	mod := newModule(t, "")
	names := []string{"oil", "two-oil-problems", "tiger3"}
	for _, i := range irtest.Cases(t, 12, 50) {
		names = append(names, fmt.Sprintf("random-diagrams/rand-%03d", i+1))
	}
	for i, m := range diagrams(t, names...) {
		opt, lay := compiler.Options{Queries: []string{"best", "information"}}, compilertest.Trial{}
		if i%3 == 1 {
			opt.Queries = []string{"logprob", "best", "policy", "information"}
		}
		if i%3 > 0 {
			lay.Lay = 1
		}
		r, err := compiler.Compile(t.Context(), m, opt.Trial(lay))
		if err != nil {
			t.Fatalf("%s: %v", names[i], err)
		}
		pkg := fmt.Sprint("best", i)
		mod.emit(r.Model, r.Program, codegen.Options{Package: pkg, Backend: turn(uint64(i))})
		mod.check(pkg, "package "+pkg+bestHead+bestCases(t, m, uint64(i))+bestTail)
	}
	mod.test()
}

// bestCases returns questions about the decisions of m, with the answers of the interpreter, as
// elements of a slice.
func bestCases(t *testing.T, m *model.Model, seed uint64) string {
	t.Helper()
	e, err := infer.New(t.Context(), m, infer.Options{})
	if err != nil {
		t.Fatal(err)
	}
	b, rng := &strings.Builder{}, rand.New(rand.NewPCG(seed, 3))
	for _, d := range m.Diagram.Decisions {
		now, x := m.Timing(d.Var), m.Vars[d.Var]
		for try := range 8 {
			given, hard, soft := infer.Evidence{}, "", ""
			for _, v := range m.Vars {
				s, field := rng.IntN(m.Card(v.ID)), exported(v.Name)
				switch known := now.After[v.ID] == nil && v.ID != d.Var; {
				case slices.Contains(now.Earlier, v.ID) && rng.IntN(30) > 0, known && !v.Given && rng.IntN(try+1) > 2, !known && rng.IntN(40) == 0:
					given[v.Name] = m.States(v.ID)[s]
					hard += fmt.Sprintf("%s: %d, ", field, s+1)
				case known && !v.Given && rng.IntN(4) == 0, rng.IntN(80) == 0 && !slices.Contains(now.Earlier, v.ID):
					l := slices.Repeat([]float64{1}, m.Card(v.ID))
					l[s] = .25
					given[v.Name] = infer.Likelihood(l)
					soft += fmt.Sprintf("%s: %sDist{%s}, ", field, field, strings.Trim(strings.ReplaceAll(fmt.Sprint(l), " ", ", "), "[]"))
				}
			}
			c, err := e.Best(t.Context(), given, x.Name)
			var option int
			var text string
			utilities := ""
			switch {
			case errors.Is(err, infer.ErrImpossible):
				text = "impossible"
			case err != nil:
				text = err.Error()
			default:
				option = slices.Index(m.States(d.Var), c.Option) + 1
				utilities = strings.Trim(strings.ReplaceAll(fmt.Sprint(c.Utilities), " ", ", "), "[]")
			}
			id := exported(x.Name)
			fmt.Fprintf(b, "{func(e *Engine, ev *Evidence, soft *Soft) (uint, []float64, error) { c, err := e.Best%s(ev, soft); return uint(c.%s), c.Utilities[:], err }, Evidence{%s}, Soft{%s}, %d, []float64{%s}, %q},\n",
				id, id, hard, soft, option, utilities, text)
			worth, again := e.Information(t.Context(), given, x.Name)
			if (err == nil) != (again == nil) || err != nil && err.Error() != again.Error() {
				t.Errorf("%v: error %v; want %v", given, again, err)
			}
			var fields, values []string
			for _, w := range worth {
				fields, values = append(fields, "o."+exported(w.Name)), append(values, fmt.Sprint(w.Value))
			}
			if len(fields) > 0 {
				fmt.Fprintf(b, "{func(e *Engine, ev *Evidence, soft *Soft) (uint, []float64, error) { var o %sInformation; err := e.Information%s(ev, soft, &o); return 0, []float64{%s}, err }, Evidence{%s}, Soft{%s}, 0, []float64{%s}, %q},\n",
					id, id, strings.Join(fields, ", "), hard, soft, strings.Join(values, ", "), text)
			}
		}
	}
	return b.String()
}

// exported returns the Go name of a variable of the collection.
func exported(name string) string { return strings.ToUpper(name[:1]) + name[1:] }

const bestHead = `

import (
	"errors"
	"math"
	"strings"
	"testing"
)

func TestBest(t *testing.T) {
	e := New()
	for i, c := range []struct {
		ask       func(*Engine, *Evidence, *Soft) (uint, []float64, error)
		ev        Evidence
		soft      Soft
		option    uint
		utilities []float64
		failure   string
	}{
`

const bestTail = `	} {
		option, utilities, err := c.ask(e, &c.ev, &c.soft)
		switch {
		case c.failure == "impossible":
			if !errors.Is(err, ErrImpossible) {
				t.Errorf("case %d: error %v; want ErrImpossible", i, err)
			}
			continue
		case c.failure != "":
			if !errors.Is(err, ErrState) || !strings.HasSuffix(err.Error(), c.failure) {
				t.Errorf("case %d: error %v; want %s", i, err, c.failure)
			}
			continue
		}
		if err != nil || option != c.option {
			t.Errorf("case %d: option %d, %v; want %d", i, option, err, c.option)
		}
		for k, u := range c.utilities {
			if !(math.Abs(utilities[k]-u) <= 1e-12*max(1, math.Abs(u))) {
				t.Errorf("case %d: utility %v; want %v", i, utilities[k], u)
			}
		}
		if n := testing.AllocsPerRun(5, func() { c.ask(e, &c.ev, &c.soft) }); n != 1 {
			t.Errorf("case %d: %v allocations; want that of the slice", i, n)
		}
	}
}
`
