package structem

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/em"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/mle"
)

// maxListed is the most completions of a row that are listed with their probabilities. If there are
// more, completions are sampled one by one.
const maxListed = 4096

// maxCompleted is the most values of all completed rows: 2 GiB while they are built.
const maxCompleted = 1 << 28

// completer completes rows by a model.
type completer struct {
	m     *model.Model
	draws int
	seed  uint64
	cores []completerCore
}

// completerCore is the state of one worker.
type completerCore struct {
	lister  *em.Lister
	sampler *eval.Machine
	entry   *ir.Entry
}

// complete returns the set of the completions of all rows. Their weights are their probabilities
// times the weight of the row.
func (r *round) complete(ctx context.Context, m *model.Model, draws int) (*data.Set, error) {
	s := r.job.Train.Merged()
	if float64(s.Len())*float64(draws)*float64(len(m.Vars)) > maxCompleted {
		return nil, fmt.Errorf("%d completions of %d rows have more than %d values; want fewer draws", draws, s.Len(), maxCompleted)
	}
	column, err := mle.Columns(m, s.Vars)
	if err != nil {
		return nil, err
	}
	if len(m.Reals()) > 0 {
		return r.completeReal(ctx, m, s, column, draws)
	}
	c := &completer{m: m, draws: draws, seed: r.job.Seed}
	if err := c.makeCores(ctx, r.job, em.MostCompletions(m, s, column, maxListed+1) > maxListed); err != nil {
		return nil, err
	}
	rows, weights, err := c.all(ctx, s, column)
	if err != nil {
		return nil, err
	}
	set, err := data.New(r.vars, rows, weights)
	if err != nil {
		return nil, err
	}
	return set.Merged(), nil
}

// makeCores creates the workers; drawn is set if some completions are sampled one by one.
func (c *completer) makeCores(ctx context.Context, job *learner.Job, drawn bool) error {
	var compiled *compiler.Result
	if drawn {
		var err error
		if compiled, err = compiler.Compile(ctx, c.m, compiler.Options{Queries: []string{ir.Sample.String()}, MaxMem: job.MaxMem, Interpreted: true}); err != nil {
			return err
		}
	}
	for range max(1, job.Cores) {
		l, err := em.NewLister(c.m)
		if err != nil {
			return err
		}
		core := completerCore{lister: l}
		if drawn {
			core.sampler, core.entry = eval.New(compiled.Program, compiled.Model), &compiled.Program.Entries[0]
		}
		c.cores = append(c.cores, core)
	}
	return nil
}

// completions holds the completions of one row.
type completions struct {
	rows    [][]int
	weights []float64
	err     error
}

// all completes the rows on several cores.
func (c *completer) all(ctx context.Context, s *data.Set, column []int) (rows [][]int, weights []float64, err error) {
	found := make([]completions, s.Len())
	learner.Each(len(c.cores), len(c.cores), func(core int) {
		state := make([]int, len(c.m.Vars))
		for row := core; row < s.Len() && ctx.Err() == nil; row += len(c.cores) {
			mle.States(s, row, column, state)
			found[row] = c.row(&c.cores[core], state, row)
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

// row completes one row; state holds its observed states.
func (c *completer) row(core *completerCore, state []int, number int) completions {
	p, logP, ok := core.lister.List(state, maxListed)
	switch {
	case !ok:
		return c.drawn(core, state, number)
	case math.IsInf(logP, -1):
		return completions{err: fmt.Errorf("a row has probability 0 under the network of this round; want a prior with pseudo-counts above 0")}
	}
	return c.listed(state, core.lister.Open(), p, number)
}

// listed returns all completions with their probabilities p, or if there are more than draws, a
// systematic sample: at equal distances along the cumulative probabilities, with a random first
// one.
func (c *completer) listed(state []int, open []model.VarID, p []float64, number int) completions {
	full := append([]int(nil), state...)
	for _, v := range open {
		full[v] = 0
	}
	out := completions{}
	u := rand.New(rand.NewPCG(c.seed, uint64(number))).Float64()
	step := 1 / float64(c.draws)
	next, before := u*step, 0.0
	for _, w := range p {
		before += w
		if len(p) > c.draws {
			n := 0
			for ; next < before; next += step {
				n++
			}
			w = float64(n) * step
		}
		if w > 0 {
			out.rows = append(out.rows, append([]int(nil), full...))
			out.weights = append(out.weights, w)
		}
		c.m.Next(open, full)
	}
	return out
}

// drawn samples completions from their distribution.
func (c *completer) drawn(core *completerCore, state []int, number int) completions {
	machine := core.sampler
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
		if out.err = machine.Run(core.entry); out.err != nil {
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
