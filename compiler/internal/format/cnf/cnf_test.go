package cnf_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/compiler/internal/format/cnf"
	"github.com/pgmc-go/pgmc/compiler/internal/format/formattest"
	"github.com/pgmc-go/pgmc/ir/irtest"
)

// weighted has 4 models, and the weighted count 1.
const weighted = `c t wmc
p cnf 3 2
c p weight 1 0.3 0
c p weight -1 0.7 0
c p weight 2 0.5 0
c p weight -2 0.5 0
1 2 0
-1 3 0
`

// change returns weighted with a text replaced.
func change(from, to string) string { return strings.Replace(weighted, from, to, 1) }

var texts = []formattest.Model{
	{Name: "weighted", Text: weighted, Posteriors: []formattest.Posterior{
		{Var: "x1", State: "1", Want: .3, From: "sums over the 4 models"},
		{Var: "x2", State: "1", Want: .85, From: "sums over the 4 models"},
		{Var: "x3", State: "1", Want: .65, From: "sums over the 4 models"}}},
	{Name: "no clauses", Text: "p cnf 2 0\n", Posteriors: []formattest.Posterior{{Var: "x1", State: "1", Want: .5}}},
	{Name: "several lines", Text: "c\ncomment\np cnf 3 3\n1 2\n 3 0 -1 -1\n0 2 -2 0\n%\n0\n", Posteriors: []formattest.Posterior{{Var: "x2", State: "1", Want: 2. / 3}}},
	{Name: "one weight", Text: "p cnf 1 0\nc p weight -1 0.25 0\n", Warnings: []string{"one weight:2:12: warning: only -1 has a weight; 1 gets 0.75, so that they sum to 1"},
		Posteriors: []formattest.Posterior{{Var: "x1", State: "1", Want: .75}}},
	{Name: "long", Text: "p cnf 10 1\n1 -2 3 4 5 6 7 8 9 10 0\n", Posteriors: []formattest.Posterior{{Var: "x2", State: "1", Want: 511. / 1023}}},
}

var broken = []formattest.Broken{
	{Name: "empty", Want: "empty:1:1: found the end of the file; want a line: p cnf VARIABLES CLAUSES"},
	{Name: "clause first", Text: "1 0\n", Want: `clause first:1:1: found "1"; want a line: p cnf VARIABLES CLAUSES`},
	{Name: "maxsat", Text: change("p cnf 3 2", "p wcnf 3 2 10"), Want: `maxsat:2:3: found "wcnf"; want cnf: weighted MAX-SAT (wcnf) has weights of clauses, which are no weights of literals; toulbar2 reads it`},
	{Name: "variables", Text: change("p cnf 3", "p cnf 9999999"), Want: `variables:2:7: found "9999999"; want the number of variables, at most 262259 in a file of this size`},
	{Name: "words", Text: change("p cnf 3 2", "p cnf 3"), Want: `words:2:3: found "cnf"; want p cnf VARIABLES CLAUSES`},
	{Name: "again", Text: weighted + "p cnf 3 2\n", Want: `again:9:1: found "p"; want one line p cnf only`},
	{Name: "literal", Text: change("-1 3", "-1 4"), Want: `literal:8:4: found "4"; want a literal from -3 to 3, or 0 at the end of a clause`},
	{Name: "end", Text: change("-1 3 0", "-1 3"), Want: `end:8:1: found the end of the file; want 0, which ends the clause`},
	{Name: "few", Text: change("-1 3 0\n", ""), Want: `few:7:1: found 1 clauses; want 2, as the line p cnf says`},
	{Name: "weight", Text: change("0.3", "x"), Want: `weight:3:14: found "x"; want a weight of at least 0`},
	{Name: "negative", Text: change("0.3", "-0.3"), Want: `negative:3:14: found "-0.3"; want a weight of at least 0`},
	{Name: "no literal", Text: change("weight 1", "weight 0"), Want: `no literal:3:12: found "0"; want a literal`},
	{Name: "stranger", Text: change("weight 1", "weight 4"), Want: "stranger:3:12: found a weight of the literal 4; want one for each literal of the 3 variables"},
	{Name: "twice", Text: change("weight -1", "weight 1"), Want: "twice:4:12: found a weight of the literal 1; want one for each literal of the 3 variables"},
	{Name: "large", Text: "p cnf 1 0\nc p weight 1 3 0\n", Want: "large:2:12: found the weight 3 of 1 and none of -1; want both, since the other would be negative"},
	{Name: "short weight", Text: change("0.3 0", ""), Want: `short weight:3:5: found "weight"; want c p weight LITERAL WEIGHT 0`},
	{Name: "projected", Text: change("c t wmc", "c t pmc"), Want: `projected:1:5: found "pmc"; want mc or wmc; projected counts are not read`},
	{Name: "show", Text: change("c t wmc", "c p show 1 0"), Want: `show:1:5: found "show"; want weight; counts that are projected to some variables (show) are not read`},
}

