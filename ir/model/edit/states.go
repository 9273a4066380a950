package edit

import (
	"fmt"
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// NewState is a state that a variable gets.
type NewState struct {
	Name string
	From int // the number of the state that it was; negative for a new one
}

// SetStates gives a discrete variable the states of list, in its order. It renames, moves, adds and
// removes states. The latent copies of the variable some slices ago get the same states.
func SetStates(m *model.Model, v model.VarID, list []NewState, limit int) (out *model.Model, effects []Effect, err error) {
	if out, effects, err = setStates(m, v, list, limit); err != nil {
		return nil, nil, err
	}
	held := m.Copies(v)
	for _, w := range held {
		next, more, err := setStates(out, w, list, limit)
		if err != nil {
			return nil, nil, err
		}
		out, effects = next, append(effects, more...)
	}
	for _, w := range held {
		effects = takeOver(out, w, effects)
	}
	return checked(out, effects)
}

// setStates is SetStates for v alone.
func setStates(m *model.Model, v model.VarID, list []NewState, limit int) (*model.Model, []Effect, error) {
	if m.IsReal(v) {
		return nil, nil, fmt.Errorf("%s is real and has no states", name(m, v))
	}
	r, names := &recoding{m: m, v: v, card: m.Card(v), limit: limit}, make([]string, len(list))
	for i, s := range list {
		switch {
		case s.From >= r.card:
			return nil, nil, fmt.Errorf("%s has no state number %d", name(m, v), s.From)
		case s.From >= 0 && slices.Contains(r.from, s.From):
			return nil, nil, fmt.Errorf("the state %q of %s is there twice", m.States(v)[s.From], name(m, v))
		}
		names[i], r.from = s.Name, append(r.from, max(s.From, -1))
	}
	out := copyOf(m)
	rename := func(m *model.Model, v model.VarID) {
		w := *m.Vars[v]
		w.Domain = model.Discrete{States: names}
		m.Vars[v] = &w
	}
	if len(list) == 0 || len(list) == r.card && r.from[0] >= 0 && slices.IsSorted(r.from) {
		rename(out, v)
		return checked(out, nil) // the check refuses a variable without states
	}
	effects, err := throughout(out, v, func(m *model.Model, v model.VarID) ([]Effect, error) {
		r := &recoding{m: m, v: v, card: r.card, from: r.from, limit: limit}
		effects, err := each(m, v, r.restated)
		effects = append(effects, r.utilities(m)...)
		rename(m, v)
		return effects, err
	})
	if err != nil {
		return nil, nil, err
	}
	return checked(out, append(effects, r.asymmetry(out)...))
}

// recoding makes rows for other states of v.
type recoding struct {
	m       *model.Model // with the old states
	v       model.VarID
	card    int       // the number of old states; 1 of a parent that is added
	from    []int     // by new state: the old one, or -1
	weights []float64 // in place of from: of the old states of a parent that is removed
	zeros   bool      // a row of zeros says that the states of the parents cannot be
	limit   int       // the most numbers of a list of rows
}

// factor returns f over scope with the rows that change returns, and a note if it is a table now.
func (r *recoding) factor(f *model.Factor, scope []model.VarID, change model.RowChange) (g *model.Factor, note string, err error) {
	var large error
	within := func(rows []float64, over []model.VarID, unknown []float64) []float64 {
		if n := float64(len(rows)/r.card) * float64(len(r.from)); n > float64(r.limit) {
			large = fmt.Errorf("the table of %s would have e^%.1f numbers; the limit is %d", name(r.m, f.ChildVar()), pgmrt.Ln(n), r.limit)
			return nil
		}
		return change(rows, over, unknown)
	}
	var d model.Dist
	if own, ok := f.Dist.(model.Rowwise); ok {
		d = own.MapRows(r.m, f, scope, r.v, within)
	}
	if d == nil {
		if f, note, err = tabulated(r.m, f, r.limit); err != nil {
			return nil, "", err
		}
		d = f.Dist.(model.Rowwise).MapRows(r.m, f, scope, r.v, within)
	}
	return revised(f, scope, d), note, large
}

// restated returns the CPD f with the new states.
func (r *recoding) restated(f *model.Factor) (g *model.Factor, e Effect, err error) {
	child, added := f.ChildVar(), len(r.from)-len(r.kept())
	r.zeros = zerosAllowed(r.m, f)
	if child < 0 {
		return nil, e, fmt.Errorf("the %s names %s; want a variable of a network of CPDs to add, remove or move states", r.m.FactorName(f), name(r.m, r.v))
	}
	e.Of = r.m.FactorName(f)
	discrete, real := r.m.SplitParents(f)
	scope, note, change := append(slices.Concat(discrete, real), child), "", r.rows
	switch {
	case child == r.v && len(real) > 0 && added > 0:
		return nil, e, fmt.Errorf("the CPD of %s is of kind %s, which has no probability 0 for a new state; want a new variable", name(r.m, r.v), f.Dist.Kind())
	case child == r.v && len(real) > 0:
		e.Text = r.text("the states of %s that stay keep their proportions")
	case child == r.v:
		e.Text, change = r.text("the states of %s that stay keep their proportions"), r.along(&e)
		if added > 0 {
			e.Text += "; new ones have the probability 0 where others are above 0"
		}
		if !slices.IsSorted(r.kept()) { // the maximum of a noisy-max is by the order of states
			f, note, err = tabulated(r.m, f, r.limit)
		}
	case isExpression(r.m, f):
		err = inExpression(r.m, f, "states of "+name(r.m, r.v))
	default:
		e.Text = r.text("its rows are kept for the states of %s that stay")
	}
	if err != nil {
		return nil, e, err
	}
	e.Text += note
	if g, note, err = r.factor(f, scope, change); err != nil {
		return nil, e, err
	}
	e.Text += note
	if words := wordsOf(g); child != r.v && added > 0 && words.unknown != "" {
		e.Text += words.unknown
	} else if child != r.v {
		n, _ := r.m.TableSize(discrete)
		e.Uniform = n / r.card * added
	}
	return g, e, nil
}

// kept returns the old states that stay, in their new order.
func (r *recoding) kept() []int {
	return slices.DeleteFunc(slices.Clone(r.from), func(s int) bool { return s < 0 })
}

// text returns a text about the states that stay, or that there are none.
func (r *recoding) text(format string) string {
	if len(r.kept()) == 0 {
		format = "no state of %s stays"
	}
	return fmt.Sprintf(format, name(r.m, r.v))
}

// rows returns rows for the new states of v.
func (r *recoding) rows(rows []float64, over []model.VarID, unknown []float64) (out []float64) {
	inner := 1
	if i := slices.Index(over, r.v); i >= 0 {
		inner, _ = r.m.TableSize(over[i+1:])
	}
	n := inner * len(unknown)
	for ; n > 0 && len(rows) > 0; rows = rows[r.card*n:] {
		for i := 0; r.weights != nil && i < n; i += len(unknown) {
			var list [][]float64
			for s := range r.weights {
				list = append(list, rows[s*n+i:][:len(unknown)])
			}
			out = append(out, r.mean(list)...)
		}
		for _, s := range r.from {
			if s >= 0 {
				out = append(out, rows[s*n:][:n]...)
			} else {
				out = append(out, slices.Repeat(unknown, inner)...)
			}
		}
	}
	return out
}

// mean returns the weighted mean of rows, one for each old state of v, with 15 digits. Missing rows
// do not count, and the weights of the others are made to sum to 1.
func (r *recoding) mean(rows [][]float64) []float64 {
	out, sum, missing := make([]float64, len(rows[0])), 0.0, 0
	for s, row := range rows {
		if r.missing(row) {
			missing++
			continue
		}
		sum += r.weights[s]
		for i, x := range row {
			out[i] += float64(r.weights[s] * x)
		}
	}
	switch {
	case missing == len(rows):
		return rows[0]
	case missing == 0:
		sum = 1
	case sum == 0: // only missing rows have a weight
		equal := *r
		equal.weights = uniform(r.card)
		return equal.mean(rows)
	}
	for i, x := range out {
		out[i] = rounded(x / sum)
	}
	return out
}

// missing reports whether the numbers of a row are undefined, or zeros that are no distribution.
func (r *recoding) missing(row []float64) bool {
	return !slices.ContainsFunc(row, func(x float64) bool { return !math.IsNaN(x) && (x != 0 || !r.zeros) })
}

// along returns rows of v itself with the new states, and counts those that become uniform in e.
// Missing rows stay so.
func (r *recoding) along(e *Effect) model.RowChange {
	return func(rows []float64, _ []model.VarID, _ []float64) (out []float64) {
		for old := range slices.Chunk(rows, r.card) {
			row, sum := make([]float64, len(r.from)), 0.0
			if r.missing(old) {
				out = append(out, slices.Repeat(old[:1], len(row))...)
				continue
			}
			for i, s := range r.from {
				if s >= 0 {
					row[i] = old[s]
				}
				sum += row[i]
			}
			switch {
			case sum == 0:
				row = uniform(len(row))
				e.Uniform++
			case len(r.kept()) < r.card:
				for i := range row {
					row[i] = rounded(row[i] / sum)
				}
			}
			out = append(out, row...)
		}
		return out
	}
}

// utilities changes the utilities of v; a new state has the utility 0.
func (r *recoding) utilities(out *model.Model) (effects []Effect) {
	if out.Diagram == nil {
		return nil
	}
	for i, u := range out.Diagram.Utilities {
		if !slices.Contains(u.Scope, r.v) {
			continue
		}
		w, e := *u, Effect{Of: utilityName(u), Text: r.text("its numbers are kept for the states of %s that stay")}
		w.Values = r.rows(u.Values, u.Scope, []float64{0})
		if slices.Contains(r.from, -1) {
			e.Text += ", and 0 for new ones"
		}
		out.Diagram.Utilities[i] = &w
		effects = append(effects, e)
	}
	return effects
}
