package sql

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/ir/sqltext"
)

// LogP is the name of the column with ln P of a row.
const LogP = "logp"

// Score returns the query of ln P of each complete row. It is NULL if a cell is missing or no value
// of its variable, and minus infinity for an impossible row.
func (q *Query) Score() (string, error) {
	w, err := q.newWriter()
	if err != nil {
		return "", err
	}
	if err := model.Refuse("", "a score in SQL", ^model.Cycles, q.Model.Needs(), nil); err != nil {
		return "", err
	}
	w.numbers = q.Coded || q.Params != ""
	vars := q.Model.IDs()
	if err := w.observable(vars); err != nil {
		return "", err
	}
	var all []int
	for i := range q.Model.Factors {
		all = append(all, i)
	}
	sums, from, err := w.sums(all, []fixed{open}, vars, false)
	if err != nil {
		return "", err
	}
	terms := append(sums[0], w.unread(vars)...)
	if q.LogZ != 0 {
		terms = append(terms, q.Dialect.Number(-q.LogZ))
	}
	return w.finish([]string{w.sum(terms)}, []string{LogP}, from)
}

// maxJoins is the largest number of joins of parameters in one step, if more than one factor needs
// them: planners get slow, and SQLite takes 63.
const maxJoins = 40

// sums returns, for each state of a fixed variable, the terms of factors, and the source that they
// read. It adds steps with the sums of terms that join too many tables.
func (w *writer) sums(factors []int, states []fixed, vars []model.VarID, density bool) (terms [][]string, from string, err error) {
	from, terms = w.cells(vars), make([][]string, len(states))
	for _, i := range factors {
		if len(w.joined) > 0 && len(w.joined)+len(states) > maxJoins {
			var columns []string
			for _, v := range vars {
				columns = append(columns, w.column(v))
			}
			for s := range terms {
				columns = append(columns, as(w.sum(terms[s]), w.temp(s)))
				terms[s] = []string{w.temp(s)}
			}
			from, w.joined = w.step(columns, from+strings.Join(w.joined, "")), nil
		}
		for s, x := range states {
			t, err := w.term(i, x, density)
			if err != nil {
				return nil, "", err
			}
			terms[s] = append(terms[s], t)
		}
	}
	if limit := w.Dialect.Joins; limit > 0 && len(w.joined) >= limit {
		return nil, "", diag.Errorf("a step of the query joins the table of parameters %d times; %s takes %d; leave %v out", len(w.joined), w.Dialect.Title(), limit-1, diag.Option{Name: "params"})
	}
	return terms, from + strings.Join(w.joined, ""), nil
}

// unread returns terms that are 0 if the cells hold values, and NULL otherwise, of the variables
// that no factor reads.
func (w *writer) unread(vars []model.VarID) (terms []string) {
	for _, v := range vars {
		if !slices.ContainsFunc(w.Model.Factors, func(f *model.Factor) bool { return slices.Contains(f.Scope, v) }) {
			terms = append(terms, fmt.Sprintf("CASE WHEN %s IN (%s) THEN %s END", w.column(v), strings.Join(w.states(v), ", "), w.Dialect.Number(0)))
		}
	}
	return terms
}

// observable refuses variables that no column has.
func (w *writer) observable(vars []model.VarID) error {
	for _, v := range vars {
		if x := w.Model.Vars[v]; x.Latent {
			return diag.Errors{diag.At(x.Pos, diag.Errorf("variable %q is latent, and no column has it; use %v", x.Name, diag.Option{Name: "with-missing"}))}
		}
	}
	return nil
}

// Posterior returns the query of the posterior of a variable given the cells of its Markov blanket:
// the probability of each state, or the mean and the variance. It is NULL if a cell is missing or
// no value, or if the evidence is impossible.
func (q *Query) Posterior(target model.VarID) (string, error) {
	w, err := q.newWriter()
	if err != nil {
		return "", err
	}
	w.numbers = q.Coded || q.Params != ""
	factors, blanket := w.around(target)
	if err := w.observable(blanket); err != nil {
		return "", err
	}
	if q.Model.IsReal(target) {
		return w.normalPosterior(target, factors, blanket)
	}
	states := make([]fixed, q.Model.Card(target))
	for s := range states {
		states[s] = fixed{target, s}
	}
	scores, from, err := w.sums(factors, states, blanket, true)
	if err != nil {
		return "", err
	}
	return w.normalize(target, scores, from)
}

