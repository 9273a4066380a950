package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/compiler/cluster"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
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

// inexact returns the error of a model that no method of the engine answers about because of err.
func inexact(err error) error {
	const text = "the page shows this model but cannot answer about it: it answers exactly; pgmc query has approximate methods too"
	if untaken := (*model.Untaken)(nil); errors.As(err, &untaken) { // says which method takes the model, as if there were a choice
		return errors.New(text)
	}
	lines := strings.Split(err.Error(), "\n")
	return fmt.Errorf("%s; %s", text, strings.Join(slices.Compact(lines), "\n"))
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
	m, err := after(e.m, do)
	if err != nil {
		return nil, err
	}
	first := ir.Marginals
	if m.Transition != nil {
		first = ir.Filter
	}
	made, err := infer.New(ctx, m, infer.Options{Queries: []string{first.String()}})
	if err != nil {
		return nil, inexact(err)
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
