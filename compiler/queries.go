package compiler

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// maxPosteriors is the number of variables up to which each has a posterior query of its own by
// default.
const maxPosteriors = 64

// MaxCompletions is the largest number of completions that kmpe takes.
const MaxCompletions = 1000

// ParseQueries parses query specifications. A specification is one of
//
// - the name of a kind that needs no argument, such as marginals
// - the word of an approximate method
// - batch (marginals and logprob for many rows) or posteriors
// - gate, another word for innovation, whose answer says which measurements pass
// - kmpe=5, for the five most probable completions
// - A, for the posterior of one variable
// - joint(A, B) or map(A, B)
// - best(A), for the options of one decision, and information(A), for what variables tell it; best
// and information are for each decision
// - maxmarginals(A, B), for the max-marginals of joint states
// - mixture(X), for the posterior of a real variable as a mixture of normal distributions
// - A | B, do(C), a signature in which C is set by intervention
//
// One string may hold several, separated by commas at top level, unless one of them is a signature.
// Names that contain , | = ( ) or blanks are written in double quotes, as in Go. Without
// specifications, ParseQueries returns the default queries. They leave out completions if the model
// is a large circuit with maxima that are not completions.
func ParseQueries(specs []string, m *model.Model) ([]*ir.Query, error) {
	p := &queryParser{m: m, seen: map[string]bool{}}
	if len(specs) == 0 {
		specs = []string{"marginals", "logprob", "mpe", "sample", "batch"}
		if x := Preferred(m); x != nil && x.Circuits != nil && !x.Circuits.Completes(m) {
			specs = []string{"marginals", "logprob", "sample", "batch"}
		}
		if x := Preferred(m); x != nil && x.Defaults != nil {
			specs = slices.Clone(x.Defaults)
		}
		if len(m.Vars) <= maxPosteriors && slices.Contains(specs, ir.Marginals.String()) {
			specs = append(specs, "posteriors")
		}
	}
	for _, spec := range specs {
		if err := p.spec(spec); err != nil {
			return nil, fmt.Errorf("query %q: %w", spec, err)
		}
	}
	return p.queries, nil
}

// checkQueries returns an error if a query has no answer for m when its parameters have the given
// mode.
func checkQueries(m *model.Model, queries []*ir.Query, params ir.ParamMode) error {
	for _, q := range queries {
		switch {
		case q.Kind.Wants() != ir.WantsParams && q.Kind.Wants() != ir.WantsLearner:
		case params != ir.Var:
			return diag.Errorf("query %q: derivatives by parameters need parameters that can be replaced; compile with %v", Specification(m, q),
				diag.Option{Name: "params", Value: "var"})
		case len(m.Factors) == 0:
			return fmt.Errorf("query %q: the model has no parameters", Specification(m, q))
		}
	}
	return nil
}

type queryParser struct {
	m       *model.Model
	queries []*ir.Query
	seen    map[string]bool
}

// spec reads one specification.
func (p *queryParser) spec(s string) error {
	words, err := splitQuery(s)
	if err != nil {
		return err
	}
	if i := indexWord(words, "|"); i >= 0 {
		return p.signature(words[:i], words[i+1:])
	}
	items, err := readItems(words)
	if err != nil {
		return err
	}
	for _, it := range items {
		if err := p.item(it); err != nil {
			return err
		}
	}
	return nil
}

// asked returns the queries that a word asks for; nil if it is none.
func (p *queryParser) asked(word string) []*ir.Query {
	switch word {
	case "batch":
		return append(p.asked("marginals"), p.asked("logprob")...)
	case "gate":
		return p.asked("innovation")
	}
	for k := range ir.Kinds {
		row := &ir.Kinds[k]
		if row.Name == word && (row.Wants == ir.WantsNothing || row.Wants == ir.WantsParams || row.Wants == ir.WantsLearner) {
			return []*ir.Query{{Name: word, Kind: ir.QueryKind(k)}}
		}
	}
	if m := approximation(word, p.m); m != nil {
		return []*ir.Query{m.Approximates()}
	}
	return nil
}

