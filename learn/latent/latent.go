package latent

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/pgmc-go/pgmc/ir/options"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/internal/spn"
	"github.com/pgmc-go/pgmc/learn/internal/trees"
	"github.com/pgmc-go/pgmc/learn/learner"
)

// HCLT learns hidden Chow-Liu trees.
var HCLT = learner.Learner{
	Name: "hclt",
	Doc:  "a hidden Chow-Liu tree: a latent variable for each variable, by EM",
	New:  func() learner.Instance { return NewHCLTOptions() },

	Resumes: true,
}

// LTM learns latent tree models.
var LTM = learner.Learner{
	Name: "ltm",
	Doc:  "a tree with latent variables where distances ask for them (CLRG), by EM",
	New:  func() learner.Instance { return NewLTMOptions() },

	Resumes: true,
}

// HCLTOptions holds the options of hclt.
type HCLTOptions struct {
	States    int     `opt:"states" help:"states of each latent variable; 0 for 8, or with validation data for the best number up to max-states"`
	MaxStates int     `opt:"max-states" default:"32" help:"most states of a latent variable that are tried with validation data"`
	Rounds    int     `opt:"rounds" default:"200" help:"most rounds of EM"`
	Pseudo    float64 `opt:"pseudo" default:"0.1" help:"pseudo-count of each parameter"`
	MaxEdges  int     `opt:"max-edges" help:"most edges of the circuit; 0 for any number"`
}

// LTMOptions holds the options of ltm.
type LTMOptions struct {
	States    int     `opt:"states" help:"states of each latent variable; 0 for 2, or with validation data for the best number up to max-states" range:"[0,1024]" wrong:"{states} latent states, at most {max-states}; want 1 to 1024"`
	MaxStates int     `opt:"max-states" default:"2" help:"most states of a latent variable that are tried with validation data" range:"[1,1024]" wrong:"=states"`
	Rounds    int     `opt:"rounds" default:"200" help:"most rounds of EM" range:"[1,inf)" wrong:"{rounds} rounds of EM; want 1 or more"`
	Pseudo    float64 `opt:"pseudo" default:"0.1" help:"pseudo-count of each parameter" range:"(0,inf)" wrong:"pseudo-count {pseudo}; want a number above 0"`
	MaxEdges  int     `opt:"max-edges" help:"most edges of the circuit; 0 for any number" range:"[0,inf)" wrong:"at most {max-edges} edges; want 0 or more"`
	Slack     float64 `opt:"slack" default:"0.1" help:"largest difference of distances that counts as none" range:"[0,inf]" wrong:"slack {slack}; want 0 or more"`
}

// The default numbers of latent states, and the first ones that are tried with validation data.
const usualHCLT, usualLTM = 8, 2

// NewHCLTOptions returns the defaults of hclt.
func NewHCLTOptions() *HCLTOptions { return options.New[HCLTOptions]() }

// NewLTMOptions returns the defaults of ltm.
func NewLTMOptions() *LTMOptions { return options.New[LTMOptions]() }

// Learn learns a hidden Chow-Liu tree.
func (o *HCLTOptions) Learn(ctx context.Context, job *learner.Job) (*learner.Result, error) {
	l := &instance{name: "hclt", usual: usualHCLT, options: LTMOptions{o.States, o.MaxStates, o.Rounds, o.Pseudo, o.MaxEdges, 0}, grow: hidden}
	return job.Canonical(ctx, true, l.learn)
}

// Learn learns a latent tree model.
func (o *LTMOptions) Learn(ctx context.Context, job *learner.Job) (*learner.Result, error) {
	return job.Canonical(ctx, true, (&instance{name: "ltm", usual: usualLTM, options: *o, grow: clrg}).learn)
}

// instance is either learner.
type instance struct {
	name    string
	usual   int // latent states without validation data, and the first number tried with it
	options LTMOptions
	em      spn.EM
	grow    func(l *instance, c *trees.Counts) *shape
}

// EM ends if the mean log-likelihood gains less than gain, or after patience rounds without a
// better validation score.
const gain, patience = 1e-4, 5

func (l *instance) learn(ctx context.Context, job *learner.Job) (*learner.Result, error) {
	if err := job.Train.Check(); err != nil {
		return nil, err
	}
	if err := options.Check(&l.options); err != nil {
		return nil, err
	}
	timed, cancel := job.Limit(ctx)
	defer cancel()
	set := job.Train.Merged()
	index, err := trees.NewIndex(set, nil, nil)
	if err != nil {
		return nil, err
	}
	if err := l.room(len(set.Vars), job.MaxMem); err != nil {
		return nil, err
	}
	c := index.Count(nil)
	l.em = spn.EM{Rounds: l.options.Rounds, Prior: l.options.Pseudo, Gain: gain, Patience: patience}
	s := &search{l: l, job: job, c: c, tree: l.grow(l, c), tries: l.tries(job), saver: job.Saver(l.name, l.options)}
	if err := s.run(timed); err != nil {
		return nil, err
	}
	r, err := s.best.Result(ctx, job, l.name, s.at.Steps, timed.Err() != nil)
	if r != nil {
		r.Report.Remarks = append(r.Report.Remarks, fmt.Sprintf("latent variables: %d of %d states", s.tree.latent(), s.tries[s.at.Best]))
	}
	return r, err
}

