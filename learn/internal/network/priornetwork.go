package network

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
)

// maxJoints bounds the probabilities that a prior network keeps: 64 MB.
const maxJoints = 1 << 23

// priorNetwork computes joint distributions of families in the prior network of score bde. A run
// with the parents observed has the posteriors of all variables, so that the families of all
// children of the same parents cost one run for each joint state of these.
type priorNetwork struct {
	vars  []data.Var
	state [][]int // by variable and state: the state in the network

	mu     sync.Mutex // of all below
	engine *infer.Engine
	at     []int                  // by variable: its index among those of the engine
	kept   map[string][][]float64 // by parents: for each variable the joint with them, row-major, the variable last
	size   int                    // of kept
}

// newPriorNetwork matches the variables and states of a network with the data's, by name.
func newPriorNetwork(vars []data.Var, m *model.Model) (*priorNetwork, error) {
	p := &priorNetwork{vars: vars, kept: map[string][][]float64{}}
	for _, v := range vars {
		w, ok := m.VarByName(v.Name)
		if !ok {
			return nil, fmt.Errorf("%s: the prior network has no variable %q", m.File, v.Name)
		}
		states := make([]int, len(v.States))
		for i, name := range v.States {
			if states[i], ok = m.StateByName(w.ID, name); !ok {
				break
			}
		}
		if !ok || v.Real || w.Latent || m.Card(w.ID) != len(states) {
			return nil, fmt.Errorf("%s: variable %q has the states %q in the prior network; want %q", m.File, v.Name, m.States(w.ID), v.States)
		}
		p.state = append(p.state, states)
	}
	var err error
	if p.engine, err = infer.New(context.Background(), m, infer.Options{}); err != nil {
		return nil, fmt.Errorf("prior network: %w", err)
	}
	for _, v := range vars {
		p.at = append(p.at, slices.IndexFunc(p.engine.Vars(), func(w *model.Var) bool { return w.Name == v.Name }))
	}
	_, err = p.given(nil)
	return p, err
}

// joint returns the joint distribution of variables, the last one fastest, or nil if the network
// cannot compute it.
func (p *priorNetwork) joint(vars []int) []float64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	last := len(vars) - 1
	all, err := p.given(vars[:last])
	if err != nil {
		return nil
	}
	return all[vars[last]]
}

// given returns the joint distributions of parents and each variable.
func (p *priorNetwork) given(parents []int) ([][]float64, error) {
	key := fmt.Sprint(parents)
	if all, ok := p.kept[key]; ok {
		return all, nil
	}
	rows := 1
	for _, u := range parents {
		rows *= len(p.vars[u].States)
	}
	all, size := make([][]float64, len(p.vars)), 0
	states, known := make([]int, len(parents)), infer.NewFindings(len(p.engine.Model().Vars))
	for range rows {
		for i, u := range parents {
			known.Observe(p.engine.Vars()[p.at[u]], model.Value{State: p.state[u][states[i]]})
		}
		r, err := p.engine.Marginals(context.Background(), known)
		if err != nil && !errors.Is(err, infer.ErrImpossible) {
			return nil, fmt.Errorf("prior network: %w", err)
		}
		for x := range p.vars {
			for _, s := range p.state[x] {
				weight := 0.0
				if err == nil {
					weight = math.Exp(r.LogProb) * r.List[p.at[x]].P[s]
				}
				all[x] = append(all[x], weight)
				size++
			}
		}
		p.next(parents, states)
	}
	if p.size+size > maxJoints {
		clear(p.kept)
		p.size = 0
	}
	p.kept[key] = all
	p.size += size
	return all, nil
}

// next advances the states of variables to the next joint state, the last one fastest.
func (p *priorNetwork) next(vars, states []int) {
	for i, u := range slices.Backward(vars) {
		if states[i]++; states[i] < len(p.vars[u].States) {
			return
		}
		states[i] = 0
	}
}
