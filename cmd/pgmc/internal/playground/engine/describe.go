package engine

import (
	"github.com/pgmc-go/pgmc/ir/model"
)

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

// describe returns what a page needs of the model.
func (e *Engine) describe() *Loaded {
	out := &Loaded{Version: e.version, Name: e.m.Name, Kind: e.m.Kind.String(), Variables: []Variable{}, Warnings: []string{}, Sequence: e.m.Transition != nil, Diagram: e.decides()}
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
