package hillclimb

import (
	"context"
	"flag"
	"math"
	"slices"
	"time"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/network"
	"github.com/pgmc-go/pgmc/learn/score"
)

// Learner is hill climbing.
var Learner = learner.Learner{
	Name: "hillclimb",
	Doc:  "local search by adding, deleting and reversing edges, with a tabu list if wanted",
	New:  func() learner.Instance { return &instance{} },
}

type instance struct {
	score      string
	ess        float64
	edge       float64
	prior      float64
	maxParents int
	tabu       int
	patience   int
}

func (l *instance) Options(fs *flag.FlagSet) {
	fs.StringVar(&l.score, "score", "bdeu", "what structures are rated by: loglik, aic, bic, k2, bdeu, loocv")
	fs.Float64Var(&l.ess, "ess", 1, "equivalent sample size of the score")
	fs.Float64Var(&l.edge, "edge-prior", 0, "added to the score for each edge: the logarithm of its prior odds")
	fs.Float64Var(&l.prior, "prior", 1, "pseudo-count of each number of a table")
	fs.IntVar(&l.maxParents, "max-parents", 5, "most parents of a variable")
	fs.IntVar(&l.tabu, "tabu", 0, "how many steps a change is not taken back, while steps downhill are allowed; 0 climbs only")
	fs.IntVar(&l.patience, "patience", 15, "how many steps without a new best end a search with a tabu list")
}

func (l *instance) Learn(ctx context.Context, job *learner.Job) (*learner.Result, error) {
	c := data.NewCounter(job.Train, job.MaxMem)
	s, err := score.New(l.score, c, score.Options{Size: l.ess, Edge: l.edge})
	if err != nil {
		return nil, err
	}
	if job.MaxTime > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, job.MaxTime)
		defer cancel()
	}
	h := newSearch(s, l.maxParents, job.Cores)
	if job.Init != nil {
		h.begin(parentsOf(job.Init, job.Train.Vars))
	}
	stopped := h.run(ctx, l.tabu, l.patience, job)
	m, err := network.Model("hillclimb", c, h.best, network.Estimate{Each: l.prior})
	if err != nil {
		return nil, err
	}
	r := &learner.Result{Models: []*model.Model{m}, Report: network.Report(s, h.best)}
	r.Report.Steps, r.Report.Stopped = h.steps, stopped
	if stopped && job.MaxTime == 0 {
		return r, ctx.Err()
	}
	return r, nil
}

// parentsOf is the structure of a network, by the names of variables.
func parentsOf(m *model.Model, vars []data.Var) [][]int {
	parents := make([][]int, len(vars))
	index := map[string]int{}
	for i, v := range vars {
		index[v.Name] = i
	}
	for _, f := range m.Factors {
		x := f.ChildVar()
		if x < 0 {
			continue
		}
		for _, u := range f.Parents() {
			parents[index[m.Vars[x].Name]] = append(parents[index[m.Vars[x].Name]], index[m.Vars[u].Name])
		}
	}
	return parents
}

// search is a local search.
type search struct {
	s          *score.Scorer
	n          int
	maxParents int
	cores      int
	parents    [][]int
	family     []float64   // by variable
	delta      [][]float64 // by child and other variable: what the child's family gains by adding it as a parent, or by losing it
	total      float64
	best       [][]int
	bestTotal  float64
	steps      int
	until      map[move]int // what must not be done, up to which step
}

// kind is what a move does with an edge.
type kind uint8

const (
	add kind = iota
	remove
	reverse
)

// move changes the edge from x to y.
type move struct {
	kind kind
	x, y int
}

// undo is the move that takes m back.
func (m move) undo() move {
	switch m.kind {
	case add:
		return move{remove, m.x, m.y}
	case remove:
		return move{add, m.x, m.y}
	}
	return move{reverse, m.y, m.x}
}

// newSearch begins without edges.
func newSearch(s *score.Scorer, maxParents, cores int) *search {
	n := len(s.Counter.Set().Vars)
	h := &search{s: s, n: n, maxParents: maxParents, cores: max(1, cores), family: make([]float64, n), delta: make([][]float64, n), until: map[move]int{}}
	for y := range h.delta {
		h.delta[y] = make([]float64, n)
	}
	h.begin(make([][]int, n))
	return h
}

