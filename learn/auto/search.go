package auto

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/pgmc-go/pgmc/learn/boss"
	"github.com/pgmc-go/pgmc/learn/ges"
	"github.com/pgmc-go/pgmc/learn/hillclimb"
	"github.com/pgmc-go/pgmc/learn/internal/graph"
	"github.com/pgmc-go/pgmc/learn/internal/network"
	"github.com/pgmc-go/pgmc/learn/internal/orders"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/score"
)

// search makes the phases one after the other.
type search struct {
	l     *Options
	job   *learner.Job
	s     *score.Cache
	rules *network.Rules

	best    [][]int
	total   float64 // of best
	steps   int
	remarks []string
}

// run makes all phases, or ends with ctx.
func (h *search) run(ctx context.Context) error {
	h.total = math.Inf(-1)
	var start [][]int // nil is none
	var err error
	switch {
	case h.job.Init != nil:
		if start, err = network.Start(h.job); err != nil {
			return err
		}
	case network.Classes(h.s.Scorer):
		class, steps := ges.Search(ctx, h.job, h.s, h.rules, h.l.MaxParents)
		start, _ = class.Extend()
		h.note("ges", start, steps, "insertions and deletions")
	}
	plain := *h.job
	plain.Save, plain.Resume = nil, nil
	o, parents, steps, err := boss.Search(ctx, &boss.Options{MaxParents: h.l.MaxParents}, &plain, h.s, h.rules, start)
	if err != nil {
		return err
	}
	h.note("boss", parents, steps, "moves and deletions")
	h.tabu(ctx)
	if all := h.l.perturbations(h.job.Train.Len()); all > 0 && ctx.Err() == nil {
		h.perturb(ctx, o, all)
	}
	return nil
}

// note keeps the structure that a phase found if its score is higher, and adds a remark on the
// phase.
func (h *search) note(phase string, parents [][]int, n int, of string) {
	if total := h.s.Network(parents); total > h.total {
		h.best, h.total = parents, total
	}
	h.steps += n
	h.remarks = append(h.remarks, fmt.Sprintf("%s: %s %.4f after %d %s", phase, h.s.Kind.Name, h.total, n, of))
}

// gain compares the best structure with the one without edges.
func (h *search) gain() string {
	none, rows := h.s.Network(make([][]int, len(h.best))), h.job.Train.Total()
	return fmt.Sprintf("without edges: %s %.4f; the edges gain %.4f, %.4f a row", h.s.Kind.Name, none, h.total-none, (h.total-none)/rows)
}

// tenure and patience are the options of tabu search. Larger ones found nothing more in 5,000 rows
// of alarm, hailfinder, win95pts, insurance and hepar2.
const tenure, patience = 10, 15

// tabu makes a tabu search from the best structure.
func (h *search) tabu(ctx context.Context) {
	parents, steps := hillclimb.Search(ctx, h.job, h.s, h.best, h.rules, &hillclimb.Options{MaxParents: h.l.MaxParents, Tabu: tenure, Patience: patience})
	h.note("tabu search", parents, steps, "changes of edges")
}

// A perturbation moves a random number of variables between fewest and most. With few, it often
// ends where it began, and with many it takes longer. The next one begins with its result unless
// the score fell by more than a random part of slack. Without slack, half of the searches in 5,000
// rows of hailfinder did not leave the optimum of ges.
const (
	fewest, most = 2, 13
	slack        = 20.0
)

// perturb makes perturbations from the best structure.
func (h *search) perturb(ctx context.Context, o *orders.Search, all int) {
	rng := rand.New(rand.NewPCG(h.job.Seed, 1))
	order := h.rules.Sort(graph.Order(h.best))
	o.Set(ctx, order)
	parents, top, total := h.best, h.total, o.Total()
	made, progress := 0, h.job.Throttle()
	for ; made < all; made++ {
		o.Shake(ctx, rng, fewest+rng.IntN(most-fewest+1))
		if ctx.Err() != nil {
			break
		}
		now := o.Total()
		if now > top+o.Tie() {
			parents, top = o.Parents(), now
		}
		if now >= total-slack*rng.Float64() {
			order, total = o.Order(), now
		} else {
			o.Set(ctx, order)
		}
		progress.Report(learner.Event{Done: made, Total: all, Score: top})
	}
	h.note("perturbations", parents, made, fmt.Sprintf("of %d", all))
}
