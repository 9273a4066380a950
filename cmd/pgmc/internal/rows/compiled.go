package rows

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/process"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/program"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir"
)

// DriverSource is the main file of the program that runs a compiled package. It calls methods of the
// package's engine by their names, with evidence in the package's JSON.
//
//go:embed driver.go.txt
var DriverSource []byte

// Compiled is the engine that asks a compiled package, in a program of [DriverSource].
type Compiled struct {
	server *process.Server
	vars   []Variable
	about  description
}

// description says how a package names things.
type description struct {
	Keys    []string       // by variable: its key in the package's JSON
	States  [][]string     // by variable: its states in the package's JSON
	Soft    []bool         // by variable: whether it takes likelihoods or measurements
	Methods map[string]int // the number of arguments of each method of the package's engine
}

// StartCompiled starts a program for questions about vars. It is killed when ctx ends.
func StartCompiled(ctx context.Context, p *program.Program, vars []Variable) (*Compiled, error) {
	server, err := p.Start(ctx)
	if err != nil {
		return nil, err
	}
	c := &Compiled{server: server, vars: vars}
	line, err := server.Line()
	if err == nil {
		err = json.Unmarshal([]byte(line), &c.about)
	}
	if err != nil {
		server.Close()
		return nil, &brokenError{err}
	}
	return c, nil
}

// Close ends the program.
func (c *Compiled) Close() error { return c.server.Close() }

// brokenError is the error of a program that gives no answers any more.
type brokenError struct{ err error }

func (e *brokenError) Error() string { return "the compiled program: " + e.err.Error() }

func (e *brokenError) Unwrap() error { return e.err }

// result holds what a method returned and then what it set.
type result struct {
	Out   []json.RawMessage
	Error *struct {
		Message                string
		Impossible, NotANumber bool
	}
	read int
	err  error // the first error of reading
}

// call calls a method about some questions; best is the number of completions to find.
func (c *Compiled) call(method string, best int, questions ...*Question) (*result, error) {
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
		return nil, &brokenError{err}
	case r.Error == nil:
		return r, nil
	case r.Error.Impossible:
		return r, ErrImpossible
	case r.Error.NotANumber:
		return r, ErrNotANumber
	}
	return r, errors.New(r.Error.Message)
}

// appendQuestion appends the evidence of q in the package's JSON.
func (c *Compiled) appendQuestion(b []byte, q *Question) []byte {
	b = append(b, `{"evidence":{`...)
	for i, state := range q.Hard {
		if state > 0 && c.vars[i].Real {
			b = append(AppendNumber(c.appendKey(b, i), q.Real[i]), ',')
		} else if state > 0 {
			b = append(append(c.appendKey(b, i), JsonString(c.about.States[i][state-1])...), ',')
		}
	}
	soft := q.Soft
	if q.Jeffrey != nil {
		soft = q.Jeffrey
	}
	b = bytes.TrimSuffix(closeObject(b), []byte(","))
	if slices.ContainsFunc(soft, func(l []float64) bool { return l != nil }) {
		b = append(b, `,"soft":{`...)
		for i, l := range soft {
			if l != nil {
				b = append(c.vars[i].port().appendSoft(c.appendKey(b, i), l), ',')
			}
		}
		b = bytes.TrimSuffix(closeObject(b), []byte(","))
	}
	return append(b, '}')
}

func (c *Compiled) appendKey(b []byte, i int) []byte {
	return append(append(b, JsonString(c.about.Keys[i])...), ':')
}

// next reads the next part of a result.
func (r *result) next(into any) {
	if r.err == nil && r.read == len(r.Out) {
		r.err = io.ErrUnexpectedEOF
	}
	if r.err == nil {
		r.err = json.Unmarshal(r.Out[r.read], into)
		r.read++
	}
}

// number is a number as text, which may be infinite.
type number float64

func (x *number) UnmarshalText(text []byte) (err error) {
	*(*float64)(x), err = strconv.ParseFloat(string(text), 64)
	return err
}

