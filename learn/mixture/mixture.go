package mixture

import (
	"context"
	"flag"
	"fmt"
	"math"

	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/internal/spn"
	"github.com/pgmc-go/pgmc/learn/learner"
)

// Learner is the learner of mixtures of trees.
var Learner = learner.Learner{
	Name: "mt",
	Doc:  "a mixture of trees, by EM",
	New:  func() learner.Instance { return &instance{} },

	Resumes: true,
}

type instance struct {
	components, most, step int
	prior                  float64
	rounds                 int
	limit                  spn.Limit
}

// Without validation data, nothing says how many trees are too many.
const usualComponents = 4

func (l *instance) Options(fs *flag.FlagSet) {
	fs.IntVar(&l.components, "components", 0, "trees of the mixture; 0 for 4, or with --valid for the best number")
	fs.IntVar(&l.most, "max-components", 30, "most trees that are tried with --valid")
	fs.IntVar(&l.step, "step", 2, "trees between one try and the next")
	fs.Float64Var(&l.prior, "pseudo", 0.1, "rows of pseudo-counts, spread evenly over all joint states, in each distribution")
	fs.IntVar(&l.rounds, "rounds", 100, "most rounds of EM")
	l.limit.Options(fs)
}

func (l *instance) check() error {
	switch {
	case l.components < 0:
		return fmt.Errorf("%d trees; want 1 or more, or 0", l.components)
	case l.most < 1 || l.step < 1:
		return fmt.Errorf("at most %d trees in steps of %d; want 1 or more of each", l.most, l.step)
	case !(l.prior >= 0) || math.IsInf(l.prior, 0):
		return fmt.Errorf("pseudo-count %v; want a number from 0", l.prior)
	case l.rounds < 1:
		return fmt.Errorf("%d rounds of EM; want 1 or more", l.rounds)
	}
	return l.limit.Check()
}

func (l *instance) Learn(ctx context.Context, job *learner.Job) (*learner.Result, error) {
	if err := spn.Check(job); err != nil {
		return nil, err
	}
	if err := l.check(); err != nil {
		return nil, err
	}
	timed, cancel := job.Limit(ctx)
	defer cancel()
	e, err := newEM(job, l.prior)
	if err != nil {
		return nil, err
	}
	s := &search{l: l, e: e, job: job, tries: l.tries(e), saver: job.Saver("mt", *l)}
	if err := s.run(timed); err != nil {
		return nil, err
	}
	r, err := s.at.Best.network(job.Train.Vars).Result(ctx, job, "mt", s.at.Steps, timed.Err() != nil)
	if r != nil {
		r.Report.Remarks = append(r.Report.Remarks, fmt.Sprintf("trees: %d", len(s.at.Best.Trees)))
	}
	return r, err
}

// patience is how many steps without a better mixture, or rounds, are taken before a search ends.
const patience = 3

// tries are the numbers of trees to try.
func (l *instance) tries(e *em) []int {
	switch {
	case l.components > 0:
		return []int{l.components}
	case e.valid == nil:
		return []int{usualComponents}
	}
	var list []int
	for k := min(l.step, l.most); k <= l.most; k += l.step {
		list = append(list, k)
	}
	return list
}

// network is the mixture as blocks.
func (m *mixture) network(vars []data.Var) *spn.Network {
	n := spn.New(vars)
	var roots []spn.Block
	for _, t := range m.Trees {
		roots = append(roots, n.Tree(t.Nodes(vars)))
	}
	n.Sum(m.Weights, roots...)
	return n
}
