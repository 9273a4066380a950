package compiled

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/process"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/program"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/rows"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir"
)

// DriverSource is the main file of the program that runs a compiled package. It calls methods of
// the package's engine by their names, with evidence in the package's JSON.
//
//go:embed driver.go.txt
var DriverSource []byte

// Engine is the engine that asks a compiled package, in a program of [DriverSource].
type Engine struct {
	server *process.Server
	vars   []rows.Variable
	about  description
}

// description says how a package names things.
type description struct {
	Keys    []string       // by variable: its key in the package's JSON
	States  [][]string     // by variable: its states in the package's JSON
	Soft    []bool         // by variable: whether it takes likelihoods or measurements
	Methods map[string]int // the number of arguments of each method of the package's engine
}

// Start starts a program for questions about vars. It is killed when ctx ends.
func Start(ctx context.Context, p *program.Program, vars []rows.Variable) (*Engine, error) {
	server, err := p.Start(ctx)
	if err != nil {
		return nil, err
	}
	c := &Engine{server: server, vars: vars}
	line, err := server.Line()
	if err == nil {
		err = json.Unmarshal([]byte(line), &c.about)
	}
	if err != nil {
		server.Close()
		return nil, &rows.BrokenError{Err: err}
	}
	return c, nil
}

// Close ends the program.
func (c *Engine) Close() error { return c.server.Close() }

// call calls a method about some questions; best is the number of completions to find.
func (c *Engine) call(method string, best int, questions ...*rows.Question) (*result, error) {
	b := fmt.Appendf(nil, `{"method":%q,"best":%d,"questions":[`, method, best)
	for i, q := range questions {
		for v, l := range q.Soft {
			if l != nil && !c.about.Soft[v] {
				return nil, fmt.Errorf("variable %q: likelihood is of a real variable, of which the program takes no measurements", c.vars[v].Name)
			}
		}
		if i > 0 {
			b = append(b, ',')
		}
		b = c.appendQuestion(b, q)
	}
	line, err := c.server.Ask(string(b) + "]}")
	r := &result{}
	if err == nil {
		err = json.Unmarshal([]byte(line), r)
	}
	switch {
	case err != nil:
		return nil, &rows.BrokenError{Err: err}
	case r.Error == nil:
		return r, nil
	case r.Error.Impossible:
		return r, rows.ErrImpossible
	}
	return r, errors.New(r.Error.Message)
}

// appendQuestion appends the evidence of q in the package's JSON.
func (c *Engine) appendQuestion(b []byte, q *rows.Question) []byte {
	b = append(b, `{"evidence":{`...)
	for i, state := range q.Hard {
		if state > 0 && c.vars[i].Real {
			b = append(rows.AppendNumber(c.appendKey(b, i), q.Real[i]), ',')
		} else if state > 0 {
			b = append(append(c.appendKey(b, i), rows.JsonString(c.about.States[i][state-1])...), ',')
		}
	}
	soft := q.Soft
	if q.Jeffrey != nil {
		soft = q.Jeffrey
	}
	b = append(bytes.TrimSuffix(b, []byte(",")), '}')
	if slices.ContainsFunc(soft, func(l []float64) bool { return l != nil }) {
		b = append(b, `,"soft":{`...)
		for i, l := range soft {
			if l != nil {
				b = append(c.vars[i].AppendSoft(c.appendKey(b, i), l), ',')
			}
		}
		b = append(bytes.TrimSuffix(b, []byte(",")), '}')
	}
	return append(b, '}')
}

func (c *Engine) appendKey(b []byte, i int) []byte {
	return append(append(b, rows.JsonString(c.about.Keys[i])...), ':')
}

// Answer implements [Engine].
func (c *Engine) Answer(q *rows.Question, want *rows.Wanted, a *rows.Answer) error {
	switch {
	case q.Jeffrey != nil:
		r, err := c.call("Jeffrey", 0, q)
		if err == nil {
			r.report()
			a.LogP, a.Marginals = r.marginals(c)
		}
		return r.failed(err)
	case want.Kind == ir.Climb || want.Kind == ir.Decoding:
		return c.choose(q, want, a)
	case want.Kind == ir.Bounded:
		r, err := c.call(want.Loop, 0, q)
		if err == nil {
			a.LogP, a.Marginals = r.marginals(c)
			a.MostLogP, a.Most = r.marginals(c)
		}
		return r.failed(err)
	case want.Kind == ir.Follow:
		r, err := c.call(want.Loop, 0, q)
		if err == nil {
			a.LogP, a.Marginals = r.marginals(c)
		}
		return r.failed(err)
	case want.Loop != "":
		return c.approximate(q, want, a)
	}
	return c.exact(q, want, a)
}

// approximate computes marginals by a method that is not exact, and by Gibbs sampling ln P.
func (c *Engine) approximate(q *rows.Question, want *rows.Wanted, a *rows.Answer) error {
	var report *infer.Report
	if want.Kind == ir.Estimates && want.LogP {
		if err := rows.Estimable(q, c.vars); err != nil {
			return err
		}
		r, err := c.call("GibbsJoint", 0, q)
		if err != nil {
			return err
		}
		if a.LogP, report = r.logP(), r.report(); math.IsInf(a.LogP, -1) {
			return rows.ErrImpossible
		}
		if want.Marginals == nil {
			a.SetReport(report)
			return r.failed(nil)
		}
	}
	r, err := c.call(want.Loop, 0, q)
	if err != nil {
		return err
	}
	report = report.With(r.report())
	logP, list := r.marginals(c)
	if want.Kind != ir.Estimates {
		a.LogP = logP
	}
	a.Marginals = list
	bound := want.Loop + "Bound"
	if _, ok := c.about.Methods[bound]; ok {
		if report.Bound, err = c.divergence(bound); err != nil {
			return err
		}
	}
	a.SetReport(report)
	return r.failed(nil)
}

