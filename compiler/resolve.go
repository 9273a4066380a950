package compiler

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/ir/options"
)

// Auto stands for the faster method of circuit and jointree, by the predicted time of the code.
const Auto = "auto"

// Named chooses a method by its name or [Auto], and sets options by the names of their flags. Each
// setting is name=value. With an empty name the compiler chooses the method, and the settings are
// options of that method. Compile reports a name or an option that does not exist.
func Named(name string, settings ...string) method.Options { return named{name, settings} }

type named struct {
	name     string
	settings []string
}

// MethodName returns the name.
func (n named) MethodName() string { return n.name }

// MethodName returns the name of the method that o asks for, or an empty string if the compiler
// chooses.
func (o *Options) MethodName() string {
	if o.Method == nil {
		return ""
	}
	return o.Method.MethodName()
}

// resolved is the method of a compilation.
type resolved struct {
	*method.Method
	instance method.Instance
	auto     bool // it stands for the faster one of itself and a circuit, which pass method-choose decides
	free     bool // the options name no method, so that plan may use another if this one does not fit
}

// resolve chooses the method and parses the queries. Only passes method-choose and plan may replace
// the method afterwards, if the options left it open. The order of precedence is: the options; the
// query, if it belongs to an approximate method; the model, if a method prefers it; the first
// method of the suite.
func resolve(m *model.Model, opt *Options) (*resolved, []*ir.Query, error) {
	asked := opt.MethodName()
	r := &resolved{free: asked == "", auto: asked == Auto}
	switch preferred := Preferred(m); {
	case !r.free && !r.auto:
		x, err := FindMethod(asked)
		if err != nil {
			return nil, nil, err
		}
		r.Method = &x
	case r.free && len(opt.Queries) == 0 && preferred != nil && preferred.Answers != nil:
		r.Method = preferred
	}
	queries, err := queriesOf(r.Method, m, opt)
	if err != nil {
		return nil, nil, err
	}
	if r.Method == nil {
		if r.Method, err = approximating(queries); err != nil {
			return nil, nil, err
		}
	}
	if p := Preferred(m); r.Method == nil && p != nil {
		r.Method = p
	}
	if r.Method != nil {
		r.auto = false
	} else {
		r.Method = &Methods[0]
	}
	if err := refuse(r.Method, m.Needs()); err != nil {
		return nil, nil, err
	}
	r.instance, err = instanceOf(r.Method, opt)
	return r, queries, err
}

// Preferred returns the method that Compile uses for m unless options or queries ask for another
// one. It returns nil if that does not depend on m.
func Preferred(m *model.Model) *method.Method {
	i := slices.IndexFunc(Methods, func(x method.Method) bool { return x.Prefers != nil && x.Prefers(m) })
	if i < 0 {
		return nil
	}
	return &Methods[i]
}

// queriesOf parses the queries of opt for the method x, which is nil if none is chosen yet. An
// approximate method has one query of its own, which is the default.
func queriesOf(x *method.Method, m *model.Model, opt *Options) ([]*ir.Query, error) {
	if opt.asked != nil {
		return opt.asked, nil
	}
	specs := opt.Queries
	if x != nil && x.Answers != nil && len(specs) == 0 {
		specs = []string{x.Answers.Word}
	}
	queries, err := ParseQueries(specs, m)
	if err != nil {
		return nil, err
	}
	queries = withMaxMarginals(x, queries)
	if x != nil && x.Answers != nil {
		for _, q := range queries { // a word that several methods answer
			if q.By != nil && q.By.Word == x.Answers.Word {
				q.Method, q.By = x.Name, x.Answers
			}
		}
	}
	return queries, checkQueries(m, queries, opt.Params)
}

// withMaxMarginals merges the query maxmarginals into the query of x, if x computes
// pseudo-max-marginals.
func withMaxMarginals(x *method.Method, queries []*ir.Query) []*ir.Query {
	isMax := func(q *ir.Query) bool { return q.Kind == ir.MaxMarginals }
	has := func(by *ir.Approximation) bool { return by != nil && (by.MaxMarginals || by.Pseudo) }
	i := slices.IndexFunc(queries, func(q *ir.Query) bool { return has(q.By) })
	switch {
	case !slices.ContainsFunc(queries, isMax):
		return queries
	case i >= 0:
		queries[i].Best = true
	case x != nil && has(x.Answers):
		q := x.Approximates()
		q.Best, queries = true, append(queries, q)
	default:
		return queries
	}
	return slices.DeleteFunc(queries, isMax)
}

