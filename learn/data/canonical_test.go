package data_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pgmc-go/pgmc/learn/data"
)

// table is rows of real values, which may be missing.
type table struct {
	vars    []data.Var
	rows    [][]float64
	weights []float64
}

func (x table) set(t *testing.T) *data.Set {
	t.Helper()
	s, err := data.NewReal(x.vars, x.rows, x.weights)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// shuffled returns the table with its columns and rows in another order, and other names of columns
// if rename is set.
func (x table) shuffled(rng *rand.Rand, rename bool) table {
	columns, rows := rng.Perm(len(x.vars)), rng.Perm(len(x.rows))
	var out table
	for i, v := range columns {
		out.vars = append(out.vars, x.vars[v])
		if rename {
			out.vars[i].Name = fmt.Sprint("z", i)
		}
	}
	for _, r := range rows {
		var row []float64
		for _, v := range columns {
			row = append(row, x.rows[r][v])
		}
		out.rows = append(out.rows, row)
		if x.weights != nil {
			out.weights = append(out.weights, x.weights[r])
		}
	}
	return out
}

// text lists the columns, without names, and the rows, sorted unless they are in canonical order.
func text(s *data.Set, names, sorted bool) string {
	var list []string
	for i := range s.Len() {
		line := fmt.Sprint(s.Weight(i))
		for v := range s.Vars {
			c := s.Column(v)
			line += fmt.Sprint(" ", c.At(i))
			if x := s.Real(v); x != nil && c.At(i) != data.Missing {
				line += fmt.Sprint(":", x[i])
			}
		}
		list = append(list, line)
	}
	if sorted {
		slices.Sort(list)
	}
	out := ""
	for _, v := range s.Vars {
		if out += fmt.Sprint(len(v.States), v.Real); names {
			out += v.Name
		}
	}
	return fmt.Sprint(out, list)
}

// canonicalTables returns tables with columns that only the rows tell apart.
func canonicalTables() map[string]table {
	rng := rand.New(rand.NewPCG(36, 1))
	states := []string{"0", "1"}
	binary := func(n int) (vars []data.Var) {
		for i := range n {
			vars = append(vars, data.Var{Name: fmt.Sprint("x", i), States: states})
		}
		return vars
	}
	var coins, cycle, cycles, identity, noise [][]float64
	for i := range 16 {
		a, b := float64(i&1), float64(i>>1&1)
		coins = append(coins, []float64{a, b, math.Mod(a+b, 2), float64(i >> 2 & 1)})
	}
	edge := func(n, u, v int) []float64 {
		row := make([]float64, n)
		row[u], row[v] = 1, 1
		return row
	}
	for i := range 6 {
		cycle = append(cycle, edge(6, i, (i+1)%6))
		identity = append(identity, edge(6, i, i))
	}
	for i := range 7 { // a cycle of three and one of four: all columns have two ones
		if i < 3 {
			cycles = append(cycles, edge(7, i, (i+1)%3))
		} else {
			cycles = append(cycles, edge(7, i, 3+(i-2)%4))
		}
	}
	var weights []float64
	for range 40 {
		row := make([]float64, 5)
		for v := range row {
			row[v] = float64(rng.IntN(2))
		}
		row[4] = rng.NormFloat64()
		if rng.IntN(3) == 0 {
			row[rng.IntN(5)] = math.NaN()
		}
		noise, weights = append(noise, row), append(weights, rng.Float64())
	}
	mixed := binary(5)
	mixed[4] = data.Var{Name: "r", Real: true}
	equal := table{vars: binary(6)}
	for _, r := range coins {
		equal.rows = append(equal.rows, []float64{r[0], r[1], r[0], r[0], r[1], r[3]})
	}
	return map[string]table{
		"coins and their sum":     {binary(4), coins, nil},
		"cycle":                   {binary(6), cycle, nil},
		"two cycles":              {binary(7), cycles, nil},
		"identity":                {binary(6), identity, nil},
		"equal columns":           equal,
		"mixed, missing, weights": {mixed, noise, weights},
		"whole weights":           {binary(4), coins, []float64{1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3, 4}},
		"one row":                 {mixed, noise[:1], nil},
	}
}

// The canonical order of columns has the same contents for each order of columns and rows and for
// other names, and the same names for each order.
func TestCanonical(t *testing.T) {
	for name, x := range canonicalTables() {
		t.Run(name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(36, 2))
			want, _ := x.set(t).Canonical(false, 1)
			for range 20 {
				s := x.shuffled(rng, false).set(t)
				got, place := s.Canonical(false, 2)
				if text(got, true, true) != text(want, true, true) {
					t.Fatalf("another order gives %s; want %s", text(got, true, true), text(want, true, true))
				}
				vars, columns := got.Given()
				for at := range vars {
					if vars[at].Name != s.Vars[at].Name || place[columns[at]] != at || got.Vars[columns[at]].Name != vars[at].Name {
						t.Fatalf("column %d of %v is given as %q at %d", at, s.Vars, vars[at].Name, columns[at])
					}
				}
				if name == "mixed, missing, weights" && text(got, true, false) != text(want, true, false) {
					t.Fatal("the rows are in another order")
				}
				renamed, _ := x.shuffled(rng, true).set(t).Canonical(false, 1)
				if text(renamed, false, true) != text(want, false, true) {
					t.Fatalf("other names give %s; want %s", text(renamed, false, true), text(want, false, true))
				}
			}
		})
	}
}
