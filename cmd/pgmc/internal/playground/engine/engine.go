package engine

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"path"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/cluster"
	"github.com/pgmc-go/pgmc/compiler/decide"
	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/testdata/models"
)

// Engine serves one page. The zero value has no model.
type Engine struct {
	// Source returns the Go package of a model, for "go". It may be nil: the page then asks another
	// engine.
	Source func(ctx context.Context, m *model.Model) (string, error)

	m       *model.Model
	engines map[string]*infer.Engine // by intervention, as its JSON; "" for none
	recent  []string                 // the keys of engines, the last used one last
	tree    []cluster.Clique         // of m without interventions, once it is known

	version  int                  // the number of models that were opened or made
	versions map[int]*model.Model // the last of them
}

// Request is a request of the page. Op names the operation; the other fields depend on it.
type Request struct {
	Op string `json:"op"`

	// For "load": a file's name and content, or only the name of a model that is part of pgmc.
	Name string `json:"name,omitempty"`
	Data []byte `json:"data,omitempty"` // base64 in JSON

	Question
	Var string `json:"var,omitempty"` // for "variable" and "cpd", and for "picture" of a large network

	Edit    Edit   `json:"edit"`              // for "edit"
	Version int    `json:"version,omitempty"` // for "back": see Loaded
	Format  string `json:"format,omitempty"`  // for "save", with the name of a file
	From    int    `json:"from,omitempty"`    // for "cpd": the first row
}

// Question is the evidence of a page, by name of variable.
type Question struct {
	Hard map[string]string    `json:"hard,omitempty"` // the observed state, or the value of a real variable
	Soft map[string][]float64 `json:"soft,omitempty"` // a likelihood for each state
	Do   map[string]string    `json:"do,omitempty"`   // the state that an intervention sets
	MPE  bool                 `json:"mpe,omitempty"`  // whether the most probable completion is wanted

	Limited  bool      `json:"limited,omitempty"`  // of an influence diagram: a decision knows only its parents
	Sequence *Sequence `json:"sequence,omitempty"` // of a model with a transition: the slice that Hard and Soft are about
}

// Serve answers a request. The reply is JSON; after an error it is an object with the member error
// and, for impossible evidence, conflict.
func (e *Engine) Serve(ctx context.Context, request []byte) []byte {
	reply, err := e.serve(ctx, request)
	if err == nil {
		var text bytes.Buffer
		enc := json.NewEncoder(&text)
		enc.SetEscapeHTML(false)
		if err = enc.Encode(reply); err == nil {
			return bytes.TrimSpace(text.Bytes())
		}
	}
	return refusal(err)
}

func (e *Engine) serve(ctx context.Context, text []byte) (reply any, err error) {
	defer func() {
		if p := recover(); p != nil { // a page that has lost its engine is of no use
			err = fmt.Errorf("internal error: %v", p)
		}
	}()
	var r Request
	if err := json.Unmarshal(text, &r); err != nil {
		return nil, err
	}
	switch r.Op {
	case "models":
		return builtIn(), nil
	case "load":
		return e.load(&r)
	case "new":
		return e.open(&model.Model{Kind: model.Bayes, Name: "model"}), nil
	}
	if e.m == nil {
		return nil, errors.New("no model is open")
	}
	switch r.Op {
	case "ask":
		return e.ask(ctx, &r.Question)
	case "mixture":
		return e.mixture(ctx, &r.Question, r.Var)
	case "variable":
		return e.variable(ctx, r.Var)
	case "picture":
		return e.picture(r.Var, &r.Question)
	case "cpd":
		return e.cpd(r.Var, r.From)
	case "edit":
		return e.edit(ctx, &r.Edit)
	case "back":
		return e.back(r.Version)
	case "formats":
		return e.formats(), nil
	case "save":
		return e.save(r.Name, r.Format)
	case "go":
		if e.Source != nil {
			return e.Source(ctx, e.m)
		}
	}
	return nil, fmt.Errorf("unknown request %q", r.Op)
}

// builtIn returns the names of the models that are part of pgmc.
func builtIn() []string {
	names := make([]string, len(models.List))
	for i, x := range models.List {
		names[i] = x.Name
	}
	return names
}

