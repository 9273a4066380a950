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

// Learner learns mixtures of trees.
var Learner = learner.Learner{
	Name: "mt",
	Doc:  "a mixture of trees, by EM",
	New:  func() learner.Instance { return NewOptions() },

	Resumes: true,
}

// Options holds the options of mt. A pointer to Options is the learner.
type Options struct {
	// Components is the number of trees of the mixture; 0 for 4, or with validation data for the
	// best number.
	Components    int
	MaxComponents int // most trees that are tried with validation data
	Step          int // increase of the number of trees from one try to the next
	// Pseudo is the number of rows of pseudo-counts in each distribution, spread evenly over all
	// joint states.
	Pseudo   float64
	Rounds   int // most rounds of EM
	MaxEdges int // most edges of the circuit; 0 for any number
}

// NewOptions returns the default options.
func NewOptions() *Options {
	return &Options{
		MaxComponents: 30, Step: 2, Pseudo: 0.1, Rounds: 100,
	}
}

// usualComponents is the number of trees without validation data, when nothing shows how many are
// too many.
const usualComponents = 4

// Bind declares the flags of the options.
func (l *Options) Bind(fs *flag.FlagSet) {
	fs.IntVar(&l.Components, "components", l.Components, "number of trees of the mixture; 0 for 4, or with validation data for the best number")
	fs.IntVar(&l.MaxComponents, "max-components", l.MaxComponents, "most trees that are tried with validation data")
	fs.IntVar(&l.Step, "step", l.Step, "increase of the number of trees from one try to the next")
	fs.Float64Var(&l.Pseudo, "pseudo", l.Pseudo, "number of rows of pseudo-counts in each distribution, spread evenly over all joint states")
	fs.IntVar(&l.Rounds, "rounds", l.Rounds, "most rounds of EM")
	spn.BindLimit(fs, &l.MaxEdges)
}

func (l *Options) limit() *spn.Limit { return &spn.Limit{Edges: l.MaxEdges} }

func (l *Options) check() error {
	switch {
	case l.Components < 0:
		return fmt.Errorf("%d trees; want 1 or more, or 0", l.Components)
	case l.MaxComponents < 1 || l.Step < 1:
		return fmt.Errorf("at most %d trees in steps of %d; want 1 or more of each", l.MaxComponents, l.Step)
	case !(l.Pseudo >= 0) || math.IsInf(l.Pseudo, 0):
		return fmt.Errorf("pseudo-count %v; want 0 or more", l.Pseudo)
	case l.Rounds < 1:
		return fmt.Errorf("%d rounds of EM; want 1 or more", l.Rounds)
	}
	return l.limit().Check()
}

// Learn implements learner.Instance.
func (l *Options) Learn(ctx context.Context, job *learner.Job) (*learner.Result, error) {
	if err := job.Train.Check(); err != nil {
		return nil, err
	}
	if err := l.check(); err != nil {
		return nil, err
	}
	timed, cancel := job.Limit(ctx)
	defer cancel()
	e, err := newEM(job, l.Pseudo)
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

// patience is the number of tries, or of rounds of EM, without an improvement after which a search
// ends.
const patience = 3

// tries returns the numbers of trees to try.
func (l *Options) tries(e *em) []int {
	switch {
	case l.Components > 0:
		return []int{l.Components}
	case e.valid == nil:
		return []int{usualComponents}
	}
	var list []int
	for k := min(l.Step, l.MaxComponents); k <= l.MaxComponents; k += l.Step {
		list = append(list, k)
	}
	return list
}

// network returns the mixture as blocks.
func (m *mixture) network(vars []data.Var) *spn.Network {
	n := spn.New(vars)
	var roots []spn.Block
	for _, t := range m.Trees {
		roots = append(roots, n.Tree(t.Nodes(vars)))
	}
	n.Sum(m.Weights, roots...)
	return n
}
