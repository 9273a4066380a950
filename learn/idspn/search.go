package idspn

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/acmn"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/internal/clusters"
	"github.com/pgmc-go/pgmc/learn/internal/spn"
	"github.com/pgmc-go/pgmc/learn/internal/trees"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/rate"
)

// search is one run of the learner.
type search struct {
	l            *Options
	job          *learner.Job
	train, valid *data.Set // valid may be nil
	root         *node
	value        float64 // mean log-likelihood of the root, on the validation data or else the training data
	steps        int
	kept         int // number of splits that were kept
	log          *log
	leaves       int // number of circuits that were asked for

	mu     sync.Mutex  // guards the fields below
	splits map[int]int // by circuit: its number of splits
	made   int         // splits of all circuits
}

func newSearch(l *Options, job *learner.Job) (*search, error) {
	s := &search{l: l, job: job, splits: map[int]int{}}
	var err error
	if s.train, err = job.Train.Merged().Filled(job.Seed); err != nil {
		return nil, err
	}
	if job.Valid != nil && job.Valid.Len() > 0 {
		if s.valid, err = job.Valid.Merged().Filled(job.Seed); err != nil {
			return nil, err
		}
	}
	s.log, err = newLog(job, *l)
	return s, err
}

// run splits circuits, the largest first.
func (s *search) run(ctx context.Context) error {
	var vars []int
	for v := range s.train.Vars {
		vars = append(vars, v)
	}
	var rows []int32
	for row := range s.train.Len() {
		if s.train.Weight(row) > 0 {
			rows = append(rows, int32(row))
		}
	}
	if rows == nil {
		return fmt.Errorf("no row has a weight; want at least one")
	}
	var err error
	if s.root, err = s.leaf(ctx, s.number(1), vars, rows, s.job.Cores); err != nil {
		return err
	}
	if edges := s.circuit(s.root).Edges(); edges > s.l.MaxEdges {
		return fmt.Errorf("the circuit has %d edges; want at most %d; allow more edges", edges, s.l.MaxEdges)
	}
	s.value = s.rate(s.root)
	for ctx.Err() == nil && s.steps < s.l.Extensions {
		n := s.largest()
		if n == nil {
			break
		}
		s.steps++
		n.done = true
		with, err := s.apart(ctx, n)
		if err != nil {
			if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
				break
			}
			return err
		}
		if with != nil {
			s.try(n, with)
		}
	}
	return s.log.saver.End(ctx)
}

// number reserves consecutive numbers for some circuits and returns the first.
func (s *search) number(count int) int {
	s.leaves += count
	return s.leaves - count
}

// largest returns the largest circuit that may be split, or nil.
func (s *search) largest() (best *node) {
	for _, n := range s.root.circuits() {
		if !n.done && (best == nil || n.size() > best.size()) {
			best = n
		}
	}
	return best
}

// rate returns the likelihood that decides.
func (s *search) rate(n *node) float64 {
	if s.valid != nil {
		return spn.Mean(s.valid, n.logs(validLogs))
	}
	return spn.Mean(s.train, n.logs(trainLogs))
}

// try replaces n by with if that raises the likelihood and the circuit is not too large.
func (s *search) try(n, with *node) {
	root := s.root.replace(n, with)
	if value := s.rate(root); value > s.value && s.circuit(root).Edges() <= s.l.MaxEdges {
		s.root, s.value = root, value
		s.kept++
		return
	}
	s.root = root.replace(with, n)
}

// apart splits a circuit into a product of sums of circuits. It returns nil if it does not split.
func (s *search) apart(ctx context.Context, n *node) (*node, error) {
	x, err := trees.NewIndex(s.train, n.rows, n.vars)
	if err != nil {
		return nil, err
	}
	groups := [][]int{n.vars}
	if len(n.vars) >= s.l.MinVars {
		c := x.Count(nil)
		groups = c.Components(func(i, j int) bool { return c.Mutual(i, j, 0) > s.l.Mutual })
	}
	var parts []*node
	for g, vars := range groups {
		slices.Sort(vars)
		part, err := s.mixed(ctx, n, vars, rand.New(rand.NewPCG(s.job.Seed, uint64(s.steps)<<32+uint64(g))))
		if err != nil {
			return nil, err
		}
		parts = append(parts, part)
	}
	if len(parts) > 1 {
		return &node{vars: n.vars, rows: n.rows, args: parts}, nil
	}
	return parts[0], nil
}

