package rows

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/codegen"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/compiler/method/localsearch"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// jointQuery returns the query of a joint posterior or a mixture.
func jointQuery(kind ir.QueryKind, j *Joint, vars []Variable) string {
	var names []string
	for _, v := range j.Vars {
		names = append(names, strconv.Quote(vars[v].Name))
	}
	return kind.String() + "(" + strings.Join(names, ", ") + ")"
}

// JointsOf returns the joint posteriors, or the mixtures, that a program computes. in holds the
// variables of questions.
func JointsOf(p *ir.Program, kind ir.QueryKind, in []model.VarID) []Joint {
	var list []Joint
	for _, e := range p.Entries {
		if e.Query.Kind != kind {
			continue
		}
		var j Joint
		for _, v := range e.Query.Targets {
			j.Vars = append(j.Vars, slices.Index(in, v))
		}
		list = append(list, j)
	}
	return list
}

// jointEntry returns the index of the entry for a joint posterior or a mixture, or -1. in holds the
// variables of questions.
func jointEntry(p *ir.Program, kind ir.QueryKind, in []model.VarID, j *Joint) int {
	return slices.IndexFunc(p.Entries, func(e ir.Entry) bool {
		return e.Query.Kind == kind && slices.EqualFunc(e.Query.Targets, j.Vars, func(v model.VarID, i int) bool { return v == in[i] })
	})
}

// byDecoding changes w to the answer of a method that decodes states from messages. It returns an
// error if w asks for anything else; maxprod also has max-marginals.
func (w *Wanted) byDecoding(m *method.Method, logP bool) error {
	switch {
	case w.Joint != nil || w.Mixture != nil || w.MAP != nil || w.KMPE > 0 || logP:
		return fmt.Errorf("method %s answers --mpe alone; for --logp, --joint, --map and --kmpe try --method %s", m.Name, cli.ExactMethods())
	case w.Marginals != nil && !m.Answers.MaxMarginals:
		return fmt.Errorf("method %s answers --mpe alone; for marginals try --method %s, and for max-marginals %s", m.Name,
			cli.MethodsOf(ir.Beliefs, "or"), cli.Methods("or", func(m *method.Method) bool { return m.Answers != nil && m.Answers.MaxMarginals }))
	}
	w.LogP = false
	return nil
}

// bySearch changes w to the best states that a local search finds. It returns an error if w asks
// for anything else.
func (w *Wanted) bySearch(name string, asked bool) error {
	if asked || w.Joint != nil || w.Mixture != nil || w.MAP != nil || w.KMPE > 0 {
		what := "--mpe"
		if name == localsearch.Tabu.Name {
			what = "--mpe or --map"
		}
		return fmt.Errorf("method %s searches for a most probable completion and answers %s alone; for anything else try --method %s", name, what, cli.ExactMethods())
	}
	w.Marginals, w.LogP, w.MPE = nil, false, true
	return nil
}

// By sets the approximate query that answers w.
func (w *Wanted) By(a *ir.Approximation) { w.Loop, w.Kind, w.bounds = a.GoName, a.Kind, a.Pseudo }