// divergence reads the bound that a method, edge deletion, has for its last answer.
func (c *Engine) divergence(method string) (float64, error) {
	r, err := c.call(method, 0)
	if err != nil {
		return 0, err
	}
	return r.logP(), r.failed(nil)
}

// choose computes the states that a method chooses that is not exact.
func (c *Engine) choose(q *rows.Question, want *rows.Wanted, a *rows.Answer) error {
	r, err := c.call(want.Loop, 0, q)
	if err != nil {
		return err
	}
	a.MpeLogP = r.logP()
	a.SetReport(r.report())
	a.Mpe, a.MpeReal = r.assignment(c)
	if err := r.failed(nil); err != nil || want.Kind == ir.Climb {
		return err
	}
	if _, ok := c.about.Methods[want.Loop+"Decided"]; ok && !math.IsInf(a.MpeLogP, -1) {
		if r, err = c.call(want.Loop+"Decided", 0); err != nil {
			return err
		}
		states, _ := r.assignment(c)
		for _, s := range states {
			a.Decided = append(a.Decided, s >= 0)
		}
	}
	if (want.Marginals != nil || want.MaxMarginals != nil) && r.failed(nil) == nil {
		if r, err = c.call("MaxMarginals", 0); err != nil {
			return err
		}
		if want.MaxMarginals != nil {
			a.TakeMax(r.maxMarginals(c, &a.Report))
		} else {
			_, a.Marginals = r.marginals(c)
		}
	}
	return r.failed(nil)
}

// exact computes all answers that are wanted, exactly.
func (c *Engine) exact(q *rows.Question, want *rows.Wanted, a *rows.Answer) error {
	var failed error
	ask := func(method string, best int, read func(r *result)) {
		if failed == nil {
			var r *result
			if r, failed = c.call(method, best, q); failed == nil {
				read(r)
				failed = r.failed(nil)
			}
		}
	}
	if want.Marginals != nil {
		ask("Marginals", 0, func(r *result) { a.LogP, a.Marginals = r.marginals(c) })
	} else if want.LogP {
		ask("LogProb", 0, func(r *result) { a.LogP = r.logP() })
	}
	if want.MaxMarginals != nil {
		ask("MaxMarginals", 0, func(r *result) { a.TakeMax(r.maxMarginals(c, nil)) })
	}
	for _, j := range want.Joint {
		ask(j.Method, 0, func(r *result) { a.Joint = append(a.Joint, r.joint(&j, c.vars)) })
	}
	for _, j := range want.Mixture {
		ask(j.Method, 0, func(r *result) {
			var list numbers // the number of components, and their numbers
			if r.next(&list); r.err == nil {
				a.Mixture = append(a.Mixture, list[1:][:3*int(list[0])])
			}
		})
	}
	if want.MAP != nil {
		ask(c.mapMethod(), 0, func(r *result) {
			a.StatesLogP = r.logP()
			states, _ := r.assignment(c)
			for _, v := range want.MAP {
				a.States = append(a.States, states[v])
			}
		})
	}
	if want.KMPE > 0 {
		ask("KMPE", want.KMPE, func(r *result) { r.completions(c, a) })
	}
	if want.MPE {
		ask("MPE", 0, func(r *result) {
			a.MpeLogP = r.logP()
			a.Mpe, a.MpeReal = r.assignment(c)
		})
	}
	return failed
}

// mapMethod returns the name of the package's method that answers --map.
func (c *Engine) mapMethod() string {
	for name, args := range c.about.Methods {
		if strings.HasPrefix(name, "MAP") && args == 4 { // a context, evidence, likelihoods and the states
			return name
		}
	}
	return ""
}

// batchMethod returns the name of the method with the wanted answers to many questions.
func batchMethod(w *rows.Wanted) string {
	if w.Marginals == nil {
		return "LogProbs"
	}
	return "Batch"
}

// Batches reports whether q can be answered by LogProbs, which takes no likelihoods, or by Batch.
func (c *Engine) Batches(q *rows.Question, want *rows.Wanted) bool {
	_, ok := c.about.Methods[batchMethod(want)]
	return ok && want.InLanes() && q.Jeffrey == nil && !q.Sets() && (want.Marginals != nil || q.Plain())
}

// AnswerAll calls the package's batch method. Its result for a failed row is zeros for the
// posteriors, or -Inf for the logarithm.
func (c *Engine) AnswerAll(qs []*rows.Question, want *rows.Wanted, as []rows.Answer, failed []bool) {
	r, _ := c.call(batchMethod(want), 0, qs...) // failed rows are asked again, alone, to get their errors
	if r == nil {
		for i := range failed {
			failed[i] = true
		}
		return
	}
	if want.Marginals == nil {
		logps := make([]number, 0, len(qs))
		r.next(&logps)
		for i := range qs {
			if failed[i] = r.err != nil || math.IsInf(float64(logps[i]), -1); !failed[i] {
				as[i].LogP = float64(logps[i])
			}
		}
		return
	}
	var all []posteriors
	r.next(&all)
	for i := range qs {
		if failed[i] = r.err != nil; failed[i] {
			continue
		}
		as[i].LogP, as[i].Marginals = float64(all[i].LogP), all[i].list(c)
		failed[i] = len(c.vars) > 0 && !slices.ContainsFunc(as[i].Marginals[0], func(x float64) bool { return x != 0 })
	}
}
