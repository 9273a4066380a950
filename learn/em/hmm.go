package em

import (
	"context"
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/ir/options"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/internal/template"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/mle"
)

// chainModel returns the hidden Markov model in which all variables of a slice depend on a hidden
// class with the given number of states, which depends on the class of the slice before. With
// right, it begins in the first state and never returns to an earlier one. The parameters are a
// stationary point of EM, as in [mixture]; the CPDs of the variables are the same in all slices.
func chainModel(vars []data.Var, states int, right bool) (*model.Model, error) {
	m, err := mixture(vars, states, 0)
	if err != nil {
		return nil, err
	}
	first := m.Factors[0]
	class := first.ChildVar()
	before := model.VarID(len(m.Vars))
	begin, move := even(states, states), even(states*states, states)
	if right {
		begin, move = make([]float64, states), make([]float64, states*states)
		begin[0] = 1
		for k := range states {
			for next := k; next < states; next++ {
				move[k*states+next] = 1 / float64(states-k)
			}
		}
	}
	m.Name, first.Dist = "hmm", &model.Table{Values: begin}
	step := &model.Factor{Scope: []model.VarID{before, class}, Child: 1, Dist: &model.Table{Values: move}}
	m.Transition = &model.Transition{Before: []model.VarID{class}, Factors: append([]*model.Factor{step}, m.Factors[1:]...)}
	return m, nil
}

// LearnsSequences marks that Learn takes the rows of sequences as they are.
func (l *Options) LearnsSequences() {}

// sequences fits a template to sequences: the initial model, or a hidden Markov model.
func (l *Options) sequences(ctx context.Context, job *learner.Job, opt RunOptions) (*learner.Result, error) {
	m := job.Init
	switch {
	case m == nil && l.Factors > 0:
		return nil, fmt.Errorf("%d factors of sequences; want an initial model with a transition of real variables", l.Factors)
	case m == nil:
		var err error
		if m, err = chainModel(job.Train.Vars, l.Clusters, l.Right); err != nil {
			return nil, err
		}
		opt.Random = true
	case m.Transition == nil:
		return nil, fmt.Errorf("%s: the rows are slices of sequences, and the initial model has no transition; want one", m.File)
	}
	static := template.Static(m, template.Equal, nil)
	opt.KeepZeros = true
	if l.Sticky > 0 {
		opt.Extra = template.Sticky(m, static, l.Sticky)
	}
	column, err := mle.Columns(m, job.Train.Vars)
	if err != nil {
		return nil, err
	}
	timed, cancel := job.Limit(ctx)
	defer cancel()
	fit, err := RunSequences(timed, m, static, job.Train, column, opt, job)
	if fit == nil {
		return nil, stopped(ctx, timed, err)
	}
	return &learner.Result{Models: []*model.Model{template.Fill(m, fit.Model)}, Report: fit.Report()}, ctx.Err()
}

// checkSlices returns an error if options are about sequences and the rows are not, or the reverse.
func (l *Options) checkSlices(job *learner.Job) error {
	if err := options.Check(l); err != nil {
		return err
	}
	sequential := job.Train.Sequential()
	switch {
	case !sequential && (l.Sticky > 0 || l.Right):
		return fmt.Errorf("sticky and left-to-right are about sequences, and the rows are independent")
	case l.Right && job.Init != nil:
		return fmt.Errorf("left-to-right is of a model that is made here; the zeros of an initial model stay")
	case !sequential && job.Init != nil && job.Init.Transition != nil:
		return fmt.Errorf("%s: the initial model has a transition, and the rows are independent; want them in sequences", job.Init.File)
	case l.States != "" && job.Init != nil:
		return fmt.Errorf("states %s are numbers of states to choose from, and the initial model has its own; leave out one", l.States)
	}
	return nil
}

// blocks returns a set with a single sequence cut into n sequences of about the same length, and
// others as they are.
func blocks(s *data.Set, n int) (*data.Set, error) {
	if s.Sequences() != 1 {
		return s, nil
	}
	var first []int
	for k := range n {
		first = append(first, s.Len()*k/n)
	}
	return s.InSequences(slices.Compact(first))
}