// Iterate changes w for the named method, if it is approximate, and returns its query; for an exact
// method it returns "". Approximate methods compute marginals and ln P alone, and Gibbs sampling ln
// P only if logP asks for it explicitly. Methods that choose states compute a most probable
// completion alone. asked reports that the caller asks for something other than MPE.
func (w *Wanted) Iterate(name string, m *model.Model, logP, asked bool) (query string, err error) {
	w.Pseudo = m.Kind == model.Dependency || m.Pseudo
	by := cli.Approximate(name)
	if by == nil {
		return "", nil
	}
	w.By(by.Answers)
	query = by.Answers.Word
	w.Unnormalised = m.Kind == model.Markov && (by.Answers.Kind == ir.Decoding || by.Answers.Kind == ir.Climb)
	if err := w.refuseMax(by); err != nil {
		return "", err
	}
	if w.MaxMarginals != nil {
		query += "," + ir.MaxMarginals.String()
	}
	switch by.Answers.Kind {
	case ir.Decoding:
		return query, w.byDecoding(by, logP)
	case ir.Climb:
		return query, w.bySearch(name, asked)
	}
	if w.MPE || w.Joint != nil || w.Mixture != nil || w.MAP != nil || w.KMPE > 0 {
		if m.Kind == model.Dependency && w.Joint == nil && w.Mixture == nil && w.MAP == nil {
			m = m.PseudoLikelihood() // as the compiler does for completions
		}
		return "", diag.Errorf("method %s answers marginals and the log-probability alone; for --mpe, --joint, --map and --kmpe %s", name, compiler.Alternatives(m))
	}
	switch {
	case by.Answers.Kind == ir.Estimates:
		w.LogP = logP
	case m.Kind == model.Dependency:
		w.LogP = false // a dependency network has no joint distribution
	}
	return query, nil
}

// Queries returns the queries to compile for w.
func (w *Wanted) Queries(vars []Variable) []string {
	var list []string
	if w.Marginals != nil {
		list = append(list, "marginals")
	} else if w.LogP {
		list = append(list, "logprob")
	}
	if w.MPE {
		list = append(list, "mpe")
	}
	for i := range w.Joint {
		list = append(list, jointQuery(ir.Joint, &w.Joint[i], vars))
	}
	if w.MaxMarginals != nil {
		list = append(list, ir.MaxMarginals.String())
	}
	for i := range w.MaxJoint {
		list = append(list, jointQuery(ir.MaxMarginals, &w.MaxJoint[i], vars))
	}
	for i := range w.Mixture {
		list = append(list, jointQuery(ir.Mixture, &w.Mixture[i], vars))
	}
	if w.MAP != nil {
		var names []string
		for _, v := range w.MAP {
			names = append(names, strconv.Quote(vars[v].Name))
		}
		list = append(list, "map("+strings.Join(names, ", ")+")")
	}
	if w.KMPE > 0 {
		list = append(list, fmt.Sprintf("kmpe=%d", w.KMPE))
	}
	return list
}

// CheckMethods returns an error that names a method that the answers need and the package in dir
// does not have.
func (w *Wanted) CheckMethods(dir string) error {
	pkg, err := codegen.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, name := range w.methods() {
		declared := func(f codegen.File) bool { return bytes.Contains(f.Data, []byte("\nfunc (e *Engine) "+name+"(")) }
		if !slices.ContainsFunc(pkg.Files, declared) {
			return fmt.Errorf("%s has no method %s, which the flags in its main file ask for now: its model has changed, or it was made within other limits of --max-table or --max-mem; pgmc compile makes it anew", dir, name)
		}
	}
	return nil
}

// methods returns the names of the methods that give the answers.
func (w *Wanted) methods() (names []string) {
	switch {
	case w.Loop != "":
		names = append(names, w.Loop)
	case w.Marginals != nil:
		names = append(names, "Marginals")
	case w.LogP:
		names = append(names, "LogProb")
	}
	if w.MaxMarginals != nil {
		names = append(names, "MaxMarginals")
	}
	if w.MPE && w.Loop == "" {
		names = append(names, "MPE")
	}
	for _, j := range slices.Concat(w.Joint, w.Mixture) {
		names = append(names, j.Method)
	}
	return names
}

// JointMethods sets, for each joint posterior and each mixture of w, the name of the package's
// method.
func (w *Wanted) JointMethods(pkg *codegen.Package, p *ir.Program, in []model.VarID) {
	for i := range w.Joint {
		if at := jointEntry(p, ir.Joint, in, &w.Joint[i]); at >= 0 {
			w.Joint[i].Method = pkg.Report.Joints[at]
		}
	}
	for i := range w.Mixture {
		if at := jointEntry(p, ir.Mixture, in, &w.Mixture[i]); at >= 0 {
			w.Mixture[i].Method = pkg.Report.Joints[at]
		}
	}
}