// Loaded is the reply to "load" and "new".
type Loaded struct {
	Version   int        `json:"version"`
	Name      string     `json:"name"`
	Kind      string     `json:"kind"`
	Variables []Variable `json:"variables"`
	Causal    bool       `json:"causal"`   // interventions are possible
	Sequence  bool       `json:"sequence"` // it has a transition from slice to slice
	Diagram   bool       `json:"diagram"`  // it has decisions and utilities
	Size      int        `json:"size"`     // the number of parameters
	Warnings  []string   `json:"warnings"`
}

// Variable is a variable that is not latent.
type Variable struct {
	Name     string   `json:"name"`
	States   []string `json:"states"` // nil for a real variable
	Given    bool     `json:"given,omitempty"`
	Decision bool     `json:"decision,omitempty"`
	Parents  []string `json:"parents,omitempty"` // of a decision, what is known
}

// load opens a model.
func (e *Engine) load(r *Request) (*Loaded, error) {
	name, content := r.Name, r.Data
	if content == nil {
		m, text, ok := models.Find(name)
		if !ok {
			return nil, fmt.Errorf("no model that is part of pgmc has the name %q", name)
		}
		name, content = m.File, text
	}
	m, list := format.ReadFrom(compiler.Formats, name, bytes.NewReader(content), format.ReadOptions{})
	if list.HasErrors() {
		return nil, list.Err()
	}
	normal, more := m.NormalizeRows(model.RowsNormalize)
	if more.HasErrors() {
		return nil, more.Err()
	}
	if !normal.Named() {
		normal.Name, _, _ = strings.Cut(path.Base(name), ".")
	}
	out := e.open(normal)
	for _, d := range append(list.Warnings(), more.Warnings()...) {
		out.Warnings = append(out.Warnings, d.Error())
	}
	return out, nil
}

// describe returns what a page needs of the model.
func (e *Engine) describe() *Loaded {
	out := &Loaded{Version: e.version, Name: e.m.Name, Kind: e.m.Kind.String(), Sequence: e.m.Transition != nil, Diagram: decide.Check(e.m) == nil, Variables: []Variable{}, Warnings: []string{}}
	out.Causal = e.m.Kind == model.Bayes && !out.Sequence
	for _, f := range e.m.Factors {
		out.Size += f.Dist.Size()
	}
	g := model.NewGraph(e.m)
	for _, v := range e.m.Vars {
		if v.Latent {
			continue
		}
		x := Variable{Name: v.Name, States: v.Domain.Names(), Given: v.Given}
		if g.Parents != nil {
			for _, p := range g.Parents[v.ID] {
				x.Parents = append(x.Parents, e.m.Vars[p].Name)
			}
		}
		if d := e.m.Decides(v.ID); d != nil {
			x.Decision, x.Parents = true, e.names(d.Known)
		}
		out.Variables = append(out.Variables, x)
	}
	return out
}

// errApproximate is the error of models that no method of the engine takes.
var errApproximate = errors.New("the page shows this model but cannot answer about it: it answers exactly, and no exact method takes the model; pgmc query has approximate methods for it")

// mostEngines is the number of interventions with kept programs.
const mostEngines = 4

// engine returns the engine of the model after interventions.
func (e *Engine) engine(ctx context.Context, do map[string]string) (*infer.Engine, error) {
	text, err := json.Marshal(do) // sorts the names
	if err != nil {
		return nil, err
	}
	key := string(text)
	if have := e.engines[key]; have != nil {
		e.recent = append(slices.DeleteFunc(e.recent, func(k string) bool { return k == key }), key)
		return have, nil
	}
	m, err := after(e.m, do)
	if err != nil {
		return nil, err
	}
	first := ir.Marginals
	if m.Transition != nil {
		first = ir.Filter
	}
	made, err := infer.New(ctx, m, infer.Options{Queries: []string{first.String()}})
	if untaken := (*model.Untaken)(nil); errors.As(err, &untaken) {
		return nil, errApproximate
	}
	if err != nil {
		return nil, err
	}
	if len(e.recent) == mostEngines {
		delete(e.engines, e.recent[0])
		e.recent = e.recent[1:]
	}
	e.engines[key], e.recent = made, append(e.recent, key)
	return made, nil
}

// after returns a model after interventions.
func after(m *model.Model, do map[string]string) (*model.Model, error) {
	if len(do) == 0 {
		return m, nil
	}
	set := infer.Evidence{}
	for name, state := range do {
		set[name] = state
	}
	return infer.Do(m, set)
}

