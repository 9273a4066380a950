package engine

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/cluster"
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
}

// Request is a request of the page. Op names the operation; the other fields depend on it.
type Request struct {
	Op string `json:"op"`

	// For "load": a file's name and content, or only the name of a model that is part of pgmc.
	Name string `json:"name,omitempty"`
	Data []byte `json:"data,omitempty"` // base64 in JSON

	Question
	Var string `json:"var,omitempty"` // for "variable", and for "picture" of a large network
}

// Question is the evidence of a page, by name of variable.
type Question struct {
	Hard map[string]string    `json:"hard,omitempty"` // the observed state, or the value of a real variable
	Soft map[string][]float64 `json:"soft,omitempty"` // a likelihood for each state
	Do   map[string]string    `json:"do,omitempty"`   // the state that an intervention sets
	MPE  bool                 `json:"mpe,omitempty"`  // whether the most probable completion is wanted
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
		return builtIn()
	case "load":
		return e.load(&r)
	}
	if e.m == nil {
		return nil, errors.New("no model is open")
	}
	switch r.Op {
	case "ask":
		return e.ask(ctx, &r.Question)
	case "variable":
		return e.variable(ctx, r.Var)
	case "picture":
		return e.picture(r.Var)
	case "go":
		if e.Source != nil {
			return e.Source(ctx, e.m)
		}
	}
	return nil, fmt.Errorf("unknown request %q", r.Op)
}

// builtIn returns the names of the models that are part of pgmc.
func builtIn() ([]string, error) {
	entries, err := models.Files.ReadDir(".")
	names := make([]string, len(entries))
	for i, x := range entries {
		names[i] = strings.TrimSuffix(x.Name(), path.Ext(x.Name()))
	}
	return names, err
}

// Loaded is the reply to "load".
type Loaded struct {
	Name      string     `json:"name"`
	Kind      string     `json:"kind"`
	Variables []Variable `json:"variables"`
	Causal    bool       `json:"causal"` // interventions are possible
	Warnings  []string   `json:"warnings"`
}

// Variable is a variable that is not latent.
type Variable struct {
	Name    string   `json:"name"`
	States  []string `json:"states"` // nil for a real variable
	Given   bool     `json:"given,omitempty"`
	Parents []string `json:"parents,omitempty"`
}

// load opens a model.
func (e *Engine) load(r *Request) (*Loaded, error) {
	name, content := r.Name, r.Data
	if content == nil {
		text, err := models.Files.ReadFile(name + ".bif")
		if err != nil {
			return nil, fmt.Errorf("no model that is part of pgmc has the name %q", name)
		}
		name, content = name+".bif", text
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
	e.m, e.engines, e.recent, e.tree = normal, map[string]*infer.Engine{}, nil, nil
	out := &Loaded{Name: normal.Name, Kind: normal.Kind.String(), Causal: normal.Kind == model.Bayes, Warnings: []string{}}
	for _, d := range append(list.Warnings(), more.Warnings()...) {
		out.Warnings = append(out.Warnings, d.Error())
	}
	g := model.NewGraph(normal)
	for _, v := range normal.Vars {
		if v.Latent {
			continue
		}
		x := Variable{Name: v.Name, States: v.Domain.Names(), Given: v.Given}
		if g.Parents != nil {
			for _, p := range g.Parents[v.ID] {
				x.Parents = append(x.Parents, normal.Vars[p].Name)
			}
		}
		out.Variables = append(out.Variables, x)
	}
	return out, nil
}

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
	m := e.m
	if len(do) > 0 {
		set := infer.Evidence{}
		for _, name := range slices.Sorted(maps.Keys(do)) {
			set[name] = do[name]
		}
		if m, err = infer.Do(m, set); err != nil {
			return nil, err
		}
	}
	made, err := infer.New(ctx, m, infer.Options{Queries: []string{ir.Marginals.String()}})
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

// Answer is the reply to "ask".
type Answer struct {
	LogP      float64     `json:"logp"`          // ln P of the evidence
	Marginals [][]float64 `json:"marginals"`     // by variable: of its states, or the mean and the variance
	MPE       []string    `json:"mpe,omitempty"` // by variable: its state in the most probable completion
	MPELogP   float64     `json:"mpe_logp,omitempty"`
}

// errSequence is the error for questions about a model with a transition from slice to slice.
var errSequence = errors.New("the model describes a sequence, and the page asks about a network of one time; pgmc query --sequence takes sequences")

// ask answers a question.
func (e *Engine) ask(ctx context.Context, q *Question) (*Answer, error) {
	if e.m.Transition != nil {
		return nil, errSequence
	}
	in, err := e.engine(ctx, q.Do)
	if err != nil {
		return nil, err
	}
	given, err := e.evidence(q)
	if err != nil {
		return nil, err
	}
	all, err := in.Marginals(ctx, given)
	if err != nil {
		return nil, e.explain(ctx, in, given, err)
	}
	out := &Answer{}
	if len(given) > 0 { // without evidence it is 0, but for rounding
		out.LogP = all.LogProb + 0
	}
	for i := range all.List {
		out.Marginals = append(out.Marginals, all.List[i].Numbers())
	}
	if !q.MPE {
		return out, nil
	}
	best, err := in.MPE(ctx, given)
	if err != nil {
		return nil, err
	}
	out.MPELogP = best.LogProb + 0
	for _, s := range best.States {
		out.MPE = append(out.MPE, s.State)
	}
	return out, nil
}

// evidence returns the evidence of a question. A real variable has a number.
func (e *Engine) evidence(q *Question) (infer.Evidence, error) {
	out := infer.Evidence{}
	for _, name := range slices.Sorted(maps.Keys(q.Hard)) {
		out[name] = q.Hard[name]
		if v, ok := e.m.VarByName(name); ok && e.m.IsReal(v.ID) {
			x, err := v.Domain.Parse(q.Hard[name])
			if err != nil {
				return nil, fmt.Errorf("%q: %w", name, err)
			}
			out[name] = x.Real
		}
	}
	for _, name := range slices.Sorted(maps.Keys(q.Soft)) {
		if before, ok := out[name]; ok {
			out[name] = infer.All{before, infer.Likelihood(q.Soft[name])}
			continue
		}
		out[name] = infer.Likelihood(q.Soft[name])
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