func TestContract(t *testing.T) {
	formattest.Run(t, cnf.Format, formattest.Cases{Models: texts, Errors: broken})
}

// FuzzRead checks that no text makes the reader panic.
func FuzzRead(f *testing.F) {
	for _, c := range texts {
		f.Add(c.Text)
	}
	for _, c := range broken {
		f.Add(c.Text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		format.ReadSource(cnf.Format, &format.Source{Name: "fuzz", Data: []byte(text)}, format.ReadOptions{})
	})
}

// count returns the weighted count of a formula, by the clique tree.
func count(t *testing.T, text string) float64 {
	t.Helper()
	m, list := format.ReadSource(cnf.Format, &format.Source{Name: "f.cnf", Data: []byte(text)}, format.ReadOptions{})
	if err := list.Err(); err != nil {
		t.Fatal(err)
	}
	r, err := compiler.Compile(t.Context(), m, compiler.Options{Queries: []string{"logprob"}, Unnormalised: true})
	if err != nil {
		t.Fatal(err)
	}
	log, err := infer.Of(r, 0).LogProb(t.Context(), nil)
	if errors.Is(err, infer.ErrImpossible) {
		log = math.Inf(-1)
	} else if err != nil {
		t.Fatal(err)
	}
	return math.Exp(log)
}

// TestLongClause counts a formula whose only clause would need a table of 2^60 numbers.
func TestLongClause(t *testing.T) {
	text := "p cnf 60 1\n"
	for v := range 60 {
		text += fmt.Sprint(v+1, " ")
	}
	if got := count(t, text+"0\n"); math.Abs(got/(1<<60-1)-1) > 1e-12 {
		t.Errorf("count %v; want 2^60-1", got)
	}
}

// TestCounts compares counts of random formulas with enumeration of the clauses.
func TestCounts(t *testing.T) {
	for _, seed := range irtest.Cases(t, 200, 1000) {
		rng := rand.New(rand.NewPCG(seed, 0))
		n := 1 + rng.IntN(10+int(seed%11))
		var b strings.Builder
		clauses := make([][]int, rng.IntN(2*n))
		weights := make([][2]float64, n)
		for v := range weights {
			weights[v] = [2]float64{1, 1}
			if rng.IntN(2) == 0 {
				weights[v] = [2]float64{float64(rng.IntN(9)) / 4, float64(rng.IntN(9)) / 4}
				fmt.Fprintf(&b, "c p weight %d %v 0\nc p weight %d %v 0\n", v+1, weights[v][1], -v-1, weights[v][0])
			}
		}
		fmt.Fprintf(&b, "p cnf %d %d\n", n, len(clauses))
		for i := range clauses {
			for range 1 + rng.IntN([]int{3, 3, n + 2}[rng.IntN(3)]) {
				clauses[i] = append(clauses[i], (1+rng.IntN(n))*(1-2*rng.IntN(2)))
			}
			fmt.Fprintln(&b, strings.Trim(fmt.Sprint(clauses[i]), "[]"), 0)
		}
		want := 0.0
		for x := range 1 << n {
			w := 1.0
			for v := range n {
				w *= weights[v][x>>v&1]
			}
			if !slices.ContainsFunc(clauses, func(c []int) bool {
				return !slices.ContainsFunc(c, func(l int) bool { return (l > 0) == (x>>(max(l, -l)-1)&1 == 1) })
			}) {
				want += w
			}
		}
		if got := count(t, b.String()); math.Abs(got-want) > 1e-11*want {
			t.Fatalf("seed %d: count %v; want %v of\n%s", seed, got, want, b.String())
		}
	}
}