// numbers holds the numbers of an array or an object, in their order.
type numbers []float64

func (list *numbers) UnmarshalJSON(data []byte) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	for {
		t, err := dec.Token()
		if x, ok := t.(float64); ok {
			*list = append(*list, x)
		}
		if err != nil {
			return ended(err)
		}
	}
}

// ended returns the error of reading to the end.
func ended(err error) error {
	if err == io.EOF {
		return nil
	}
	return err
}

// posteriors holds the posteriors of all variables in the package's JSON.
type posteriors struct {
	LogP       number
	Posteriors map[string]numbers
}

// marginals reads posteriors.
func (r *result) marginals(c *Compiled) (logP float64, list [][]float64) {
	var x posteriors
	r.next(&x)
	return float64(x.LogP), x.list(c)
}

func (x *posteriors) list(c *Compiled) (list [][]float64) {
	for _, key := range c.about.Keys {
		list = append(list, x.Posteriors[key])
	}
	return list
}

// logP reads a logarithm.
func (r *result) logP() float64 {
	var x number
	r.next(&x)
	return float64(x)
}

// report reads a report.
func (r *result) report() *infer.Report {
	var fields map[string]string
	r.next(&fields)
	number := func(name string) float64 {
		x, _ := strconv.ParseFloat(fields[name], 64) // 0 if reports of this kind have no such field
		return x
	}
	return &infer.Report{Status: fields["Status"], Converged: fields["Status"] == "converged", Iterations: int(number("Iterations")), Residual: number("Residual"),
		RHat: number("RHat"), ESS: number("ESS"), Refused: number("Refused"), Rejected: number("Rejected"), LogError: number("LogError"), Bound: number("Bound"), Gap: number("Gap")}
}

// assignment reads the states, from 0, and the values of a joint state. The state of a variable
// that has none is -1.
func (r *result) assignment(c *Compiled) ([]int, []float64) {
	var list map[string]json.RawMessage
	r.next(&list)
	states, values := make([]int, len(c.vars)), make([]float64, len(c.vars))
	for i, key := range c.about.Keys {
		if r.err == nil {
			states[i], values[i], r.err = c.chosen(i, list[key])
		}
	}
	return states, values
}

// chosen reads the state or the value of a variable.
func (c *Compiled) chosen(i int, data json.RawMessage) (state int, value float64, err error) {
	switch {
	case data == nil:
		return -1, 0, nil
	case c.vars[i].Real:
		err = json.Unmarshal(data, &value)
		return 0, value, err
	}
	var name string
	if err = json.Unmarshal(data, &name); err != nil {
		return 0, 0, err
	}
	if state = slices.Index(c.about.States[i], name); state < 0 {
		return 0, 0, fmt.Errorf("the state of %q is %q; want %s", c.vars[i].Name, name, c.vars[i].stateList())
	}
	return state, 0, nil
}

// Answer implements [Engine].
func (c *Compiled) Answer(q *Question, want *Wanted, a *Answer) error {
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
	case want.Loop != "":
		return c.approximate(q, want, a)
	}
	return c.exact(q, want, a)
}

// failed returns err or else the error of reading a result.
func (r *result) failed(err error) error {
	if err != nil || r.err == nil {
		return err
	}
	return &brokenError{r.err}
}

