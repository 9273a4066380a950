package structem

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/mle"
)

// maxListed is the most completions of a row that are listed with their probabilities; of rows with more, completions are drawn one by
// one.
const maxListed = 4096

// maxCompleted is the most values of all completed rows: 2 GiB while they are made.
const maxCompleted = 1 << 28

// completer completes rows by a model.
type completer struct {
	m       *model.Model
	tables  [][]float64 // by factor
	of      [][]int     // by variable: the factors whose scopes have it
	sampler *ir.Program
	on      *model.Model // what the sampler is about
	draws   int
	seed    uint64
}

// complete makes the set of the completions of all rows, whose weights are probabilities times the weight of the row.
func (r *round) complete(ctx context.Context, m *model.Model, draws int) (*data.Set, error) {
	s := r.job.Train.Merged()
	if float64(s.Len())*float64(draws)*float64(len(m.Vars)) > maxCompleted {
		return nil, fmt.Errorf("%d completions of %d rows have more than %d values; want fewer draws", draws, s.Len(), maxCompleted)
	}
	c := &completer{m: m, of: make([][]int, len(m.Vars)), draws: draws, seed: r.job.Seed}
	for i, f := range m.Factors {
		values, err := m.Tabulate(f, compiler.DefaultMaxTable)
		if err != nil {
			return nil, err
		}
		c.tables = append(c.tables, values)
		for _, v := range f.Scope {
			c.of[v] = append(c.of[v], i)
		}
	}
	compiled, err := compiler.Compile(ctx, m, compiler.Options{Queries: []string{ir.Sample.String()}, MaxMem: r.job.MaxMem})
	if err != nil {
		return nil, err
	}
	c.sampler, c.on = compiled.Program, compiled.Model
	column, err := mle.Columns(m, s.Vars)
	if err != nil {
		return nil, err
	}
	rows, weights, err := c.all(ctx, s, column, max(1, r.job.Cores))
	if err != nil {
		return nil, err
	}
	set, err := data.New(r.vars, rows, weights)
	if err != nil {
		return nil, err
	}
	return set.Merged(), nil
}

// completions are those of one row.
type completions struct {
	rows    [][]int
	weights []float64
	err     error
}

// all completes the rows, on several cores.
func (c *completer) all(ctx context.Context, s *data.Set, column []int, cores int) (rows [][]int, weights []float64, err error) {
	machines := make([]*eval.Machine, cores)
	for i := range machines {
		machines[i] = eval.New(c.sampler, c.on)
	}
	found := make([]completions, s.Len())
	learner.Each(cores, cores, func(core int) {
		state := make([]int, len(c.m.Vars))
		for row := core; row < s.Len() && ctx.Err() == nil; row += cores {
			mle.States(s, row, column, state)
			found[row] = c.row(machines[core], state, row)
		}
	})
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	for row, x := range found {
		if x.err != nil {
			return nil, nil, x.err
		}
		for i := range x.rows {
			rows = append(rows, x.rows[i])
			weights = append(weights, x.weights[i]*s.Weight(row))
		}
	}
	return rows, weights, nil
}

// row completes one row, of which state has what is known.
func (c *completer) row(machine *eval.Machine, state []int, number int) completions {
	var open []model.VarID
	size := 1
	for v, s := range state {
		if s == data.Missing {
			open = append(open, model.VarID(v))
			size = min(maxListed+1, size*c.m.Card(model.VarID(v)))
		}
	}
	if size > maxListed {
		return c.drawn(machine, state, number)
	}
	return c.listed(state, open, size, number)
}

// listed works out the probabilities of all completions, and takes all of them, or as many as are to be drawn, systematically: at equal
// distances along the sum of the probabilities, the first at random.
func (c *completer) listed(state []int, open []model.VarID, size, number int) completions {
	full := append([]int(nil), state...)
	for _, v := range open {
		full[v] = 0
	}
	p, sum := c.probabilities(full, open, size)
	out := completions{}
	take := func(w float64) {
		out.rows = append(out.rows, append([]int(nil), full...))
		out.weights = append(out.weights, w)
	}
	u := rand.New(rand.NewPCG(c.seed, uint64(number))).Float64()
	next, step, before := u*sum/float64(c.draws), sum/float64(c.draws), 0.0
	for _, x := range p {
		switch {
		case size <= c.draws && x > 0:
			take(x / sum)
		case size > c.draws:
			n := 0
			for ; next < before+x; next += step {
				n++
			}
			if n > 0 {
				take(float64(n) / float64(c.draws))
			}
		}
		before += x
		c.m.Next(open, full)
	}
	if sum == 0 {
		out.err = fmt.Errorf("a row has probability 0 under the network of this round; want a prior with pseudo-counts above 0")
	}
	return out
}

// probabilities gives those of all completions, up to a factor, in row-major order of the open variables, which begin and end at their
// first states.
func (c *completer) probabilities(full []int, open []model.VarID, size int) (p []float64, sum float64) {
	var factors []int
	seen := make([]bool, len(c.tables))
	for _, v := range open {
		for _, i := range c.of[v] {
			if !seen[i] {
				seen[i] = true
				factors = append(factors, i)
			}
		}
	}
	p = make([]float64, size)
	for k := range p {
		p[k] = 1
		for _, i := range factors {
			at := 0
			for _, v := range c.m.Factors[i].Scope {
				at = at*c.m.Card(v) + full[v]
			}
			p[k] *= c.tables[i][at]
		}
		sum += p[k]
		c.m.Next(open, full)
	}
	return p, sum
}

// drawn draws completions from their distribution.
func (c *completer) drawn(machine *eval.Machine, state []int, number int) completions {
	machine.ClearEvidence()
	machine.Seed(c.seed ^ uint64(number)<<20)
	out := completions{}
	for v, s := range state {
		if s != data.Missing {
			if out.err = machine.Observe(model.VarID(v), s); out.err != nil {
				return out
			}
		}
	}
	for range c.draws {
		if out.err = machine.Run(&c.sampler.Entries[0]); out.err != nil {
			return out
		}
		full := make([]int, len(state))
		for v, s := range machine.State() {
			full[v] = int(s)
		}
		out.rows = append(out.rows, full)
		out.weights = append(out.weights, 1/float64(c.draws))
	}
	return out
}
