package verify

import (
	"context"
	"math"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/compiler/method/circuit"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// passes is the reference that evaluates and differentiates the circuit that a model is, in log
// space, which needs no rescaling.
type passes struct {
	m        *model.Model
	f        *model.Factor
	d        *model.Circuit
	vars     []model.VarID // those that are not latent
	logZ     float64
	variable []bool    // for each node whether it depends on a variable
	up, down []float64 // for each node ln of its value, and ln of the derivative of the root by that
	best     []float64 // for each node ln of the largest value of one joint state
}

// newPasses returns the reference for a model that was compiled as the circuit that it is; nil for
// other models.
func newPasses(r *compiler.Result) *passes {
	f := circuit.TakenOver(r.Model)
	if f == nil || r.Circuit == nil || r.Program.Entry(ir.MPE.String()) != nil && !circuit.Method.Circuits.Completes(r.Model) {
		return nil
	}
	d := f.Circuit()
	n := len(d.Nodes)
	p := &passes{m: r.Model, f: f, d: d, vars: r.Model.Observable()}
	p.variable, p.up, p.down, p.best = make([]bool, n), make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range d.Nodes {
		p.variable[i] = d.Nodes[i].Op == model.CircuitIndicator
		for _, a := range d.Nodes[i].Args {
			p.variable[i] = p.variable[i] || p.variable[a]
		}
	}
	p.logZ, _ = p.ascend(p.weights(nil))
	return p
}

// weights returns ln of the values of the indicators, by variable and state: the likelihoods times
// the other factors. A nil f is no evidence.
func (p *passes) weights(f *infer.Findings) [][]float64 {
	w := make([][]float64, len(p.m.Vars))
	for v := range w {
		w[v] = make([]float64, p.m.Card(model.VarID(v)))
	}
	for _, v := range p.vars {
		for s := range w[v] {
			if f != nil && f.State[v] != infer.Missing && f.State[v] != s {
				w[v][s] = math.Inf(-1)
			}
			if f != nil && f.Soft[v] != nil {
				w[v][s] += pgmrt.Ln(f.Soft[v][s])
			}
		}
	}
	state := make([]int, len(p.m.Vars))
	for _, g := range p.m.Factors {
		if g == p.f || len(g.Scope) == 0 {
			continue // constants cancel, since Z has them too
		}
		v := g.Scope[0]
		for s := range w[v] {
			state[v] = s
			w[v][s] += pgmrt.Ln(p.m.Value(g, state))
		}
		state[v] = 0
	}
	return w
}

// ascend returns ln of the sum over all joint states, and ln of the largest term.
func (p *passes) ascend(w [][]float64) (sum, best float64) {
	met := make([]bool, len(p.m.Vars))
	needed := p.d.Needed()
	for i := range p.d.Nodes {
		switch n := &p.d.Nodes[i]; n.Op {
		case model.CircuitNumber:
			p.up[i] = pgmrt.Ln(n.Value)
			p.best[i] = p.up[i]
		case model.CircuitIndicator:
			v := p.f.Scope[n.Axis]
			met[v] = met[v] || needed[i]
			p.up[i] = w[v][n.State]
			p.best[i] = p.up[i]
		case model.CircuitProduct:
			p.up[i], p.best[i] = 0, 0
			for _, a := range n.Args {
				p.up[i] += p.up[a]
				p.best[i] += p.best[a]
			}
		case model.CircuitSum:
			p.up[i], p.best[i] = math.Inf(-1), math.Inf(-1)
			for _, a := range n.Args {
				p.up[i] = pgmrt.LogAdd(p.up[i], p.up[a])
				p.best[i] = max(p.best[i], p.best[a])
			}
			if !p.variable[i] {
				p.best[i] = p.up[i]
			}
		}
	}
	root := len(p.d.Nodes) - 1
	sum, best = p.up[root], p.best[root]
	for v := range met {
		if met[v] {
			continue
		}
		free, most := math.Inf(-1), math.Inf(-1)
		for _, x := range w[v] {
			free, most = pgmrt.LogAdd(free, x), max(most, x)
		}
		sum, best = sum+free, best+most
	}
	return sum, best
}

// descend computes the derivatives.
func (p *passes) descend() {
	for i := range p.down {
		p.down[i] = math.Inf(-1)
	}
	p.down[len(p.down)-1] = 0
	var after []float64
	for i := len(p.down) - 1; i >= 0; i-- {
		n := &p.d.Nodes[i]
		if math.IsInf(p.down[i], -1) {
			continue
		}
		switch n.Op {
		case model.CircuitSum:
			for _, a := range n.Args {
				p.down[a] = pgmrt.LogAdd(p.down[a], p.down[i])
			}
		case model.CircuitProduct:
			after = append(after[:0], make([]float64, len(n.Args)+1)...)
			for k := len(n.Args) - 1; k >= 0; k-- {
				after[k] = after[k+1] + p.up[n.Args[k]]
			}
			before := p.down[i]
			for k, a := range n.Args {
				p.down[a] = pgmrt.LogAdd(p.down[a], before+after[k+1])
				before += p.up[a]
			}
		}
	}
}

func (p *passes) answer(_ context.Context, f *infer.Findings, want *Wanted) (a Answer) {
	w := p.weights(f)
	logP, best := p.ascend(w)
	if math.IsInf(logP, -1) {
		return Answer{Err: infer.ErrImpossible}
	}
	a.LogProb, a.MPELogProb = logP-p.logZ, best-p.logZ
	if want.MPE {
		a.MPE = p.completion(w)
	}
	if want.Marginals {
		a.Marginals = p.posteriors(w)
	}
	return a
}

// posteriors returns the posteriors of the variables that are not latent, after ascend.
func (p *passes) posteriors(w [][]float64) (list [][]float64) {
	p.descend()
	posterior := make([][]float64, len(p.m.Vars))
	for v := range posterior {
		posterior[v] = make([]float64, len(w[v]))
		for s := range posterior[v] {
			posterior[v][s] = math.Inf(-1)
		}
	}
	for i := range p.d.Nodes {
		if n := &p.d.Nodes[i]; n.Op == model.CircuitIndicator {
			x := &posterior[p.f.Scope[n.Axis]][n.State]
			*x = pgmrt.LogAdd(*x, p.down[i]+p.up[i])
		}
	}
	for _, v := range p.vars {
		list = append(list, distribution(posterior[v], w[v]))
	}
	return list
}

// distribution normalises weights given by their logarithms. If all are zero, the circuit does not
// depend on the variable, and free holds its weights.
func distribution(logs, free []float64) []float64 {
	sum := math.Inf(-1)
	for _, x := range logs {
		sum = pgmrt.LogAdd(sum, x)
	}
	if math.IsInf(sum, -1) {
		return distribution(free, free)
	}
	out := make([]float64, len(logs))
	for i, x := range logs {
		out[i] = math.Exp(x - sum)
	}
	return out
}

// completion returns the states of a most probable completion: those that the best operands lead
// to, and of variables that the circuit does not depend on only the best state.
func (p *passes) completion(w [][]float64) []int {
	states := make([]int, len(p.m.Vars))
	for v := range states {
		for s, x := range w[v] {
			if x > w[v][states[v]] {
				states[v] = s
			}
		}
	}
	for stack := []int32{int32(len(p.d.Nodes) - 1)}; len(stack) > 0; {
		n := &p.d.Nodes[stack[len(stack)-1]]
		stack = stack[:len(stack)-1]
		switch n.Op {
		case model.CircuitIndicator:
			states[p.f.Scope[n.Axis]] = int(n.State)
		case model.CircuitProduct:
			stack = append(stack, n.Args...)
		case model.CircuitSum:
			if len(n.Args) == 0 {
				continue
			}
			top := n.Args[0]
			for _, a := range n.Args {
				if p.best[a] > p.best[top] {
					top = a
				}
			}
			stack = append(stack, top)
		}
	}
	out := make([]int, len(p.vars))
	for i, v := range p.vars {
		out[i] = states[v]
	}
	return out
}
