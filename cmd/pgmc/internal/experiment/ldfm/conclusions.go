package ldfm

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/experiment"
	"github.com/pgmc-go/pgmc/learn/rate"
)

// conclusions returns the statements of the paper, compared network by network. A difference counts
// if it exceeds two of its standard errors over queries.
func (x *Experiment) conclusions() []experiment.Conclusion {
	list := []experiment.Conclusion{x.agreement("t-LDFM", "sampling states and trees gives what sampling states does"), x.faster(), x.agreement("LDFM-S", "LDFM-S is similar to LDFM"),
		x.apart(), x.first(), x.last(), x.few()}
	for i, first := range specs {
		for _, second := range specs[i+1:] {
			if c, ok := x.inOrder(first.name, second.name); ok {
				list = append(list, c)
			}
		}
	}
	return append(list, x.mixed(), x.possible())
}

// apart tests the two networks on which LDFM-S differs from LDFM.
func (x *Experiment) apart() experiment.Conclusion {
	says, holds := "LDFM-S is significantly better than LDFM on win95pts, and significantly worse on water", true
	var found []string
	for _, network := range []struct {
		name string
		sign float64
	}{{"win95pts", 1}, {"water", -1}} {
		if _, ok := x.printed(network.name, "LDFM-S", "g-LDFM"); !ok {
			return experiment.NotMeasured(says)
		}
		diff, stderr := x.difference(network.name, "LDFM-S", "g-LDFM", (*Score).best)
		holds = holds && network.sign*diff > 2*stderr
		found = append(found, fmt.Sprintf("%s %+.3f, error %.3f", network.name, diff, stderr))
	}
	return experiment.Concluded(says, holds, strings.Join(found, "; "))
}

// The models of the paper, LDFM first.
var compared = []string{"g-LDFM", "t-LDFM", "BN", "DN", "SPN", "MT"}

// means returns the means of the models' scores on a network by rows of training data, 0 for all.
func (x *Experiment) means(network string, rows int) map[string]float64 {
	sum, n := map[string]float64{}, map[string]float64{}
	for _, s := range x.scores {
		if s.Network == network && (rows == 0 || s.Rows == rows) {
			sum[s.Model] += s.Best
			n[s.Model]++
		}
	}
	for name := range sum {
		sum[name] /= n[name]
	}
	return sum
}

// first tests whether LDFMs are best.
func (x *Experiment) first() experiment.Conclusion {
	var best, not []string
	for _, name := range x.ran {
		means := x.means(name, 0)
		winner := slices.MaxFunc(compared, func(a, b string) int { return cmp.Compare(means[a], means[b]) })
		experiment.Put(&best, &not, name+" "+winner, strings.HasSuffix(winner, "LDFM"))
	}
	return experiment.Concluded("LDFMs achieve the best results on most networks", len(best) > len(not), experiment.Counted("LDFM", best, "others", not))
}

// places returns the mean place of each model over networks, the best 1.
func (x *Experiment) places(rows int) map[string]float64 {
	place := map[string]float64{}
	for _, name := range x.ran {
		means := x.means(name, rows)
		order := slices.Clone(compared)
		slices.SortStableFunc(order, func(a, b string) int { return cmp.Compare(means[b], means[a]) })
		for i, model := range order {
			place[model] += float64(i+1) / float64(len(x.ran))
		}
	}
	return place
}

// last tests whether BN is last.
func (x *Experiment) last() experiment.Conclusion {
	place := x.places(0)
	worst, found := true, []string{}
	for _, name := range compared {
		worst = worst && place["BN"] >= place[name]
		found = append(found, fmt.Sprintf("%s %.1f", name, place[name]))
	}
	return experiment.Concluded("BNs perform worst on average", worst, "mean places over networks: "+strings.Join(found, ", "))
}

// few tests whether SPNs need more rows than others.
func (x *Experiment) few() experiment.Conclusion {
	says := "SPNs are good on the larger training set, not as good on the smaller"
	if len(x.sizes) < 2 {
		return experiment.NotMeasured(says)
	}
	most, least := x.sizes[0], x.sizes[len(x.sizes)-1]
	before, after := x.places(most)["SPN"], x.places(least)["SPN"]
	return experiment.Concluded(says, before < after, fmt.Sprintf("mean place of SPN over networks %.1f of 6 by %d rows, %.1f by %d", before, most, after, least))
}

// mixed tests whether sampling from a Bayesian network answers as well as exact inference in it.
func (x *Experiment) mixed() experiment.Conclusion {
	var even, behind []string
	for _, name := range x.ran {
		diff, stderr := x.difference(name, "BN", "exact BN", (*Score).alone)
		experiment.Put(&even, &behind, fmt.Sprintf("%s %+.3f", name, diff), diff >= -2*stderr)
	}
	return experiment.Concluded("BN loses nothing by sampling, by CMLL to two standard errors, on most networks", len(even) > len(behind), experiment.Counted("even", even, "behind", behind))
}

// agreement tests whether a model's CMLLs agree with those of LDFM by sampling states.
func (x *Experiment) agreement(other, says string) experiment.Conclusion {
	var same, apart []string
	for _, name := range x.ran {
		if _, ok := x.printed(name, other, "g-LDFM"); !ok {
			continue
		}
		diff, stderr := x.difference(name, other, "g-LDFM", (*Score).alone)
		experiment.Put(&same, &apart, fmt.Sprintf("%s %+.3f", name, diff), math.Abs(diff) <= max(2*stderr, .01))
	}
	if says += ", by CMLL to two standard errors or .01 nats, on most networks"; len(same)+len(apart) == 0 {
		return experiment.NotMeasured(says)
	}
	return experiment.Concluded(says, len(same) > len(apart), experiment.Counted("near", same, "apart", apart))
}

