package sql

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/ir/sqltext"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// maxEntries is the largest table that is made of a factor of another kind.
const maxEntries = 1 << 16

// unset is the state of the target in terms that leave it open.
const unset = -1

// fixed is a variable that has a known state in a term; its state is unset if there is none.
type fixed struct {
	v     model.VarID
	state int
}

// open fixes no variable.
var open = fixed{state: unset}

// free returns a scope without the fixed variable.
func (x fixed) free(scope []model.VarID) (list []model.VarID) {
	for _, v := range scope {
		if x.state == unset || v != x.v {
			list = append(list, v)
		}
	}
	return list
}

// entries returns the logarithms of the values of f, row-major over its scope.
func (w *writer) entries(f *model.Factor) ([]float64, error) {
	if len(f.Scope) == 0 || f.Circuit() != nil {
		return nil, w.refuse(f, "no form in SQL")
	}
	for _, v := range f.Scope {
		if w.Model.IsReal(v) {
			return nil, w.refuse(f, "no form in SQL")
		}
	}
	values, err := w.Model.Tabulate(f, maxEntries)
	if err != nil {
		return nil, w.refuse(f, fmt.Sprintf("more than %d joint states", maxEntries))
	}
	logs := make([]float64, len(values))
	for i, x := range values {
		logs[i] = pgmrt.Ln(x)
	}
	return logs, nil
}

// refuse returns the error for a factor.
func (w *writer) refuse(f *model.Factor, why string) error {
	return diag.Errors{diag.At(f.Pos, fmt.Errorf("the %s is of kind %s and has %s; use pgmc score or pgmc predict", w.Model.FactorName(f), f.Dist.Kind(), why))}
}

// term returns the expression of ln f in which a variable may be fixed. Unless density is true, a
// Gaussian CPD may have rows of variance 0.
func (w *writer) term(number int, x fixed, density bool) (string, error) {
	f := w.Model.Factors[number]
	if d := f.Gaussian(); d != nil {
		return w.normal(f, d, x, density)
	}
	logs, err := w.entries(f)
	if err != nil {
		return "", err
	}
	scope := x.free(f.Scope)
	if w.Params != "" {
		return w.join(number, x), nil
	}
	rows := w.places(f.Scope, x)
	if w.Coded && len(scope) > 0 {
		list := make([]float64, len(rows))
		for i, r := range rows {
			list[i] = logs[r]
		}
		if text, ok := w.Dialect.Element(list, w.index(scope, open)); ok {
			return text, nil
		}
	}
	return w.choose(scope, rows, func(r int) string { return w.Dialect.Number(logs[r]) }), nil
}

// places returns the row-major places in a table over scope of the joint states that x leaves.
func (w *writer) places(scope []model.VarID, x fixed) []int {
	list := []int{0}
	for _, v := range scope {
		first, last := 0, w.Model.Card(v)
		if x.state != unset && v == x.v {
			first, last = x.state, x.state+1
		}
		var next []int
		for _, at := range list {
			for s := first; s < last; s++ {
				next = append(next, at*w.Model.Card(v)+s)
			}
		}
		list = next
	}
	return list
}

// choose returns the expression that chooses among rows, one for each joint state of scope.
func (w *writer) choose(scope []model.VarID, rows []int, leaf func(row int) string) string {
	if len(scope) == 0 {
		return leaf(rows[0])
	}
	b := &strings.Builder{}
	fmt.Fprintf(b, "CASE %s", w.column(scope[0]))
	states := w.states(scope[0])
	n := len(rows) / len(states)
	for _, s := range w.likely(scope[0]) {
		fmt.Fprintf(b, " WHEN %s THEN %s", states[s], w.choose(scope[1:], rows[s*n:(s+1)*n], leaf))
	}
	return b.String() + " END"
}

// likely returns the states of v, likely ones first by the mean of the rows of its CPD: an engine
// compares a cell with one state after the other.
func (w *writer) likely(v model.VarID) []int {
	if w.order[v] != nil {
		return w.order[v]
	}
	states := make([]int, w.Model.Card(v))
	sums := make([]float64, len(states))
	for s := range states {
		states[s] = s
	}
	if f := w.Model.CPD(v); f != nil {
		if values, ok := f.Table(); ok {
			inner := len(w.places(f.Scope[f.Child+1:], open))
			for i, x := range values {
				sums[i/inner%len(states)] += x
			}
		}
	}
	slices.SortStableFunc(states, func(a, b int) int { return cmp.Compare(sums[b], sums[a]) })
	w.order[v] = states
	return states
}

// index returns the expression of the row-major place of a joint state, whose cells are numbers.
func (w *writer) index(scope []model.VarID, x fixed) string {
	var terms []string
	stride := 1
	for i := len(scope) - 1; i >= 0; i-- {
		v := scope[i]
		switch {
		case x.state != unset && v == x.v:
			terms = append(terms, strconv.Itoa(x.state*stride))
		case stride == 1:
			terms = append(terms, w.column(v))
		default:
			terms = append(terms, fmt.Sprintf("%s * %d", w.column(v), stride))
		}
		stride *= w.Model.Card(v)
	}
	return sqltext.Nest(" + ", terms)
}

