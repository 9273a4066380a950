package treecpd

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/ir/options"
	"github.com/pgmc-go/pgmc/learn/data"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// Options holds the options that learners of trees share.
type Options struct {
	Score    string `opt:"score" range:"marginal|gain|bdeu" wrong:"unknown score {score} for trees; want one of marginal, gain, bdeu"`
	Prior    float64
	Kappa    string
	MinCount float64 `opt:"min-count" range:"[0,inf]" wrong:"least weight of a leaf {min-count}; want 0 or more"`
}

// Of returns the options of a learner that are shared.
func Of(own any) *Options {
	o := &Options{}
	options.Copy(o, own)
	return o
}

// maxKappas is the most values of kappa to choose from.
const maxKappas = 1000

// Kappas returns the values of kappa, the smallest first, each once.
func (o *Options) Kappas() ([]float64, error) {
	texts := strings.Split(o.Kappa, ",")
	if len(texts) > maxKappas {
		return nil, fmt.Errorf("%d values of kappa; want at most %d", len(texts), maxKappas)
	}
	var list []float64
	for _, text := range texts {
		k, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		if err != nil || !(k > 0 && k <= 1) {
			return nil, fmt.Errorf("kappa %q; want a number above 0 and at most 1, or several separated by commas", text)
		}
		list = append(list, k)
	}
	slices.Sort(list)
	return slices.Compact(list), nil
}

// Least returns the gain that a split needs for each parameter at some kappa, in nats.
func Least(kappa float64) float64 { return -pgmrt.Ln(kappa) }

// noWeight is the weight of rows below which there are none: sums of weights are rounded.
const noWeight = 1e-9

// Grower returns a grower for the data.
func (o *Options) Grower(s *data.Set) (*Grower, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	if err := options.Check(o); err != nil {
		return nil, err
	}
	if !(o.Prior >= 0) || math.IsInf(o.Prior, 0) || o.Prior == 0 && o.Score != Gain {
		return nil, fmt.Errorf("pseudo-count %v for score %s; want a finite number above 0; %s also takes 0", o.Prior, o.Score, Gain)
	}
	g := &Grower{set: s, minCount: max(o.MinCount, noWeight), scorer: make([]*leafScorer, len(s.Vars)), sets: make([][][]uint64, len(s.Vars)), whole: make([]bool, len(s.Vars))}
	byCard := map[int]*leafScorer{}
	for x, v := range s.Vars {
		card := len(v.States)
		if byCard[card] == nil {
			byCard[card] = newLeafScorer(o.Score, o.Prior, card, s.Len())
		}
		g.scorer[x] = byCard[card]
		g.whole[x] = !s.Misses(x)
		if s.Weights() == nil && card <= maxSets {
			g.sets[x] = s.RowSets(x)
		}
	}
	return g, nil
}
