package treecpd

import (
	"flag"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/score"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// Options holds the options that learners of trees share.
type Options struct {
	Score    string
	Prior    float64
	Kappa    string
	MinCount float64
}

// Bind declares the flags of the options.
func Bind(fs *flag.FlagSet, score *string, prior *float64, kappa *string, minCount *float64) {
	fs.StringVar(score, "score", *score, "score of leaves: "+strings.Join(kinds, ", "))
	fs.Float64Var(prior, "prior", *prior, "pseudo-counts: per state of a leaf for score marginal, per leaf for gain, per tree for bdeu")
	fs.StringVar(kappa, "kappa", *kappa, "prior odds of each parameter, between 0 and 1; of several, as in 0.1,0.01, the validation data choose")
	fs.Float64Var(minCount, "min-count", *minCount, "least total weight of the rows of a leaf")
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

// Grower returns a grower for the data.
func (o *Options) Grower(s *data.Set) (*Grower, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	switch {
	case !slices.Contains(kinds, o.Score):
		return nil, fmt.Errorf("unknown score %q for trees; want one of %s", o.Score, strings.Join(kinds, ", "))
	case !(o.Prior >= 0) || math.IsInf(o.Prior, 0) || o.Prior == 0 && o.Score != Gain:
		return nil, fmt.Errorf("pseudo-count %v for score %s; want a finite number above 0; %s also takes 0", o.Prior, o.Score, Gain)
	case !(o.MinCount >= 0):
		return nil, fmt.Errorf("least weight of a leaf %v; want 0 or more", o.MinCount)
	}
	g := &Grower{set: s, minCount: max(o.MinCount, score.Tie), scorer: make([]*leafScorer, len(s.Vars)), sets: make([][][]uint64, len(s.Vars)), whole: make([]bool, len(s.Vars))}
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