// approximating returns the method of a query that only an approximate method answers, or nil if
// there is no such query. Such a query must be the only one, because its answers are of another
// kind than exact ones.
func approximating(queries []*ir.Query) (*method.Method, error) {
	i := slices.IndexFunc(queries, func(q *ir.Query) bool { return q.Method != "" })
	if i < 0 {
		return nil, nil
	}
	if len(queries) > 1 {
		other := queries[(i+1)%len(queries)]
		return nil, fmt.Errorf("query %s cannot share a package with %s; compile each into a package of its own", queries[i].Word(), other.Word())
	}
	x, err := FindMethod(queries[i].Method)
	return &x, err
}

// instanceOf returns an instance of x with the options of opt. The seed of a method that draws
// random numbers is opt's unless the method's own options set it.
func instanceOf(x *method.Method, opt *Options) (method.Instance, error) {
	instance := x.New()
	if fs := options.Flags(instance); fs.Lookup(method.SeedOption) != nil {
		if err := fs.Set(method.SeedOption, strconv.FormatUint(opt.Seed, 10)); err != nil {
			return nil, err
		}
	}
	n, byName := opt.Method.(named)
	if opt.Method != nil && !byName {
		return options.Of(opt.Method, instance)
	}
	if err := setByName(x, instance, n.settings); err != nil {
		return nil, err
	}
	if o, ok := instance.(method.Observer); ok && opt.Observed != nil {
		o.Observe(opt.Observed)
	}
	return instance, nil
}

// byTables returns the method that answers every query by tables.
func byTables() *method.Method { return &Methods[0] }

// byCircuits returns the first method that makes circuits, which takes over a model that is one.
func byCircuits() *method.Method {
	return &Methods[slices.IndexFunc(Methods, func(x method.Method) bool { return x.Circuits != nil })]
}

// circuitMethods returns the methods that may make the smallest circuit of m, in the order of the
// suite.
func circuitMethods(m *model.Model) (list []*method.Method) {
	for i := range Methods {
		if c := Methods[i].Circuits; c != nil && (c.Suits == nil || c.Suits(m)) {
			list = append(list, &Methods[i])
		}
	}
	return list
}

// approximation returns the method that answers the query with the given word for m: one that
// prefers m, or else the first. It returns nil if the word is no method's query.
func approximation(word string, m *model.Model) (found *method.Method) {
	for i := range Methods {
		x := &Methods[i]
		if x.Answers == nil || x.Answers.Word != word {
			continue
		}
		if prefers := x.Prefers != nil && x.Prefers(m); prefers || found == nil {
			found = x
		}
	}
	return found
}

// Proving returns the method that finds a most probable completion of m with a proof, however wide
// m is; nil if there is none.
func Proving(m *model.Model) *method.Method {
	if len(m.Needs()) > 0 {
		return nil
	}
	for i := range Methods {
		if x := &Methods[i]; x.Proves != nil && x.Proves(m) {
			return x
		}
	}
	return nil
}

// Patient returns the exact method that, given more time than a choice of methods takes, may make a
// small circuit of m where no clique tree fits; nil if no method suits the numbers of m.
func Patient(m *model.Model) *method.Method {
	if len(m.Needs()) > 0 || !mayFold(m) {
		return nil
	}
	for _, x := range circuitMethods(m) {
		if x.Circuits.Suits != nil {
			return x
		}
	}
	return nil
}

// posed returns the network of the pseudo-likelihood if opt asks a dependency network for nothing
// but most probable completions and max-marginals, and otherwise m. The pseudo-likelihood has no
// partition function.
func posed(m *model.Model, opt Options) (*model.Model, Options) {
	if m.Pseudo {
		opt.Unnormalised = true
	}
	if m.Kind != model.Dependency {
		return m, opt
	}
	specs := opt.Queries
	if x, err := FindMethod(opt.MethodName()); err == nil && len(specs) == 0 && x.Answers != nil {
		specs = []string{x.Answers.Word}
	}
	queries, err := ParseQueries(specs, m)
	if err != nil || len(queries) == 0 || slices.ContainsFunc(queries, func(q *ir.Query) bool {
		return !slices.Contains([]ir.QueryKind{ir.MPE, ir.KMPE, ir.MaxMarginals, ir.Decoding, ir.Climb}, q.Kind) && !(q.Kind == ir.Joint && q.Best)
	}) {
		return m, opt
	}
	opt.Unnormalised = true
	return m.PseudoLikelihood(), opt
}
