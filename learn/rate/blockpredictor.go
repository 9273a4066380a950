package rate

import (
	"context"

	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data/rowfile"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// Prediction holds the posteriors of the targets given a row, or the error of [Predictor.Row].
type Prediction struct {
	Posteriors []infer.Distribution
	Err        error
}

// blockPredictor predicts blocks on one core.
type blockPredictor struct {
	*Predictor
	columns *infer.Columns // nil if no row is answered by the Markov blanket of the target
	states  []int
	values  []float64
}

// Cores prepares Predict for a number of cores, and returns the number of those that can be used: 1
// if the answers of the method depend on the rows before.
func (p *Predictor) Cores(n int) int {
	if p.engine.Approximate() {
		n = 1
	}
	p.cores = make([]*blockPredictor, n)
	for i := range p.cores {
		c := &blockPredictor{Predictor: p, states: make([]int, len(p.vars)), values: make([]float64, len(p.vars))}
		if i > 0 {
			c.Predictor = NewPredictor(p.engine.Clone(), p.targets...)
		}
		given := p.engine.Model().Traits()&model.Givens != 0 // which all rows need
		if len(p.targets) == 1 && p.reals[0] == nil && !given && !p.engine.Approximate() {
			c.columns = infer.NewColumns(p.engine.Model())
		}
		p.cores[i] = c
	}
	return n
}

// Predict predicts the targets of the rows of a block, which has the variables that are not latent.
// Different cores, of those prepared by Cores, may call it at the same time. If there is one
// target, a row with all of its Markov blanket is answered by [infer.Columns] if it can, and others
// by Row's way, so that the answer to a row depends on that row only.
func (p *Predictor) Predict(ctx context.Context, core int, k *rowfile.Block) ([]Prediction, error) {
	c := p.cores[core]
	list := make([]Prediction, k.Rows)
	if c.columns != nil {
		if err := c.byBlanket(k, list); err != nil {
			return nil, err
		}
	}
	for row := range list {
		x := &list[row]
		if x.Posteriors != nil {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		k.Row(row, c.states, c.values)
		c.known.Clear()
		c.observe(c.known, c.states, c.values)
		x.Posteriors, x.Err = c.posteriors(ctx)
	}
	return list, nil
}

// byBlanket predicts the rows that the Markov blanket of the target answers.
func (c *blockPredictor) byBlanket(k *rowfile.Block, list []Prediction) error {
	target := c.targets[0]
	v, states := c.engine.Model().Vars[target], c.engine.Model().States(target)
	out := make([][]float64, len(states))
	for s := range out {
		out[s] = make([]float64, k.Rows)
	}
	rest, err := c.columns.Posteriors(target, k.Rows, func(v int) any {
		if v == int(target) {
			return nil // the truth
		}
		return k.Pointer(v)
	}, out)
	if err != nil {
		return err
	}
	answers := make([]infer.Distribution, k.Rows)
	numbers := make([]float64, k.Rows*len(states))
	for row := range answers {
		d := &answers[row]
		d.Var, d.States, d.P = v.Name, states, numbers[row*len(states):][:len(states):len(states)]
		for s := range out {
			d.P[s] = out[s][row]
		}
		pgmrt.AtMostOne(d.P)
		list[row].Posteriors = answers[row:][:1:1]
	}
	for _, row := range rest {
		list[row].Posteriors = nil
	}
	return nil
}
