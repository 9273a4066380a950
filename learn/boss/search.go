package boss

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/pgmc-go/pgmc/learn/ges"
	"github.com/pgmc-go/pgmc/learn/internal/graph"
	"github.com/pgmc-go/pgmc/learn/internal/network"
	"github.com/pgmc-go/pgmc/learn/internal/orders"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/score"
)

// search makes the searches from several orders.
type search struct {
	state
	l     *Options
	job   *learner.Job
	s     *score.Cache
	rules *network.Rules
	o     *orders.Search
	saver *learner.Saver
	total float64 // of Best
}

// state determines the rest of the search.
type state struct {
	Start int     `json:"start"` // number of the search from an order
	Order []int   `json:"order"`
	Next  int     `json:"next"`  // the variable to move
	Still int     `json:"still"` // number of variables since the last move
	Floor float64 `json:"floor"` // score of the order before the last deletions of this search
	Steps int     `json:"steps"`
	Best  [][]int `json:"best"` // the best structure so far; nil before the first
}

func newSearch(l *Options, job *learner.Job, s *score.Cache, rules *network.Rules) *search {
	h := &search{l: l, job: job, s: s, rules: rules, total: math.Inf(-1), saver: job.Saver("boss", *l)}
	h.o = orders.New(s, rules, job, l.MaxParents)
	h.begin(0, nil)
	return h
}

// begin begins the search of a number with some order.
func (h *search) begin(start int, order []int) {
	h.state = state{Start: start, Order: order, Floor: -math.MaxFloat64, Steps: h.Steps, Best: h.Best}
}

// run makes all searches, or ends with ctx.
func (h *search) run(ctx context.Context) error {
	progress := h.job.Throttle()
	h.o.Set(ctx, h.Order)
	all := h.l.searches(len(h.job.Train.Vars))
	for h.Start < all && ctx.Err() == nil {
		if err := h.saver.Keep(&h.state); err != nil {
			return err
		}
		h.step(ctx)
		progress.Report(learner.Event{Done: h.Steps, Score: h.o.Total()})
	}
	return h.saver.End(ctx)
}

// parents returns the best structure so far.
func (h *search) parents() [][]int {
	if now := h.o.Parents(); h.Best == nil || h.s.Network(now) > h.total+h.o.Tie() {
		return now
	}
	return h.Best
}

// step makes the next step of a search, and changes the state unless ctx ends.
func (h *search) step(ctx context.Context) {
	n := len(h.job.Train.Vars)
	switch {
	case len(h.Order) < n:
		order := h.first()
		h.o.Add(ctx, order[slices.IndexFunc(order, func(x int) bool { return !slices.Contains(h.Order, x) })])
	case h.Still < n:
		moved := h.o.Move(ctx, h.Next)
		if ctx.Err() != nil {
			return
		}
		h.Next, h.Still = (h.Next+1)%n, h.Still+1
		if moved {
			h.Steps, h.Still = h.Steps+1, 0
		}
	default:
		h.settle(ctx)
		return
	}
	if ctx.Err() == nil {
		h.Order = h.o.Order()
	}
}

// first returns the order in which the variables join: the order of the data, or a random one.
func (h *search) first() []int {
	order := make([]int, len(h.job.Train.Vars))
	for x := range order {
		order[x] = x
	}
	if h.Start > 0 {
		order = rand.New(rand.NewPCG(h.job.Seed, uint64(h.Start))).Perm(len(order))
	}
	return h.rules.Sort(order)
}

// settle deletes edges from the structure of the last order of a search. It then continues from an
// order of the result, or if there were no deletions, begins the next search. It also begins the
// next search if the order is no better than before the last deletions.
func (h *search) settle(ctx context.Context) {
	total, parents, steps := h.o.Total(), h.o.Parents(), 0
	if network.Classes(h.s.Scorer) && !h.l.OrderOnly && total > h.Floor+h.o.Tie() {
		parents, steps = ges.Backward(ctx, h.job, h.s, h.rules, parents)
	}
	if ctx.Err() != nil {
		return
	}
	if now := h.s.Network(parents); h.Best == nil || now > h.total+h.o.Tie() {
		h.Best, h.total = parents, now
	}
	if steps == 0 {
		h.begin(h.Start+1, nil)
		h.o.Set(ctx, nil)
		return
	}
	h.Steps += steps
	h.Order, h.Floor, h.Next, h.Still = h.rules.Sort(graph.Order(parents)), total, 0, 0
	h.o.Set(ctx, h.Order)
}
