package editing

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/skeleton"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/ir/model/edit"
)

// parseAdd reads a variable with its states: Z: low high.
func parseAdd(text string) ([]operation, error) {
	name, states, err := named(text)
	if err != nil {
		return nil, err
	}
	v := model.Var{Name: name, Domain: model.Discrete{States: skeleton.TwoStates}}
	switch {
	case len(states) == 1 && states[0] == word{name: "real"}:
		v.Domain = model.Real{}
	case states != nil:
		var list []string
		for _, s := range states {
			if s.renamed {
				return nil, fmt.Errorf("found %s=%s; want the names of states", s.name, s.to)
			}
			list = append(list, s.name)
		}
		v.Domain = model.Discrete{States: list}
	}
	return []operation{func(r *run) (*model.Model, []edit.Effect, error) { return edit.Add(r.m, v) }}, nil
}

// named reads a name, and the words after a colon.
func named(text string) (name string, list []word, err error) {
	before, after, _ := cut(text, ':', false)
	names, err := diag.Names(before)
	if err != nil {
		return "", nil, err
	}
	if len(names) != 1 {
		return "", nil, fmt.Errorf("found %q; want one variable, as in 'Z: low high'", before)
	}
	list, err = words(after)
	return names[0], list, err
}

// onVariable returns an operation on the variable with a name.
func onVariable(name string, apply func(r *run, v model.VarID) (*model.Model, []edit.Effect, error)) operation {
	return func(r *run) (*model.Model, []edit.Effect, error) {
		v, err := r.slice().variable(name)
		if err != nil {
			return nil, nil, err
		}
		return apply(r, v)
	}
}

// parseRemove reads the names of variables.
func parseRemove(text string) (list []operation, err error) {
	names, err := diag.Names(text)
	for _, name := range names {
		list = append(list, onVariable(name, func(r *run, v model.VarID) (*model.Model, []edit.Effect, error) {
			return edit.Remove(r.m, v, r.marginal(v), r.limit)
		}))
	}
	return list, err
}

// parseRename reads old and new names.
func parseRename(text string) (list []operation, err error) {
	all, err := pairs(text, "the old and the new name of a variable, as in lung=cancer")
	for _, p := range all {
		list = append(list, onVariable(p[0], func(r *run, v model.VarID) (*model.Model, []edit.Effect, error) {
			return edit.Rename(r.m, v, p[1])
		}))
	}
	return list, err
}

// parseDescribe reads a variable, or nothing for the model, and its description.
func parseDescribe(text string) ([]operation, error) {
	name, description, ok := cut(text, '=', false)
	if !ok {
		return nil, fmt.Errorf("want a variable and a text, as in 'lung=lung cancer', or '=a text' about the model")
	}
	if strings.TrimSpace(name) == "" {
		return []operation{func(r *run) (*model.Model, []edit.Effect, error) { return edit.Describe(r.m, -1, description) }}, nil
	}
	names, err := diag.Names(name)
	if err != nil || len(names) != 1 {
		return nil, fmt.Errorf("found %q; want one variable, as in 'lung=lung cancer'", name)
	}
	return []operation{onVariable(names[0], func(r *run, v model.VarID) (*model.Model, []edit.Effect, error) {
		return edit.Describe(r.m, v, description)
	})}, nil
}

// parseStates reads a variable and its states.
func parseStates(text string) ([]operation, error) {
	name, list, err := named(text)
	if err != nil {
		return nil, err
	}
	if list == nil {
		return nil, fmt.Errorf("want a variable and its states, as in 'Z: low mid=middle high'")
	}
	return []operation{onVariable(name, func(r *run, v model.VarID) (*model.Model, []edit.Effect, error) {
		var states []edit.NewState
		for _, w := range list {
			s := edit.NewState{Name: w.name, From: slices.Index(r.m.States(v), w.name)}
			if w.renamed {
				if s.From, err = r.slice().state(v, w.name); err != nil {
					return nil, nil, err
				}
				s.Name = w.to
			}
			states = append(states, s)
		}
		return edit.SetStates(r.m, v, states, r.limit)
	})}, nil
}

// parseEdge reads edges to add.
func parseEdge(text string) ([]operation, error) {
	return edges(text, func(r *run, at *slice, u, v model.VarID) (*model.Model, []edit.Effect, error) {
		return edit.AddEdge(at.m, u, v, r.limit)
	})
}

// parseRemoveEdge reads edges to remove.
func parseRemoveEdge(text string) ([]operation, error) {
	return edges(text, func(r *run, at *slice, u, v model.VarID) (*model.Model, []edit.Effect, error) {
		var marginal []float64
		if at.m == r.m {
			marginal = r.marginal(u)
		}
		return edit.RemoveEdge(at.m, u, v, marginal, r.limit)
	})
}

// edges reads edges, in the notation of pgmc new.
func edges(text string, apply func(r *run, at *slice, u, v model.VarID) (*model.Model, []edit.Effect, error)) (list []operation, err error) {
	s, err := skeleton.Parse(text)
	if err != nil {
		return nil, err
	}
	if name := s.Stated(); name != "" {
		return nil, fmt.Errorf("found states of %q; want edges, as in A->B", name)
	}
	for v, parents := range s.Parents {
		for _, u := range parents {
			list = append(list, func(r *run) (*model.Model, []edit.Effect, error) {
				return r.inSlice(s.Names[v], func(at *slice, v model.VarID) (*model.Model, []edit.Effect, error) {
					u, err := at.variable(s.Names[u])
					if err != nil {
						return nil, nil, err
					}
					return apply(r, at, u, v)
				})
			})
		}
	}
	if list == nil {
		return nil, fmt.Errorf("found no arrow; want edges, as in A->B")
	}
	return list, nil
}

// marginal returns the distribution of v in the model of a run, or nil if it has none that can be
// computed exactly within the limits.
func (r *run) marginal(v model.VarID) []float64 {
	if r.m.Kind != model.Bayes || r.m.Transition != nil || r.m.Vars[v].Given {
		return nil
	}
	g, given := model.NewGraph(r.m), infer.Evidence{}
	for _, w := range r.m.Vars {
		switch {
		case !w.Given:
		case g.Causes(w.ID, v):
			return nil // there is one for each value of w
		case r.m.IsReal(w.ID):
			given[w.Name] = 0.0
		default:
			given[w.Name] = r.m.States(w.ID)[0] // any, since v does not depend on it
		}
	}
	e, err := infer.New(r.ctx, r.m, infer.Options{MaxTable: r.limit, MaxMem: r.maxMem})
	if err != nil {
		return nil
	}
	d, err := e.Posterior(r.ctx, given, r.m.Vars[v].Name)
	if err != nil {
		return nil
	}
	return d.Numbers()
}