// faster compares the times of sweeps of the two samplers.
func (x *Experiment) faster() experiment.Conclusion {
	sum, low, high := 0.0, math.Inf(1), 0.0
	for _, name := range x.ran {
		ratio := x.score(name, x.sizes[0], x.shares[0], "g-LDFM").Query / x.score(name, x.sizes[0], x.shares[0], "t-LDFM").Query
		sum, low, high = sum+ratio/float64(len(x.ran)), min(low, ratio), max(high, ratio)
	}
	return experiment.Concluded("sampling states and trees is more than twenty times as fast as sampling states, on average", sum > 20,
		fmt.Sprintf("a sweep %.1f times, from %.1f to %.1f by network", sum, low, high))
}

// inOrder compares two models by each of three numbers, over the tables that print both. It reports
// false if no table does.
func (x *Experiment) inOrder(first, second string) (experiment.Conclusion, bool) {
	c := experiment.Conclusion{Says: first + " and " + second + ": their order on each network (here: by two standard errors, reversed on no more than shown on)"}
	var found []string
	for i, by := range []struct {
		name string
		of   func(*Score) []float64
	}{{"the larger mean", (*Score).best}, {"the larger for each query", (*Score).larger}, {"CMLL", (*Score).alone}} {
		var same, other []string
		for _, name := range x.ran {
			print, ok := x.printed(name, first, second)
			if !ok {
				return experiment.Conclusion{}, false
			}
			if diff, stderr := x.difference(name, first, second, by.of); math.Abs(diff) > 2*stderr {
				experiment.Put(&same, &other, name, diff*print >= 0)
			}
		}
		if i == 0 {
			c.Holds = ordered(len(same), len(other))
		}
		found = append(found, fmt.Sprintf("by %s shown on %s, reversed on %s", by.name, joined(same), joined(other)))
	}
	c.Found = fmt.Sprintf("of %d: ", len(x.ran)) + strings.Join(found, "; ")
	return c, true
}

// ordered returns the verdict from the numbers of networks that show an order and its reverse.
func ordered(shown, reversed int) string {
	switch {
	case shown+reversed == 0:
		return "undecided"
	case shown >= reversed:
		return "confirmed"
	}
	return "not confirmed"
}

// printed returns the published difference of two models, summed over the tables that print both.
// ok is false if no table does.
func (x *Experiment) printed(network, first, second string) (diff float64, ok bool) {
	x.tablesOf(network, first, second, func(a, b *Score) {
		if a.Published != nil && b.Published != nil {
			diff += *a.Published - *b.Published
			ok = true
		}
	})
	return diff, ok
}

func joined(names []string) string {
	if len(names) == 0 {
		return "0"
	}
	return fmt.Sprintf("%d (%s)", len(names), strings.Join(names, ", "))
}

// possible tests whether published scores exceed those of the true network, whose answers are
// exact. On average no model's CLL or CMLL exceeds the true network's.
func (x *Experiment) possible() experiment.Conclusion {
	var within, above []string
	for _, name := range x.ran {
		for _, spec := range specs {
			print, most, stderr, n := 0.0, 0.0, 0.0, 0
			for _, s := range x.scores {
				if s.Network == name && s.Model == spec.name && s.Published != nil {
					source := x.score(name, s.Rows, s.Share, sourceName)
					_, e := rate.MeanOf(source.best())
					print, most, stderr, n = print+*s.Published, most+source.Best, stderr+e, n+1
				}
			}
			if n > 0 {
				experiment.Put(&within, &above, name+" by "+spec.name, (print-most)/float64(n) <= 2*stderr/float64(n))
			}
		}
	}
	return experiment.Concluded("what is in print is below what the source reaches, or within two standard errors", len(above) == 0,
		fmt.Sprintf("above in %d of %d: %s", len(above), len(within)+len(above), strings.Join(above, ", ")))
}

// difference returns the mean and the standard error, over queries, of one model's scores less
// another's on a network. It uses the tables that print both models, or all tables if none does.
// The tables ask about the same rows, so they are averaged first.
func (x *Experiment) difference(network, first, second string, of func(*Score) []float64) (mean, stderr float64) {
	_, inPrint := x.printed(network, first, second)
	sum, tables := make([]float64, x.queries), 0.0
	x.tablesOf(network, first, second, func(a, b *Score) {
		if inPrint && (a.Published == nil || b.Published == nil) {
			return
		}
		tables++
		others := of(b)
		for i, s := range of(a) {
			sum[i] += s - others[i]
		}
	})
	for i := range sum {
		sum[i] /= tables
	}
	return rate.MeanOf(sum)
}

// tablesOf calls do with the scores of two models of a network for each table that has both.
func (x *Experiment) tablesOf(network, first, second string, do func(a, b *Score)) {
	for _, size := range x.sizes {
		for _, share := range x.shares {
			if a, b := x.score(network, size, share, first), x.score(network, size, share, second); a != nil && b != nil {
				do(a, b)
			}
		}
	}
}

// alone returns the CMLL by query.
func (s *Score) alone() []float64 { return s.each }

// best returns the scores by query whose mean is larger, CLL or CMLL.
func (s *Score) best() []float64 {
	if s.CLL != nil && *s.CLL > s.CMLL {
		return s.together
	}
	return s.each
}

// larger returns the larger of CMLL and CLL by query.
func (s *Score) larger() []float64 {
	list := slices.Clone(s.each)
	for i, cll := range s.together {
		list[i] = max(list[i], cll)
	}
	return list
}