// item adds the queries of one item. If a variable has the name of a kind of query, the quoted name
// means the variable.
func (p *queryParser) item(it item) error {
	switch {
	case it.names != nil:
		return p.set(it)
	case it.value != "":
		return p.best(it)
	case it.quoted:
	case kindOfDecision(it.text) != nil && p.m.Diagram != nil && len(p.m.Diagram.Decisions) > 0:
		for _, d := range p.m.Diagram.Decisions {
			p.decision(*kindOfDecision(it.text), d.Var)
		}
		return nil
	case p.asked(it.text) != nil:
		for _, q := range p.asked(it.text) {
			p.add(q)
		}
		return nil
	case it.text == "posteriors":
		for _, v := range p.m.Vars {
			if !v.Latent {
				p.posterior(v)
			}
		}
		return nil
	}
	v, err := p.variable(it.word)
	if err == nil {
		p.posterior(v)
	}
	return err
}

// best adds the query for several most probable completions.
func (p *queryParser) best(it item) error {
	if it.text != ir.KMPE.String() || it.quoted {
		return fmt.Errorf("only kmpe takes a number, as in kmpe=5, and not %q", it.text)
	}
	k, err := strconv.Atoi(it.value)
	if err != nil || k < 1 || k > MaxCompletions {
		return fmt.Errorf("found kmpe=%s; want a number from 1 to %d", it.value, MaxCompletions)
	}
	for _, q := range p.queries {
		if q.Kind == ir.KMPE && q.K != k {
			return fmt.Errorf("found both kmpe=%d and kmpe=%d; a package has one number of completions", q.K, k)
		}
	}
	p.add(&ir.Query{Name: "kmpe=" + strconv.Itoa(k), Kind: ir.KMPE, K: k})
	return nil
}

// set adds a query about a set of variables.
func (p *queryParser) set(it item) error {
	kind := ir.Joint
	switch it.text {
	case ir.Joint.String():
	case ir.MAP.String():
		kind = ir.MAP
	case ir.Mixture.String():
		kind = ir.Mixture
	case ir.MaxMarginals.String():
	case ir.Best.String(), ir.Information.String():
		return p.ofDecision(*kindOfDecision(it.text), it.names)
	default:
		return fmt.Errorf("found %s(...); want joint(...), maxmarginals(...), mixture(...), best(...), information(...) or map(...)", it.text)
	}
	q := &ir.Query{Kind: kind, Name: it.text, Best: it.text == ir.MaxMarginals.String()}
	for _, w := range it.names {
		v, err := p.variable(w)
		if err != nil {
			return err
		}
		if slices.Contains(q.Targets, v.ID) {
			return fmt.Errorf("variable %q occurs twice", v.Name)
		}
		if q.Best && p.m.IsReal(v.ID) {
			return fmt.Errorf("variable %q is real-valued; max-marginals are of states", v.Name)
		}
		if kind == ir.Mixture && (len(q.Targets) > 0 || !p.m.IsReal(v.ID)) {
			return fmt.Errorf("a mixture is of one variable that is real")
		}
		q.Targets = append(q.Targets, v.ID)
		q.Name += " " + strconv.Quote(v.Name)
	}
	p.add(q)
	return nil
}

func (p *queryParser) posterior(v *model.Var) {
	p.add(&ir.Query{Name: "posterior " + strconv.Quote(v.Name), Kind: ir.Posterior, Targets: []model.VarID{v.ID}})
}

func (p *queryParser) signature(left, right []word) error {
	targets, err := readItems(left)
	if err != nil {
		return err
	}
	if len(targets) != 1 {
		return fmt.Errorf("a signature has one target before the bar, not %d", len(targets))
	}
	if !targets[0].plain() {
		return fmt.Errorf("found %s before the bar; want the name of a variable", targets[0])
	}
	target, err := p.variable(targets[0].word)
	if err != nil {
		return err
	}
	given, err := readItems(right)
	if err != nil {
		return err
	}
	q := &ir.Query{Kind: ir.Signature, Targets: []model.VarID{target.ID}, Name: "signature " + strconv.Quote(target.Name) + " |"}
	for _, it := range given {
		if err := p.given(q, it); err != nil {
			return err
		}
	}
	p.add(q)
	return nil
}