// Answer is the reply to "ask".
type Answer struct {
	LogP      float64     `json:"logp"`              // ln P of the evidence, or of its density
	Density   bool        `json:"density,omitempty"` // a real variable is observed
	Marginals [][]float64 `json:"marginals"`         // by variable: of its states, or the mean and the variance
	MPE       []string    `json:"mpe,omitempty"`     // by variable: its state in the most probable completion
	MPELogP   float64     `json:"mpe_logp,omitempty"`

	Strategy *Strategy `json:"strategy,omitempty"` // of an influence diagram; the posteriors are those under it
	Course   *Course   `json:"course,omitempty"`   // of a sequence
}

// ask answers a question.
func (e *Engine) ask(ctx context.Context, q *Question) (*Answer, error) {
	switch {
	case e.m.Transition != nil:
		return e.sequence(ctx, q)
	case decide.Check(e.m) == nil:
		return e.decide(ctx, q)
	}
	in, err := e.engine(ctx, q.Do)
	if err != nil {
		return nil, err
	}
	given, err := e.evidence(q.Hard, q.Soft)
	if err != nil {
		return nil, err
	}
	return e.answer(ctx, in, given, q)
}

// answer asks an engine for what the page shows.
func (e *Engine) answer(ctx context.Context, in *infer.Engine, given infer.Evidence, q *Question) (*Answer, error) {
	all, err := in.Marginals(ctx, given)
	if err != nil {
		return nil, e.explain(ctx, in, given, err)
	}
	out := &Answer{Density: dense(in.Model(), q.Hard)}
	if len(q.Hard) > 0 || len(q.Soft) > 0 { // without evidence it is 0, but for rounding
		out.LogP = all.LogProb + 0
	}
	out.Marginals = numbers(all)
	if !q.MPE {
		return out, nil
	}
	best, err := in.MPE(ctx, given)
	if err != nil {
		return nil, err
	}
	out.MPELogP, out.MPE = best.LogProb+0, states(best)
	return out, nil
}

// numbers returns posteriors as the page takes them.
func numbers(all *infer.Marginals) (out [][]float64) {
	for i := range all.List {
		out = append(out, finite(all.List[i].Numbers()))
	}
	return out
}

// finite replaces the infinite variance of a variable with a diffuse prior by the largest number,
// since JSON has no infinity.
func finite(numbers []float64) []float64 {
	for i, x := range numbers {
		if math.IsInf(x, 1) {
			numbers[i] = math.MaxFloat64
		}
	}
	return numbers
}

// states returns the states of a completion.
func states(c *infer.Completion) (out []string) {
	for _, s := range c.States {
		out = append(out, s.State)
	}
	return out
}

// dense reports whether an observation is of a real variable that has a distribution.
func dense(m *model.Model, hard map[string]string) bool {
	for name := range hard {
		if v, ok := m.VarByName(name); ok && m.IsReal(v.ID) && !v.Given {
			return true
		}
	}
	return false
}

// evidence returns the evidence of a question. A real variable has a number. A given variable
// without evidence has its first state, or the number 0; a decision is open.
func (e *Engine) evidence(hard map[string]string, soft map[string][]float64) (infer.Evidence, error) {
	out := infer.Evidence{}
	for _, name := range slices.Sorted(maps.Keys(hard)) {
		out[name] = hard[name]
		if v, ok := e.m.VarByName(name); ok && e.m.IsReal(v.ID) {
			x, err := v.Domain.Parse(hard[name])
			if err != nil {
				return nil, fmt.Errorf("%q: %w", name, err)
			}
			out[name] = x.Real
		}
	}
	for _, name := range slices.Sorted(maps.Keys(soft)) {
		if before, ok := out[name]; ok {
			out[name] = infer.All{before, infer.Likelihood(soft[name])}
			continue
		}
		out[name] = infer.Likelihood(soft[name])
	}
	for _, v := range e.m.Vars {
		switch _, known := out[v.Name]; {
		case known || !v.Given || e.m.Decides(v.ID) != nil:
		case e.m.IsReal(v.ID):
			out[v.Name] = 0.0
		default:
			out[v.Name] = v.Domain.Names()[0]
		}
	}
	return out, nil
}

// names returns the names of variables.
func (e *Engine) names(vars []model.VarID) []string {
	out := make([]string, len(vars))
	for i, v := range vars {
		out[i] = e.m.Vars[v].Name
	}
	return out
}

// largest sorts shares, the largest first.
func largest(list []Share) {
	slices.SortStableFunc(list, func(a, b Share) int { return cmp.Compare(b.Entries, a.Entries) })
}
