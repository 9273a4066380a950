package mixture

import (
	"context"
	"fmt"

	"github.com/pgmc-go/pgmc/ir/options"
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
	Components    int     `opt:"components" help:"number of trees of the mixture; 0 for 4, or with validation data for the best number" range:"[0,inf)" wrong:"{components} trees; want 1 or more, or 0"`
	MaxComponents int     `opt:"max-components" default:"30" help:"most trees that are tried with validation data" range:"[1,inf)" wrong:"at most {max-components} trees in steps of {step}; want 1 or more of each"`
	Step          int     `opt:"step" default:"2" help:"increase of the number of trees from one try to the next" range:"[1,inf)" wrong:"=max-components"`
	Pseudo        float64 `opt:"pseudo" default:"0.1" help:"number of rows of pseudo-counts in each distribution, spread evenly over all joint states" range:"[0,inf)" wrong:"pseudo-count {pseudo}; want 0 or more"`
	Rounds        int     `opt:"rounds" default:"100" help:"most rounds of EM" range:"[1,inf)" wrong:"{rounds} rounds of EM; want 1 or more"`
	MaxEdges      int     `opt:"max-edges" help:"most edges of the circuit; 0 for any number" range:"[0,inf)" wrong:"at most {max-edges} edges; want 0 or more"`
}

// NewOptions returns the default options.
func NewOptions() *Options { return options.New[Options]() }

// usualComponents is the number of trees without validation data, when nothing shows how many are
// too many.
const usualComponents = 4

func (l *Options) limit() *spn.Limit { return &spn.Limit{Edges: l.MaxEdges} }

// Learn implements learner.Instance.
func (l *Options) Learn(ctx context.Context, job *learner.Job) (*learner.Result, error) {
	if err := job.Train.Check(); err != nil {
		return nil, err
	}
	if err := options.Check(l); err != nil {
		return nil, err
	}
	timed, cancel := job.Limit(ctx)
	defer cancel()
	e, err := newEM(job, l.Pseudo)
	if err != nil {
		return nil, err
	}
	if err := l.room(job, e); err != nil {
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

// room returns an error if the shares of rows in the most trees take too much memory.
func (l *Options) room(job *learner.Job, e *em) error {
	most, rows := usualComponents, job.Train.Len()
	switch {
	case l.Components > 0:
		most = l.Components
	case e.valid != nil:
		most = l.MaxComponents
	}
	return job.Room(16*float64(most)*float64(rows), fmt.Sprintf("the shares of %d rows in %d trees", rows, most), "trees")
}

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