// join joins the table of parameters once more and returns the column of the logarithm.
func (w *writer) join(number int, x fixed) string {
	name := fmt.Sprintf("%sp%d", w.prefix, len(w.joined))
	params, err := w.Dialect.Table(w.Params)
	w.keep("", err)
	w.joined = append(w.joined, fmt.Sprintf("\nLEFT JOIN %s AS %s ON %s.%s = %d AND %s.%s = %s",
		params, name, name, paramColumns[0], number, name, paramColumns[1], w.index(w.Model.Factors[number].Scope, x)))
	return name + "." + paramColumns[2]
}

// normal returns the expression of the log density of a Gaussian CPD.
func (w *writer) normal(f *model.Factor, d *model.Gaussian, x fixed, density bool) (string, error) {
	if err := w.regular(f, d, density); err != nil {
		return "", err
	}
	discrete, _ := w.Model.SplitParents(f)
	return w.choose(x.free(discrete), w.places(discrete, x), func(r int) string {
		off := w.offset(f, d, r, unset)
		if _, _, variance := d.Row(r); variance > 0 {
			return fmt.Sprintf("%[1]s - %[2]s * (%[3]s) * (%[3]s)", w.Dialect.Number(-.5*pgmrt.Ln(2*math.Pi*variance)), w.Dialect.Number(.5/variance), off)
		}
		size := strings.Join(w.sizes(f, d, r), " + ")
		return fmt.Sprintf("CASE WHEN abs(%[1]s) <= %[2]s * (%[3]s) THEN %[4]s WHEN abs(%[1]s) > %[2]s * (%[3]s) THEN %[5]s END",
			off, w.Dialect.Number(model.FunctionTolerance), size, w.Dialect.Number(0), w.Dialect.Number(math.Inf(-1)))
	}), nil
}

// regular refuses a Gaussian CPD of a circular variable and, if density is true, one with rows of
// variance 0.
func (w *writer) regular(f *model.Factor, d *model.Gaussian, density bool) error {
	switch {
	case w.Model.Period(f.ChildVar()) != 0:
		return w.refuse(f, "a child with a period")
	case density && d.HasZeros():
		return w.refuse(f, "a row of variance 0, which has no density")
	}
	return nil
}

// offset returns the expression of the child's difference from its mean in row r, without the term
// of the variable without, unless that is unset.
func (w *writer) offset(f *model.Factor, d *model.Gaussian, r int, without model.VarID) string {
	mean, coef, _ := d.Row(r)
	terms := []string{w.Dialect.Number(-mean)}
	if f.ChildVar() != without {
		terms = append(terms, w.column(f.ChildVar()))
	}
	_, real := w.Model.SplitParents(f)
	for k, p := range real {
		if p != without {
			terms = append(terms, w.Dialect.Number(-coef[k])+" * "+w.column(p))
		}
	}
	return sqltext.Nest(" + ", terms)
}

// sizes returns the absolute values of the terms of offset.
func (w *writer) sizes(f *model.Factor, d *model.Gaussian, r int) []string {
	mean, coef, _ := d.Row(r)
	list := []string{w.Dialect.Number(math.Abs(mean)), "abs(" + w.column(f.ChildVar()) + ")"}
	_, real := w.Model.SplitParents(f)
	for k, p := range real {
		list = append(list, fmt.Sprintf("abs(%s * %s)", w.Dialect.Number(coef[k]), w.column(p)))
	}
	return list
}

// paramColumns are the columns of the table of parameters: the number of a factor, the row-major
// place of a joint state, and the logarithm of the value there.
var paramColumns = []string{"pgmc_factor", "pgmc_entry", "pgmc_ln"}

// Parameters returns the statements that create and fill the table Params with the parameters of
// the factors over states.
func (q *Query) Parameters() (string, error) {
	w := &writer{Query: q}
	params, err := q.Dialect.Table(q.Params)
	if err != nil {
		return "", err
	}
	b := &strings.Builder{}
	enforced := ""
	if q.Dialect.ID == "bigquery" {
		enforced = " NOT ENFORCED"
	}
	fmt.Fprintf(b, "CREATE TABLE %[1]s (%[2]s %[5]s NOT NULL, %[3]s %[5]s NOT NULL, %[4]s %[6]s NOT NULL, PRIMARY KEY (%[2]s, %[3]s)%[7]s);\n",
		params, paramColumns[0], paramColumns[1], paramColumns[2], q.Dialect.Int, q.Dialect.Real, enforced)
	for number, f := range q.Model.Factors {
		if f.Gaussian() != nil {
			continue
		}
		logs, err := w.entries(f)
		if err != nil {
			return "", err
		}
		for i, x := range logs {
			switch {
			case i%insertRows == 0:
				fmt.Fprintf(b, "INSERT INTO %s VALUES\n", params)
			default:
				b.WriteString(",\n")
			}
			fmt.Fprintf(b, "(%d, %d, %s)", number, i, q.Dialect.Number(x))
			if i%insertRows == insertRows-1 || i == len(logs)-1 {
				b.WriteString(";\n")
			}
		}
	}
	return b.String(), nil
}

// insertRows is the largest number of rows of an INSERT, which keeps statements far below the
// limits of engines.
const insertRows = 1000
