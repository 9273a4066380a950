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
	var terms []string
	for i := range q.Model.Factors {
		t, err := w.term(i, open, false)
		if err != nil {
			return "", err
		}
		terms = append(terms, t)
	}
	if q.LogZ != 0 {
		terms = append(terms, q.Dialect.Number(-q.LogZ))
	}
	terms = append(terms, w.unread(vars)...)
	return w.finish([]string{w.sum(terms)}, []string{LogP}, w.source(vars))
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
			return diag.Errorf("%v: variable %q is latent, and no column has it; use %v", x.Pos, x.Name, diag.Option{Name: "with-missing"})
		}
	}
	return nil
}

// source returns the source of the terms: the cells, and the joins of parameters. The terms must be
// written before.
func (w *writer) source(vars []model.VarID) string {
	if limit := w.Dialect.Joins; limit > 0 && len(w.joined) >= limit && w.err == nil {
		w.err = diag.Errorf("the query joins the table of parameters %d times; %s takes %d; leave %v out", len(w.joined), w.Dialect.Title(), limit-1, diag.Option{Name: "params"})
	}
	return w.cells(vars) + strings.Join(w.joined, "")
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
	scores := make([][]string, q.Model.Card(target))
	for s := range scores {
		for _, i := range factors {
			t, err := w.term(i, fixed{target, s}, true)
			if err != nil {
				return "", err
			}
			scores[s] = append(scores[s], t)
		}
	}
	return w.normalize(target, scores, blanket)
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
// exponentials of scores, each a list of terms.
func (w *writer) normalize(target model.VarID, scores [][]string, blanket []model.VarID) (string, error) {
	first := make([]string, len(scores))
	logs := make([]string, len(scores))
	for s, terms := range scores {
		logs[s] = w.temp(s)
		first[s] = as(w.sum(terms), logs[s])
	}
	from := w.step(first, w.source(blanket))
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