// around returns the numbers of the factors on which the posterior of v depends given all other
// variables, and the other variables of their scopes.
func (w *writer) around(v model.VarID) (factors []int, blanket []model.VarID) {
	m := w.Model
	for i, f := range m.Factors {
		if !slices.Contains(f.Scope, v) || m.Kind == model.Dependency && f.ChildVar() != v {
			continue
		}
		factors = append(factors, i)
		for _, x := range f.Scope {
			if x != v && !slices.Contains(blanket, x) {
				blanket = append(blanket, x)
			}
		}
	}
	return factors, blanket
}

// leastExponent bounds differences of logarithms: PostgreSQL ends a query whose exp underflows.
const leastExponent = -700

// normalize returns the query of the probabilities of states that are proportional to the
// exponentials of scores, each a list of terms of a source.
func (w *writer) normalize(target model.VarID, scores [][]string, from string) (string, error) {
	first := make([]string, len(scores))
	logs := make([]string, len(scores))
	for s, terms := range scores {
		logs[s] = w.temp(s)
		first[s] = as(w.sum(terms), logs[s])
	}
	from = w.step(first, from)
	most := w.temp(len(logs))
	none := w.Dialect.Number(math.Inf(-1))
	from = w.step(append(slices.Clone(logs), as(fmt.Sprintf("nullif(%s, %s)", w.Dialect.Most(logs), none), most)), from)
	weights := make([]string, len(logs))
	for s, l := range logs {
		weights[s] = as(fmt.Sprintf("CASE WHEN %[1]s - %[2]s > %[3]s THEN exp(%[1]s - %[2]s) ELSE %[4]s END", l, most, w.Dialect.Number(leastExponent), w.Dialect.Number(0)), l)
	}
	return w.shares(target, logs, w.step(weights, from))
}

// sum returns the sum of terms.
func (w *writer) sum(terms []string) string {
	if len(terms) == 0 {
		return w.Dialect.Number(0)
	}
	return sqltext.Nest("\n + ", terms)
}

// shares returns the query of the probabilities of states that are proportional to columns of the
// last step, which are NULL or 0 together.
func (w *writer) shares(target model.VarID, columns []string, from string) (string, error) {
	var names []string
	for _, s := range w.Model.States(target) {
		names = append(names, w.Dialect.Answer("P", w.Model.Vars[target].Name+"="+s))
	}
	sum := sqltext.Nest(" + ", columns)
	shares := make([]string, len(columns))
	for i, c := range columns {
		shares[i] = fmt.Sprintf("%s / nullif(%s, %s)", c, sum, w.Dialect.Number(0))
	}
	return w.finish(shares, names, from)
}

// normalPosterior returns the query of the mean and the variance of a real variable with Gaussian
// factors. Its precision is the sum over factors of b²/v, and the precision times the mean the sum
// of b·r/v: b is the coefficient of the variable, and r the rest of the child, of a factor with
// variance v.
func (w *writer) normalPosterior(target model.VarID, factors []int, blanket []model.VarID) (string, error) {
	var precision, pull []string
	for _, i := range factors {
		f := w.Model.Factors[i]
		d := f.Gaussian()
		if d == nil {
			return "", w.refuse(f, "no posterior of a real variable in SQL")
		}
		if err := w.regular(f, d, true); err != nil {
			return "", err
		}
		discrete, real := w.Model.SplitParents(f)
		slope := func(r int) float64 {
			if f.ChildVar() == target {
				return -1
			}
			_, coef, _ := d.Row(r)
			return coef[slices.Index(real, target)]
		}
		rows := w.places(discrete, open)
		precision = append(precision, w.choose(discrete, rows, func(r int) string {
			return w.Dialect.Number(float64(slope(r)*slope(r)) / d.Var[r])
		}))
		pull = append(pull, w.choose(discrete, rows, func(r int) string {
			return fmt.Sprintf("%s * (%s)", w.Dialect.Number(slope(r)/d.Var[r]), w.offset(f, d, r, target))
		}))
	}
	p, h := w.temp(0), w.temp(1)
	from := w.step([]string{as(w.sum(precision), p), as(w.sum(pull), h)}, w.cells(blanket))
	name := w.Model.Vars[target].Name
	answers := []string{w.Dialect.Answer("mean", name), w.Dialect.Answer("var", name)}
	return w.finish([]string{h + " / " + p, w.moment(p, h)}, answers, from)
}

// moment returns 1/p, NULL if h is.
func (w *writer) moment(p, h string) string {
	return fmt.Sprintf("CASE WHEN %s IS NOT NULL THEN %s / %s END", h, w.Dialect.Number(1), p)
}
