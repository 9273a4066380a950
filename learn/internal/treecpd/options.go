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
)

// Options are the options that learners of trees share.
type Options struct {
	Score    string
	Prior    float64
	Kappa    string
	MinCount float64
}

// Bind declares the flags of the options.
func Bind(fs *flag.FlagSet, score *string, prior *float64, kappa *string, minCount *float64) {
	fs.StringVar(score, "score", *score, "what leaves are rated by: "+strings.Join(kinds, ", "))
	fs.Float64Var(prior, "prior", *prior, "pseudo-counts: of each state of a leaf for score marginal, of a leaf for gain, of a tree for bdeu")
	fs.StringVar(kappa, "kappa", *kappa, "prior odds of a parameter, from 0 to 1; of several, as in 0.1,0.01, the validation data choose")
	fs.Float64Var(minCount, "min-count", *minCount, "least weight of the rows of a leaf")
}

// maxKappas is the most values of kappa to choose from.
const maxKappas = 1000

// Kappas are the values of kappa, the smallest first, each once.
func (o *Options) Kappas() ([]float64, error) {
	texts := strings.Split(o.Kappa, ",")
	if len(texts) > maxKappas {
		return nil, fmt.Errorf("%d values of kappa; want at most %d", len(texts), maxKappas)
	}
	var list []float64
	for _, text := range texts {
		k, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		if err != nil || !(k > 0 && k <= 1) {
			return nil, fmt.Errorf("kappa %q; want a number above 0 and up to 1, or several with commas between", text)
		}
		list = append(list, k)
	}
	slices.Sort(list)
	return slices.Compact(list), nil
}

// Least is what a split has to bring for each parameter at some kappa, in nats.
func Least(kappa float64) float64 { return -math.Log(kappa) }

// Grower makes a grower for the data.
func (o *Options) Grower(s *data.Set) (*Grower, error) {
	switch {
	case len(s.Vars) == 0:
		return nil, fmt.Errorf("the data has no columns; want one at least")
	case !slices.Contains(kinds, o.Score):
		return nil, fmt.Errorf("unknown score %q for trees; want one of %s", o.Score, strings.Join(kinds, ", "))
	case !(o.Prior >= 0) || math.IsInf(o.Prior, 0) || o.Prior == 0 && o.Score != Gain:
		return nil, fmt.Errorf("pseudo-count %v for score %s; want a finite number above 0, or from 0 for %s", o.Prior, o.Score, Gain)
	case !(o.MinCount >= 0):
		return nil, fmt.Errorf("least weight of a leaf %v; want a number from 0", o.MinCount)
	}
	weight := 0.0
	for i := range s.Len() {
		weight += s.Weight(i)
	}
	if weight == 0 {
		return nil, fmt.Errorf("the data has no rows; want one at least")
	}
	g := &Grower{set: s, minCount: max(o.MinCount, score.Tie), rater: make([]*rater, len(s.Vars)), sets: make([][][]uint64, len(s.Vars)), whole: make([]bool, len(s.Vars))}
	byCard := map[int]*rater{}
	for x, v := range s.Vars {
		card := len(v.States)
		if byCard[card] == nil {
			byCard[card] = newRater(o.Score, o.Prior, card, s.Len())
		}
		g.rater[x] = byCard[card]
		g.whole[x] = !s.Misses(x)
		if s.Weights() == nil && card <= maxSets {
			g.sets[x] = s.RowSets(x)
		}
	}
	return g, nil
}