// mixed returns a sum of circuits over some variables of another, one for each cluster of rows. If
// there is one cluster, it returns a circuit, or nil if that would be the same circuit.
func (s *search) mixed(ctx context.Context, from *node, vars []int, rng *rand.Rand) (*node, error) {
	rows := from.rows
	x, err := trees.NewIndex(s.train, rows, vars)
	if err != nil {
		return nil, err
	}
	c, k := x.Count(nil), 1
	var of []int
	if c.Total >= s.l.MinRows {
		if of, k, err = (clusters.Options{Most: s.l.Clusters, Penalty: s.l.ClusterPenalty, Prior: 1}).Find(ctx, c, rng); err != nil {
			return nil, err
		}
	}
	switch {
	case k < 2 && len(vars) == len(from.vars):
		return nil, nil
	case k < 2:
		return s.leaf(ctx, s.number(1), vars, rows, s.job.Cores)
	}
	n := &node{vars: vars, rows: rows, args: make([]*node, k), weights: make([]float64, k)}
	parts, errs, first := make([][]int32, k), make([]error, k), s.number(k)
	for i, row := range rows {
		parts[of[i]] = append(parts[of[i]], row)
		n.weights[of[i]] += s.train.Weight(int(row)) / c.Total
	}
	learner.Each(s.job.Cores, k, func(i int) { n.args[i], errs[i] = s.leaf(ctx, first+i, vars, parts[i], 1) })
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return n, nil
}

// leaf learns the circuit with the given number.
func (s *search) leaf(ctx context.Context, number int, vars []int, rows []int32, cores int) (*node, error) {
	n := &node{vars: vars, rows: rows}
	models, err := s.models(ctx, number, n, cores)
	if err != nil {
		return nil, err
	}
	n.circuit = models[1].Factors[0].Circuit()
	if n.train, err = logsOf(models[0], s.train, vars, cores); err != nil {
		return nil, err
	}
	if s.valid != nil {
		n.valid, err = logsOf(models[0], s.valid, vars, cores)
	}
	return n, err
}

// models returns the network and the circuit of a leaf: a checkpoint's, or the one that ACMN learns
// from its rows.
func (s *search) models(ctx context.Context, number int, n *node, cores int) ([]*model.Model, error) {
	set, err := project(s.train, n.vars, n.rows)
	if err != nil {
		return nil, err
	}
	from := s.log.leaf(number)
	if from.Circuit != nil {
		models, err := from.models(set.Vars)
		if err != nil {
			return nil, learner.Damaged(fmt.Errorf("circuit %d: %w", number, err))
		}
		return models, nil
	}
	share := float64(n.size()) / float64(s.train.Len()*len(s.train.Vars))
	job := &learner.Job{Train: set, Seed: s.job.Seed, Cores: cores, MaxMem: s.job.MaxMem, MaxTime: s.left(share), Resume: from.Open,
		Progress: func(e learner.Event) { s.tell(number, e.Done) }}
	if s.job.Save != nil {
		job.Save = func(c *learner.Checkpoint) error { return s.log.keep(number, saved{Open: c}) }
	}
	r, err := s.acmn(set.Vars, share).Learn(ctx, job)
	switch {
	case r == nil && from.Open != nil:
		return nil, learner.Damaged(fmt.Errorf("circuit %d: %w", number, err))
	case r == nil:
		return nil, err
	case s.job.Save != nil && err == nil:
		err := s.log.keep(number, savedOf(r.Models))
		return r.Models, err
	}
	return r.Models, nil
}

// tell reports the number of splits of all circuits.
func (s *search) tell(number, splits int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.made += splits - s.splits[number]
	s.splits[number] = splits
	s.job.ReportProgress(learner.Event{Done: s.made, Score: s.value})
}

// acmn returns the learner of a circuit with a share of the edges.
func (s *search) acmn(vars []data.Var, share float64) *acmn.Options {
	least := 0 // edges of the circuit of independent variables
	for _, v := range vars {
		least += 3 * (len(v.States) + 1)
	}
	o := acmn.NewOptions()
	o.SplitPenalty, o.L1, o.Quick, o.Shrink = s.l.SplitPenalty, s.l.L1, true, true
	o.MaxEdges = max(least, int(share*float64(s.l.MaxEdges)))
	return o
}

// project returns the data of some rows and variables of a set.
func project(s *data.Set, vars []int, rows []int32) (*data.Set, error) {
	list, weights := make([][]int, len(rows)), make([]float64, len(rows))
	all := make([]int, len(s.Vars))
	for i, row := range rows {
		s.Row(int(row), all)
		weights[i] = s.Weight(int(row))
		list[i] = chosen(all, vars, nil)
	}
	var columns []data.Var
	for _, v := range vars {
		columns = append(columns, s.Vars[v])
	}
	return data.New(columns, list, weights)
}

// chosen appends the states of some variables.
func chosen(row, vars, to []int) []int {
	for _, v := range vars {
		to = append(to, row[v])
	}
	return to
}

// logsOf returns the log-probabilities of all rows under a network that sums to 1.
func logsOf(m *model.Model, s *data.Set, vars []int, cores int) ([]float64, error) {
	out := make([]float64, s.Len())
	const chunk = 1024
	errs := make([]error, (s.Len()+chunk-1)/chunk)
	learner.Each(cores, len(errs), func(i int) {
		r, err := rate.NewRows(m)
		if err != nil {
			errs[i] = err
			return
		}
		all, some := make([]int, len(s.Vars)), make([]int, 0, len(vars))
		for row := i * chunk; row < min(s.Len(), (i+1)*chunk); row++ {
			s.Row(row, all)
			out[row] = r.Log(chosen(all, vars, some[:0]))
		}
	})
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}
