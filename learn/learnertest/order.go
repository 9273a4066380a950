package learnertest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/ir/options"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/learner"
)

// Order checks that the result of a learner does not depend on the order of columns and rows, nor
// on the names of columns unless columns are exchangeable: the rows stay the same when these
// columns change places.
func Order(t *testing.T, l learner.Learner, args ...string) {
	t.Helper()
	all := contractSets(t, l)
	all = append(all, ties(t), named{"rows, with a rule", all[0].Set})
	rng := rand.New(rand.NewPCG(36, 36))
	for i, set := range all {
		ruled := i == len(all)-1
		t.Run("order of "+set.name, func(t *testing.T) {
			n := len(set.Vars)
			names := make([]string, n)
			for v, x := range set.Vars {
				names[v] = x.Name
			}
			want := relearned(t, l, set.Set, ruled, names, args)
			free := free(set.Set)
			for k := range 4 {
				columns, rows, other := rng.Perm(n), rng.Perm(set.Len()), slices.Clone(names)
				if k == 3 {
					for v := range other {
						other[v] = fmt.Sprint("z", rng.IntN(1000), "_", v)
					}
				}
				got := relearned(t, l, moved(t, set.Set, columns, rows, other), ruled, other, args)
				back := map[string]string{}
				for v, name := range other {
					back[name] = names[v]
				}
				exchanged := k == 3 && free // and sums may be in another order
				switch apart := math.Abs(got.Report.Total - want.Report.Total); {
				case apart > 0 && !exchanged || apart > 1e-12*math.Abs(want.Report.Total):
					t.Errorf("columns %v, rows %v, names %v: score %v; want %v", columns, rows, other, got.Report.Total, want.Report.Total)
				case !exchanged:
					if a, b := content(got, back), content(want, nil); a != b {
						t.Errorf("columns %v, rows %v, names %v: %s; want %s", columns, rows, other, a, b)
					}
				}
			}
		})
	}
}

// ties returns rows of three coins of which each is the parity of the others, and of another one
// that is twice there: no order of them is better than another.
func ties(t *testing.T) named {
	var rows [][]int
	for i := range 32 {
		a, b, d := i&1, i>>1&1, i>>2&1
		rows = append(rows, []int{a, d, b, a ^ b, d})
	}
	return named{"coins", New(t, Vars("a", 2, "d", 2, "b", 2, "c", 2, "e", 2), rows, nil)}
}

// relearned learns from a set with names in the place of others, and passes the class, the order of
// variables and a forbidden edge, if ruled, by name.
func relearned(t *testing.T, l learner.Learner, s *data.Set, ruled bool, names, args []string) *learner.Result {
	t.Helper()
	fs := options.Flags(l.New())
	if fs.Lookup("class") != nil {
		args = append(slices.Clip(args), "-class", names[len(names)-1])
	}
	if fs.Lookup("order") != nil && fs.Lookup("over") == nil {
		args = append(slices.Clip(args), "-order", strings.Join(names, ","))
	}
	if fs.Lookup("forbid") != nil && ruled {
		args = append(slices.Clip(args), "-forbid", names[0]+"->"+names[1])
	}
	r := Learn(t, l, &learner.Job{Train: s, Seed: 5, Cores: 1}, args...)
	sound(t, s, r)
	for i, f := range r.Report.Families {
		if i < len(s.Vars) && f.Variable != s.Vars[i].Name {
			t.Errorf("family %d is of %q; want the order of columns", i, f.Variable)
		}
	}
	return r
}

// moved returns a set with its columns and rows in another order, and with other names, which are
// by column of s.
func moved(t *testing.T, s *data.Set, columns, rows []int, names []string) *data.Set {
	t.Helper()
	var vars []data.Var
	var weights []float64
	table := make([][]float64, len(rows))
	for _, v := range columns {
		x, c, real := s.Vars[v], s.Column(v), s.Real(v)
		x.Name = names[v]
		vars = append(vars, x)
		for i, row := range rows {
			value := float64(c.At(row))
			if c.At(row) == data.Missing {
				value = math.NaN()
			} else if x.Real {
				value = real[row]
			}
			table[i] = append(table[i], value)
		}
	}
	if s.Weights() != nil {
		for _, row := range rows {
			weights = append(weights, s.Weight(row))
		}
	}
	out, err := data.NewReal(vars, table, weights)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// free reports whether some columns of a small set are exchangeable.
func free(s *data.Set) bool {
	rows := func(columns []int) []string {
		var list []string
		for row := range s.Len() {
			line := fmt.Sprint(s.Weight(row))
			for _, v := range columns {
				c := s.Column(v)
				line += fmt.Sprint(" ", c.At(row))
				if real := s.Real(v); real != nil && c.At(row) != data.Missing {
					line += fmt.Sprint(":", real[row])
				}
			}
			list = append(list, line)
		}
		slices.Sort(list)
		return list
	}
	columns := make([]int, len(s.Vars))
	for v := range columns {
		columns[v] = v
	}
	as, found := rows(columns), -1 // found counts the orders with these rows
	var visit func(k int)
	visit = func(k int) {
		if k == len(columns) && slices.Equal(rows(columns), as) {
			found++
		}
		for i := k; i < len(columns); i++ {
			columns[k], columns[i] = columns[i], columns[k]
			if a, b := s.Vars[columns[k]], s.Vars[k]; a.Real == b.Real && slices.Equal(a.States, b.States) {
				visit(k + 1)
			}
			columns[k], columns[i] = columns[i], columns[k]
		}
	}
	visit(0)
	return found > 0
}

// content writes the numbers of models by the names of variables, which it takes from back unless
// that is nil, and lists what the report says of edges.
func content(r *learner.Result, back map[string]string) string {
	name := func(s string) string {
		if back == nil || back[s] == "" {
			return s
		}
		return back[s]
	}
	var list []string
	for i, m := range r.Models {
		for _, f := range m.Factors {
			line := fmt.Sprint(i, " ", f.Child)
			for _, v := range f.Scope {
				line += " " + name(m.Vars[v].Name)
			}
			list = append(list, line+numbers(f.Dist))
		}
	}
	for _, f := range r.Report.Families {
		line := fmt.Sprint("family ", name(f.Variable), f.Score)
		for _, p := range f.Parents {
			line += " " + name(p)
		}
		list = append(list, line)
	}
	slices.Sort(list) // that far, the order of columns
	for _, e := range r.Report.Strengths {
		list = append(list, fmt.Sprint(name(e.From), "->", name(e.To), e.Strength))
	}
	for _, e := range r.Report.Class {
		list = append(list, fmt.Sprint(name(e.From), "->", name(e.To), e.Directed))
	}
	for _, e := range r.Report.Posteriors {
		list = append(list, fmt.Sprint(name(e.From), "->", name(e.To), e.Probability))
	}
	return strings.Join(list, "; ")
}

// numbers writes a distribution.
func numbers(d model.Dist) string { return fmt.Sprintf(" %T %+v", d, reflect.ValueOf(d).Elem()) }