func (l *instance) limit() *spn.Limit { return &spn.Limit{Edges: l.options.MaxEdges} }

// room returns an error if the distances would take too much memory: all variables and, at worst,
// as many latent ones.
func (l *instance) room(vars int, maxMem int64) error {
	if maxMem == 0 {
		maxMem = spn.DefaultMem
	}
	if size := 8 * 4 * int64(vars) * int64(vars); l.name == "ltm" && size > maxMem {
		return fmt.Errorf("the distances of %d variables can take %d bytes; want at most %d: fewer variables, or more memory", vars, size, maxMem)
	}
	return nil
}

// tries returns the numbers of latent states to try.
func (l *instance) tries(job *learner.Job) []int {
	switch {
	case l.options.States > 0:
		return []int{l.options.States}
	case job.Valid == nil || job.Valid.Len() == 0:
		return []int{l.usual}
	}
	list := []int{min(l.usual, l.options.MaxStates)}
	for k := 2 * l.usual; k <= l.options.MaxStates; k *= 2 {
		list = append(list, k)
	}
	return list
}

// shape is a tree of observed and latent variables.
type shape struct {
	parent []int // -1 at a root
	vars   []int // by node: the variable of the data; -1 if it is latent
	like   []int // by node: the variable of the data that it resembles at the start; its own if it is observed
}

func (s *shape) latent() (n int) {
	for _, v := range s.vars {
		if v < 0 {
			n++
		}
	}
	return n
}

// card returns the number of states of a node; latent ones have k.
func (s *shape) card(vars []data.Var, i, k int) int {
	if s.vars[i] < 0 {
		return k
	}
	return len(vars[s.vars[i]].States)
}

// fits returns an error if the tables are too large.
func (s *shape) fits(vars []data.Var, k int, maxMem int64) error {
	if maxMem == 0 {
		maxMem = spn.DefaultMem
	}
	var size int64
	for i, p := range s.parent {
		if p >= 0 {
			size += 8 * int64(s.card(vars, i, k)) * int64(s.card(vars, p, k))
		}
	}
	if 4*size > maxMem {
		return fmt.Errorf("the tables of %d latent variables of %d states take %d bytes; want at most %d: fewer states, or more memory",
			s.latent(), k, size, maxMem/4)
	}
	return nil
}

// nodes returns the tree with initial parameters. A latent variable of k states starts as noisy
// copies of the variable that it resembles: state s copies that variable's state s modulo its
// number of states.
func (s *shape) nodes(c *trees.Counts, k int, rng *rand.Rand) []spn.TreeNode {
	out := make([]spn.TreeNode, len(s.parent))
	for i, p := range s.parent {
		card := s.card(c.Set.Vars, i, k)
		out[i] = spn.TreeNode{Parent: p, Var: s.vars[i], Card: card}
		if p < 0 {
			out[i].Table = noisy(c.Table(s.like[i], -1, 1), c.States(s.like[i]), 1, card, rng)
			continue
		}
		rows := s.card(c.Set.Vars, p, k)
		table := identity(c.States(s.like[i]))
		if s.like[i] != s.like[p] {
			table = c.Table(s.like[i], s.like[p], 1)
		}
		out[i].Table = noisy(table, c.States(s.like[i]), rows, card, rng)
	}
	return out
}

func identity(n int) []float64 {
	out := make([]float64, n*n)
	for i := range n {
		out[i*n+i] = 1
	}
	return out
}

// blur is the share of a table's rows that is spread evenly before noise is added.
const blur = 0.3

// noisy returns a table with the given numbers of rows and columns, from a table with rows of n
// numbers.
func noisy(table []float64, n, rows, columns int, rng *rand.Rand) []float64 {
	out := make([]float64, 0, rows*columns)
	for r := range rows {
		from := table[r%(len(table)/n)*n:][:n]
		sum := 0.0
		for j := range columns {
			x := ((1-blur)*from[j%n] + blur/float64(n)) * (0.5 + rng.Float64())
			out = append(out, x)
			sum += x
		}
		for j := range columns {
			out[r*columns+j] /= sum
		}
	}
	return out
}

// hidden adds a latent parent to each variable and joins the latent ones as the Chow-Liu tree joins
// the variables.
func hidden(_ *instance, c *trees.Counts) *shape {
	s := &shape{}
	n := len(c.Vars)
	for i, p := range c.ChowLiu(1).Parent {
		s.parent, s.vars, s.like = append(s.parent, p), append(s.vars, -1), append(s.like, i)
	}
	for i := range n {
		s.parent, s.vars, s.like = append(s.parent, i), append(s.vars, i), append(s.like, i)
	}
	return s
}
