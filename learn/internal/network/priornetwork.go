package network

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
)

// maxJoints bounds the probabilities that a prior network keeps, and computes at a time: 64 MB.
const maxJoints = 1 << 23

var errTooMany = errors.New("too many joint states")

// priorNetwork computes joint distributions of families in the prior network of score bde. A run
// with the parents observed has the posteriors of all variables, so that the families of all
// children of the same parents cost one run for each joint state of these.
type priorNetwork struct {
	vars  []data.Var
	state [][]int // by variable and state: the state in the network

	mu      sync.Mutex // of all below
	machine *eval.Machine
	entry   *ir.Entry
	to      []model.VarID          // by variable: the variable of the network
	at      []int                  // by variable: its posterior among those of entry
	kept    map[string][][]float64 // by parents: for each variable the joint with them, row-major, the variable last
	size    int                    // of kept
}

// newPriorNetwork matches the variables and states of a network with the data's, by name. It refuses
// rows with a state that the network calls impossible: no structure would explain them.
func newPriorNetwork(rows *data.Set, m *model.Model) (*priorNetwork, error) {
	vars := rows.Vars
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
		p.to, p.state = append(p.to, w.ID), append(p.state, states)
	}
	r, err := compiler.Compile(context.Background(), m, compiler.Options{Queries: []string{ir.Marginals.String()}, Interpreted: true})
	if err != nil {
		return nil, fmt.Errorf("prior network: %w", err)
	}
	p.machine, p.entry = eval.New(r.Program, r.Model), &r.Program.Entries[0]
	for _, w := range p.to {
		p.at = append(p.at, slices.IndexFunc(p.entry.Outs, func(id ir.SpanID) bool { return r.Program.Spans[id].Var == w }))
	}
	all, err := p.given(nil)
	if err != nil {
		return nil, err
	}
	for x, v := range vars {
		column := rows.Column(x)
		for row := range rows.Len() {
			if k := column.At(row); k != data.Missing && all[x][k] == 0 {
				return nil, fmt.Errorf("%s: variable %q is never %q by the prior network, as it is in the rows; want a probability above 0", m.File, v.Name, v.States[k])
			}
		}
	}
	return p, nil
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

// given returns the joint distributions of parents and each variable. Its error is errTooMany if
// these have more than maxJoints probabilities.
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
	for _, v := range p.vars {
		size += rows * len(v.States)
	}
	if size > maxJoints {
		return nil, errTooMany
	}
	states := make([]int, len(parents))
	p.machine.ClearEvidence()
	for range rows {
		for i, u := range parents {
			if err := p.machine.Observe(p.to[u], p.state[u][states[i]]); err != nil {
				return nil, fmt.Errorf("prior network: %w", err)
			}
		}
		err := p.machine.Run(p.entry)
		if err != nil && !errors.Is(err, eval.ErrImpossible) {
			return nil, fmt.Errorf("prior network: %w", err)
		}
		for x := range p.vars {
			for _, s := range p.state[x] {
				weight := 0.0
				if err == nil {
					weight = math.Exp(p.machine.LogP()) * p.machine.Posterior(p.at[x])[s]
				}
				all[x] = append(all[x], weight)
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
