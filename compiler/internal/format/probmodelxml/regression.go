package probmodelxml

import (
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/text"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// maxExpression bounds the bytes of an expression.
const maxExpression = 1 << 14

// term is an expression of the parents with a coefficient.
type term struct {
	coefficient float64
	shape       bool        // the coefficient is the logarithm of the shape of a Weibull distribution
	value       *model.Func // nil for 1
}

// calculates reports whether a potential is a function of the numbers of its parents.
func (q *potential) calculates() bool {
	return q.regression() || q.kind == "Sum" || q.kind == "Product" || q.kind == "Function"
}

// regression reports whether a potential has covariates with coefficients.
func (q *potential) regression() bool {
	return q.hazard() || q.kind == "Linearcombination" || q.kind == "Linearregression" || q.kind == "Exponential"
}

// hazard reports whether a potential is the probability that something happens in a cycle.
func (q *potential) hazard() bool { return q.weibull() || q.kind == "Hazard(Exponential)" }

func (q *potential) weibull() bool { return q.kind == "Hazard(Weibull)" }

// compile reads the expressions of a potential.
func (f *family) compile(q *potential) bool {
	if q.terms != nil {
		return true
	}
	if len(q.covariates) == 0 && q.regression() {
		q.covariates = q.usual()
	}
	switch name := text.Quote(f.child.name); {
	case q.regression() && len(q.coefficients) != len(q.covariates):
		f.Errorf(q.pos, "found %d coefficients and %d covariates of %s; want as many", len(q.coefficients), len(q.covariates), name)
		return false
	case q.hazard() && !f.checkHazard(q):
		return false
	}
	f.prepare()
	q.terms = []term{}
	switch q.kind {
	case "Function":
		fn := f.expression(q.function, q.pos)
		q.terms = append(q.terms, term{value: fn})
		return fn != nil
	case "Sum", "Product":
		for _, r := range q.vars[min(1, len(q.vars)):] {
			i := f.find(r)
			switch {
			case i < 0:
				f.Errorf(r.pos, "found %s in the potential of %s; want one of its parents", text.Quote(r.name), text.Quote(f.child.name))
				return false
			case !f.measurable(i, q.pos):
				return false
			}
			q.terms = append(q.terms, term{1, false, &model.Func{Nodes: []model.FuncNode{{Op: model.FuncVar, Axis: i}}}})
		}
		return true
	}
	for i, c := range q.covariates {
		t := term{coefficient: q.coefficients[i], shape: c.text == "Gamma" && q.weibull()}
		if c.text != "Constant" && !t.shape {
			if t.value = f.expression(c.text, c.pos); t.value == nil {
				return false
			}
		}
		q.terms = append(q.terms, t)
	}
	return true
}

// usual returns the covariates of a potential that lists none: constants, and then its parents.
func (q *potential) usual() (list []covariate) {
	if q.weibull() {
		list = append(list, covariate{"Gamma", q.pos})
	}
	list = append(list, covariate{"Constant", q.pos})
	for _, r := range q.vars[min(1, len(q.vars)):] {
		switch {
		case q.time != nil && r == *q.time: // the number of the slice
		case r.slice >= 0:
			list = append(list, covariate{"{" + r.name + " [" + strconv.Itoa(r.slice) + "]}", r.pos})
		default:
			list = append(list, covariate{"{" + r.name + "}", r.pos})
		}
	}
	return list
}

// checkHazard checks what the probability of an event needs.
func (f *family) checkHazard(q *potential) bool {
	name, shapes := text.Quote(f.child.name), 0
	for _, c := range q.covariates {
		if c.text == "Gamma" {
			shapes++
		}
	}
	switch {
	case len(f.child.states) != 2:
		f.Errorf(q.pos, "variable %s with a hazard has %d states; want 2", name, len(f.child.states))
	case f.builder.time.cycle != 1:
		f.Errorf(q.pos, "found the hazard of %s in cycles of length %v; want 1", name, f.builder.time.cycle)
	case q.weibull() && shapes != 1:
		f.Errorf(q.pos, "found %d covariates Gamma of %s; want 1", shapes, name)
	case q.weibull() && q.time != nil && f.find(*q.time) < 0:
		f.Errorf(q.time.pos, "found the time %s of the hazard of %s; want one of its parents", text.Quote(q.time.name), name)
	default:
		return q.time == nil || !q.weibull() || f.measurable(f.find(*q.time), q.pos)
	}
	return false
}

// prepare makes what expressions need.
func (f *family) prepare() {
	if f.scope != nil {
		return
	}
	f.scope, f.values = &model.Factor{}, make([]float64, len(f.refs))
	for i, r := range f.refs {
		f.scope.Scope = append(f.scope.Scope, model.VarID(i))
		full := r.name + " [" + strconv.Itoa(r.slice) + "]"
		for _, name := range []string{r.name, full, "{" + r.name + "}", "{" + full + "}"} {
			f.names = append(f.names, named{name, i})
		}
	}
}

// measurable reports whether a parent has a number: a given one has only an interval.
func (f *family) measurable(i int, pos diag.Pos) bool {
	if p := f.parents[i]; p.given && p.first.kind == "numeric" {
		f.Errorf(pos, "the potential of %s needs the number %s, which has no distribution; want one that is a number in each slice", text.Quote(f.child.name), text.Quote(p.name))
		return false
	}
	return true
}

// expression reads an expression of the parents, or returns nil after an error.
func (f *family) expression(s string, pos diag.Pos) *model.Func {
	if len(s) > maxExpression {
		f.Errorf(pos, "found an expression of %d bytes; want at most %d", len(s), maxExpression)
		return nil
	}
	nodes, err := model.ParseFunc(f.numbered(s), model.FuncNames{Axis: func(name string) (int, bool) {
		i, err := strconv.Atoi(name)
		return i, err == nil && i < len(f.refs)
	}})
	var where *model.FuncError
	if errors.As(err, &where) {
		f.Errorf(pos, "in the expression %s of %s, %s", text.Quote(s), text.Quote(f.child.name), where.Msg)
		return nil
	}
	for _, n := range nodes {
		if n.Op == model.FuncVar && !f.measurable(n.Axis, pos) {
			return nil
		}
	}
	return &model.Func{Nodes: nodes}
}

// named is a form of the name of a parent in expressions.
type named struct {
	name   string
	parent int
}

// numbered replaces the names of parents in an expression by their numbers in backquotes.
func (f *family) numbered(s string) string {
	var out strings.Builder
	for i := 0; i < len(s); {
		n := f.longest(s[i:])
		if n.name == "" || i > 0 && nameByte(s[i-1]) && nameByte(s[i]) {
			out.WriteByte(s[i])
			i++
			continue
		}
		out.WriteString("`" + strconv.Itoa(n.parent) + "`")
		i += len(n.name)
	}
	return out.String()
}

// longest returns the longest name of a parent at the start of an expression. It is no part of a
// longer word, and no function.
func (f *family) longest(s string) (best named) {
	for _, n := range f.names {
		if len(n.name) <= len(best.name) || !strings.HasPrefix(s, n.name) {
			continue
		}
		rest := s[len(n.name):]
		if rest != "" && nameByte(rest[0]) && nameByte(n.name[len(n.name)-1]) || strings.HasPrefix(strings.TrimLeft(rest, " "), "(") {
			continue
		}
		best = n
	}
	return best
}

func nameByte(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z' || c >= 0x80
}

// measure returns the number of a parent: that of a numeric one, or else that which names its
// state, or the number of its state.
func (f *family) measure(i int) float64 {
	p, s := f.parents[i], f.state[i]
	if p.first.kind == "numeric" {
		return p.numbers[s]
	}
	if x, err := text.Number(p.states[s]); err == nil {
		return x
	}
	return float64(s)
}

// measures finds the numbers of the parents for the evaluation of a potential.
func (f *family) measures(q *potential) {
	f.prepare()
	steps := len(f.values)
	for i := range f.values {
		f.values[i] = f.measure(i)
	}
	for _, t := range q.terms {
		if t.value != nil {
			steps += len(t.value.Nodes)
		}
	}
	f.spend(steps, q.pos)
}

// evaluate returns the value of a term without its coefficient.
func (f *family) evaluate(t term) float64 {
	if t.value == nil {
		return 1
	}
	if n := len(t.value.Nodes); n > len(f.buf) {
		f.buf = make([]float64, n)
	}
	return t.value.Eval(f.scope, nil, f.values, f.buf)
}

// predictor returns the sum of the covariates, each times its coefficient.
func (f *family) predictor(q *potential) (sum float64) {
	for _, t := range q.terms {
		if !t.shape {
			sum += float64(t.coefficient * f.evaluate(t))
		}
	}
	return sum
}

// value returns the number that a potential is, given the state of the parents.
func (f *family) value(q *potential) float64 {
	if q.calculates() {
		f.measures(q)
	}
	switch q.kind {
	case "Tree/ADD":
		if b := f.branch(q); b != nil {
			return f.value(b)
		}
		return 0
	case "Uniform":
		return 0
	case "Delta":
		return q.number
	case "CycleLengthShift":
		return f.measure(f.find(q.vars[1])) + f.builder.time.cycle
	case "Exponential":
		return math.Exp(f.predictor(q))
	case "Function":
		return f.evaluate(q.terms[0])
	case "Product":
		product := 1.0
		for _, t := range q.terms {
			product *= f.evaluate(t)
		}
		return product
	case "Table", "ProbTable":
		return q.values[f.entry(q)]
	}
	return f.predictor(q) // a linear combination, or a sum
}

// hazard sets the probability that something happens in a cycle, and that it does not. A Weibull
// distribution has the cumulative hazard λ·t^s; the regression is that of ln λ, unless the file
// says otherwise. Nothing happens up to time 0. The time of a variable without a slice is 1.
func (f *family) hazard(q *potential, out []float64) {
	f.measures(q)
	t, shape := 1.0, 1.0
	switch {
	case q.weibull() && q.time != nil:
		t = f.measure(f.find(*q.time)) + float64(f.at-q.time.slice)
	case f.at >= 0 && f.next == nil:
		t = 0
	}
	if i := slices.IndexFunc(q.terms, func(t term) bool { return t.shape }); i >= 0 {
		shape = math.Exp(q.terms[i].coefficient)
	}
	lambda := f.predictor(q)
	if !q.plain {
		lambda = math.Exp(lambda)
	}
	p := 0.0
	if t > 0 {
		p = -math.Expm1(lambda * (math.Pow(max(0, t-1), shape) - math.Pow(t, shape)))
	}
	if !(0 <= p && p <= 1) {
		if f.possible() {
			f.Errorf(q.pos, "the hazard of %s gives the probability %v%s; want one from 0 to 1", text.Quote(f.child.name), p, f.where())
		}
		p = 0
	}
	out[0], out[1] = 1-p, p
}

// possible reports whether the numeric parents can have their states in the same slice of the file.
func (f *family) possible() bool {
	f.spend(f.steps*(1+len(f.parents)), f.start())
	for t := range f.steps {
		if f.meet(t) {
			return true
		}
	}
	return f.template() && f.builder.time.slices == 0 // the slices have no end
}

// meet reports whether the numeric parents can have their states if the child is in slice t.
func (f *family) meet(t int) bool {
	for i, p := range f.parents {
		at := f.slice(i, t)
		if p.values != nil && (at < 0 || at >= len(p.values) || !slices.Contains(p.values[at], int32(f.state[i]))) {
			return false
		}
	}
	return true
}