// approximate computes marginals by a method that is not exact, and by Gibbs sampling ln P.
func (c *Compiled) approximate(q *Question, want *Wanted, a *Answer) error {
	var report *infer.Report
	if want.Kind == ir.Estimates && want.LogP {
		if err := estimable(q, c.vars); err != nil {
			return err
		}
		r, err := c.call("GibbsJoint", 0, q)
		if err != nil {
			return err
		}
		if a.LogP, report = r.logP(), r.report(); math.IsInf(a.LogP, -1) {
			return ErrImpossible
		}
		if want.Marginals == nil {
			a.setReport(report)
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
	if _, ok := c.about.Methods["EdgeDeletionBound"]; ok {
		if report.Bound, err = c.divergence(); err != nil {
			return err
		}
	}
	a.setReport(report)
	return r.failed(nil)
}

// estimable returns an error if Gibbs sampling cannot estimate the probability of the evidence.
func estimable(q *Question, vars []Variable) error {
	for i := range q.Hard {
		if q.Soft[i] != nil {
			return errSoftJoint
		}
	}
	for i := range q.Hard {
		if q.Hard[i] > 0 && vars[i].Real {
			return errRealJoint
		}
	}
	return nil
}

// divergence reads the bound that edge deletion has for its last answer.
func (c *Compiled) divergence() (float64, error) {
	r, err := c.call("EdgeDeletionBound", 0)
	if err != nil {
		return 0, err
	}
	return r.logP(), r.failed(nil)
}

// choose computes the states that a method chooses that is not exact.
func (c *Compiled) choose(q *Question, want *Wanted, a *Answer) error {
	r, err := c.call(want.Loop, 0, q)
	if err != nil {
		return err
	}
	a.MpeLogP = r.logP()
	a.setReport(r.report())
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
	if want.Marginals != nil && r.failed(nil) == nil {
		if r, err = c.call("MaxMarginals", 0); err != nil {
			return err
		}
		_, a.Marginals = r.marginals(c)
	}
	return r.failed(nil)
}

// exact computes all answers that are wanted, exactly.
func (c *Compiled) exact(q *Question, want *Wanted, a *Answer) error {
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
func (c *Compiled) mapMethod() string {
	for name, args := range c.about.Methods {
		if strings.HasPrefix(name, "MAP") && args == 4 { // a context, evidence, likelihoods and the states
			return name
		}
	}
	return ""
}

// joint reads a joint posterior. Means and covariances without a probability have the probability 1.
func (r *result) joint(j *Joint, vars []Variable) []float64 {
	var list numbers
	if discrete, _ := j.Split(vars); discrete == nil {
		list = numbers{1}
	}
	r.next(&list)
	return list
}

// completions reads the most probable completions.
func (r *result) completions(c *Compiled, a *Answer) {
	var n int
	var list []json.RawMessage
	var logps []number
	r.next(&n)
	r.next(&list)
	r.next(&logps)
	for k := range n {
		if r.err != nil {
			return
		}
		one := result{Out: list[k:]}
		states, _ := one.assignment(c)
		a.KMPE, a.KMPELogP, r.err = append(a.KMPE, states), append(a.KMPELogP, float64(logps[k])), one.err
	}
}

// batchMethod returns the name of the method that gives what is wanted of many questions.
func (w *Wanted) batchMethod() string {
	if w.Marginals == nil {
		return "LogProbs"
	}
	return "Batch"
}

// batches reports whether q can be answered by LogProbs, which takes no likelihoods, or by Batch.
func (c *Compiled) batches(q *Question, want *Wanted) bool {
	_, ok := c.about.Methods[want.batchMethod()]
	return ok && want.inLanes() && q.Jeffrey == nil && q.sets == nil && (want.Marginals != nil || q.plain())
}

// answerAll calls the package's batch method. Its result for a failed row is zeros for the
// posteriors, or -Inf for the logarithm.
func (c *Compiled) answerAll(qs []*Question, want *Wanted, as []Answer, failed []bool) {
	r, err := c.call(want.batchMethod(), 0, qs...)
	if r == nil || errors.Is(err, ErrNotANumber) {
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

// Ask calls add for each question, in order, with its answer or its error.
func (c *Compiled) Ask(ctx context.Context, want Wanted, questions []*Question, add func(a *Answer, err error)) error {
	s := NewServer(c.vars, want, c)
	s.ctx = ctx
	for _, q := range questions {
		a := &Answer{}
		err := s.answerOne(q, a)
		if broken := (*brokenError)(nil); errors.As(err, &broken) {
			return err
		}
		add(a, err)
	}
	return nil
}