// given adds one item after the bar to a signature.
func (p *queryParser) given(q *ir.Query, it item) error {
	names := []word{it.word}
	do := it.names != nil
	switch {
	case do && (it.text != "do" || it.quoted), it.value != "":
		return fmt.Errorf("found %s after the bar; want names of variables and do(...)", it)
	case do && p.m.Kind != model.Bayes:
		return fmt.Errorf("do(...) needs the CPDs of a Bayesian network; this is a %s", p.m.Kind)
	case do:
		names = it.names
	}
	for _, w := range names {
		v, err := p.variable(w)
		if err != nil {
			return err
		}
		if v.ID == q.Targets[0] || slices.Contains(q.Evidence, v.ID) {
			return fmt.Errorf("variable %q occurs twice", v.Name)
		}
		q.Evidence = append(q.Evidence, v.ID)
		if do {
			q.Do = append(q.Do, v.ID)
			q.Name += " do " + strconv.Quote(v.Name)
		} else {
			q.Name += " " + strconv.Quote(v.Name)
		}
	}
	return nil
}

// add appends q unless the queries contain it.
func (p *queryParser) add(q *ir.Query) {
	if !p.seen[q.Name] {
		p.seen[q.Name] = true
		p.queries = append(p.queries, q)
	}
}

// known returns the names of variables, and the words that ask for something.
func (p *queryParser) known() (list []string) {
	for _, v := range p.m.Vars {
		if !v.Latent {
			list = append(list, v.Name)
		}
	}
	list = append(list, "batch", "gate", "posteriors")
	for _, k := range ir.Kinds {
		list = append(list, k.Name)
	}
	return list
}

// takes shows the words that need arguments only with their arguments.
var takes = map[string]string{
	ir.Joint.String():   "variables, as in joint(A, B)",
	ir.MAP.String():     "variables, as in map(A, B)",
	ir.Mixture.String(): "a real variable, as in mixture(X)",
	ir.KMPE.String():    "a number, as in kmpe=5",
}

func (p *queryParser) variable(w word) (*model.Var, error) {
	v, ok := p.m.VarByName(w.text)
	switch {
	case !ok && takes[w.text] != "":
		return nil, fmt.Errorf("%s is no query by itself; want %s", w.text, takes[w.text])
	case !ok:
		return nil, fmt.Errorf("%q is neither a kind of query nor a variable%s", w.text, diag.DidYouMean(w.text, p.known()))
	case v.Latent:
		return nil, fmt.Errorf("variable %q is latent; it can be neither asked for nor observed", w.text)
	}
	return v, nil
}

// Specification writes q in the form that ParseQueries reads.
func Specification(m *model.Model, q *ir.Query) string {
	name := func(v model.VarID) string {
		s := m.Vars[v].Name
		if s == "" || s == "posteriors" || (&queryParser{m: m}).asked(s) != nil || strings.ContainsAny(s, queryBreaks) {
			return strconv.Quote(s)
		}
		return s
	}
	names := func(vars []model.VarID) string {
		list := make([]string, len(vars))
		for i, v := range vars {
			list[i] = name(v)
		}
		return strings.Join(list, ", ")
	}
	switch q.Kind {
	case ir.Posterior:
		return name(q.Targets[0])
	case ir.Best, ir.Information:
		return q.Kind.String() + "(" + name(q.Targets[0]) + ")"
	case ir.Joint, ir.MAP, ir.Mixture:
		if q.Best {
			return ir.MaxMarginals.String() + "(" + names(q.Targets) + ")"
		}
		return q.Kind.String() + "(" + names(q.Targets) + ")"
	case ir.KMPE:
		return "kmpe=" + strconv.Itoa(q.K)
	case ir.Signature:
		given := make([]string, len(q.Evidence))
		for i, v := range q.Evidence {
			if given[i] = name(v); slices.Contains(q.Do, v) {
				given[i] = "do(" + given[i] + ")"
			}
		}
		return name(q.Targets[0]) + " | " + strings.Join(given, ", ")
	}
	return q.Word()
}

// sharing returns the queries of opt if they are several approximate ones that can share a program:
// of methods that iterate to beliefs or decode states. Otherwise it returns nil.
func sharing(m *model.Model, opt *Options) []*ir.Query {
	if len(opt.Queries) == 0 || opt.MethodName() != "" && opt.MethodName() != Auto {
		return nil
	}
	queries, err := ParseQueries(opt.Queries, m)
	if err != nil {
		return nil // as Compile will report
	}
	queries = withMaxMarginals(nil, queries)
	maxima := 0
	for _, q := range queries {
		if q.MaxMarginals() {
			maxima++
		}
		if q.Kind != ir.Beliefs && q.Kind != ir.Decoding {
			return nil
		}
	}
	if len(queries) < 2 || maxima > 1 {
		return nil
	}
	return queries
}