// begin goes to a structure.
func (h *search) begin(parents [][]int) {
	h.parents = parents
	all := make([]int, h.n)
	for y := range all {
		all[y] = y
	}
	h.rate(all...)
	h.bestTotal = h.total
	h.best = clone(h.parents)
}

func clone(parents [][]int) [][]int {
	out := make([][]int, len(parents))
	for i := range parents {
		out[i] = slices.Clone(parents[i])
	}
	return out
}

// rate brings the families of some variables, and their differences, up to date.
func (h *search) rate(vars ...int) {
	parallel(h.cores, len(vars), func(i int) { h.family[vars[i]] = h.s.Family(vars[i], h.parents[vars[i]]...) })
	parallel(h.cores, len(vars)*h.n, func(i int) {
		if y, x := vars[i/h.n], i%h.n; x != y {
			h.delta[y][x] = h.change(y, x)
		}
	})
	h.total = 0
	for _, f := range h.family {
		h.total += f
	}
}

// change is what the family of y gains by x more or less; -Inf where it has too many parents already.
func (h *search) change(y, x int) float64 {
	p := h.parents[y]
	var vars []int
	if i := slices.Index(p, x); i >= 0 {
		vars = append(append(vars, p[:i]...), p[i+1:]...)
	} else {
		if len(p) >= h.maxParents {
			return math.Inf(-1)
		}
		vars = append(append(vars, p...), x)
	}
	if _, ok := h.s.Counter.Size(append(slices.Clone(vars), y)); !ok {
		return math.Inf(-1)
	}
	return h.s.Family(y, vars...) - h.family[y]
}

// run searches, and reports whether ctx ended it.
func (h *search) run(ctx context.Context, tabu, patience int, job *learner.Job) (stopped bool) {
	waited := 0
	last := time.Now()
	for {
		if ctx.Err() != nil {
			return true
		}
		m, gain := h.choose()
		if math.IsInf(gain, -1) || gain <= improvement && (tabu == 0 || waited >= patience) {
			return false
		}
		h.apply(m)
		h.steps++
		if tabu > 0 {
			h.until[m.undo()] = h.steps + tabu
		}
		waited++
		if h.total > h.bestTotal+improvement {
			h.bestTotal, h.best, waited = h.total, clone(h.parents), 0
		}
		if time.Since(last) > 100*time.Millisecond {
			job.Tell(learner.Event{Done: h.steps, Score: h.bestTotal})
			last = time.Now()
		}
	}
}

// improvement is what a change has to bring at least, and tie how much better a later move has to be than an earlier one: less is rounding.
const (
	improvement = 1e-9
	tie         = 1e-9
)

// choose finds the best legal move, the first of equal ones by child and then parent.
func (h *search) choose() (best move, gain float64) {
	gain = math.Inf(-1)
	above := h.ancestors()
	for y := range h.n {
		for x := range h.n {
			if x == y {
				continue
			}
			if !slices.Contains(h.parents[y], x) {
				if g := h.delta[y][x]; g > gain+tie && !above.has(x, y) && h.allowed(move{add, x, y}) {
					best, gain = move{add, x, y}, g
				}
				continue
			}
			if g := h.delta[y][x]; g > gain+tie && h.allowed(move{remove, x, y}) {
				best, gain = move{remove, x, y}, g
			}
			if g := h.delta[y][x] + h.delta[x][y]; g > gain+tie && h.allowed(move{reverse, x, y}) && !h.otherPath(x, y, above) {
				best, gain = move{reverse, x, y}, g
			}
		}
	}
	return best, gain
}

func (h *search) allowed(m move) bool { return h.until[m] < h.steps+1 }

// otherPath reports whether there is a way from x to y beside the edge.
func (h *search) otherPath(x, y int, above *closure) bool {
	return slices.ContainsFunc(h.parents[y], func(p int) bool { return p != x && above.has(p, x) })
}

// apply does a move.
func (h *search) apply(m move) {
	drop := func(y, x int) {
		h.parents[y] = slices.DeleteFunc(slices.Clone(h.parents[y]), func(p int) bool { return p == x })
	}
	insert := func(y, x int) { h.parents[y] = append(slices.Clone(h.parents[y]), x) }
	switch m.kind {
	case add:
		insert(m.y, m.x)
		h.rate(m.y)
	case remove:
		drop(m.y, m.x)
		h.rate(m.y)
	case reverse:
		drop(m.y, m.x)
		insert(m.x, m.y)
		h.rate(m.x, m.y)
	}
}
