package main

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
)

// conclusions are what the paper says, looked at network by network. A difference counts where it is more than two standard errors of itself,
// query by query.
func (x *ldfmExperiment) conclusions() []conclusion {
	list := []conclusion{x.agreement("t-LDFM", "sampling states and trees gives what sampling states does"), x.faster(), x.agreement("LDFM-S", "LDFM-S is similar to LDFM")}
	order := x.order()
	for i, first := range order {
		for _, second := range order[i+1:] {
			list = append(list, x.before(first, second))
		}
	}
	return append(list, x.mixed(), x.possible())
}

// mixed looks whether the same Bayesian network answers as well by sampling as exactly.
func (x *ldfmExperiment) mixed() conclusion {
	var even, behind []string
	for _, name := range x.ran {
		diff, stderr := x.difference(name, "BN", "exact BN", (*ldfmScore).alone)
		put(&even, &behind, fmt.Sprintf("%s %+.3f", name, diff), diff >= -2*stderr)
	}
	return concluded("BN loses nothing by sampling, by CMLL to two standard errors, on most networks", len(even) > len(behind), counted("even", even, "behind", behind))
}

// agreement looks whether CMLLs are those of LDFM by sampling states.
func (x *ldfmExperiment) agreement(other, says string) conclusion {
	var same, apart []string
	for _, name := range x.ran {
		diff, stderr := x.difference(name, other, "g-LDFM", (*ldfmScore).alone)
		put(&same, &apart, fmt.Sprintf("%s %+.3f", name, diff), math.Abs(diff) <= max(2*stderr, .01))
	}
	return concluded(says+", by CMLL to two standard errors or .01 nats, on most networks", len(same) > len(apart), counted("near", same, "apart", apart))
}

// faster compares the times of their sweeps.
func (x *ldfmExperiment) faster() conclusion {
	sum, low, high := 0.0, math.Inf(1), 0.0
	for _, name := range x.ran {
		ratio := x.score(name, x.sizes[0], x.shares[0], "g-LDFM").Query / x.score(name, x.sizes[0], x.shares[0], "t-LDFM").Query
		sum, low, high = sum+ratio/float64(len(x.ran)), min(low, ratio), max(high, ratio)
	}
	return concluded("sampling states and trees is more than twenty times as fast as sampling states, on average", sum > 20,
		fmt.Sprintf("a sweep %.1f times, from %.1f to %.1f by network", sum, low, high))
}

// order is the models by what is in print of them, the mean over all networks in tables as large as those here, the best first. LDFM-S is
// left out, of which few tables are in print.
func (x *ldfmExperiment) order() []string {
	means := map[string]float64{}
	for _, t := range ldfmTables {
		if slices.Contains(x.sizes, t.rows) && slices.Contains(x.shares, t.share) && t.model != "LDFM-S" {
			for _, best := range t.best {
				means[t.model] += best
			}
		}
	}
	return slices.SortedFunc(maps.Keys(means), func(a, b string) int { return cmp.Compare(means[b], means[a]) })
}

// before compares two models of which the first is ahead in print, by each of three numbers.
func (x *ldfmExperiment) before(first, second string) conclusion {
	holds, found := true, []string{}
	for i, by := range []struct {
		name string
		of   func(*ldfmScore) []float64
	}{{"the larger mean", (*ldfmScore).best}, {"the larger for each query", (*ldfmScore).larger}, {"CMLL", (*ldfmScore).alone}} {
		var ahead, behind []string
		for _, name := range x.ran {
			if diff, stderr := x.difference(name, first, second, by.of); math.Abs(diff) > 2*stderr {
				put(&ahead, &behind, name, diff > 0)
			}
		}
		if i == 0 {
			holds = len(ahead) >= len(behind)
		}
		found = append(found, fmt.Sprintf("by %s it holds to two standard errors on %d of %d: ahead on %s, behind on %s", by.name, len(x.ran)-len(behind), len(x.ran), ldfmNames(ahead), ldfmNames(behind)))
	}
	return concluded(first+" before "+second+", on as many networks as behind it or more", holds, strings.Join(found, ";\n    "))
}

func ldfmNames(names []string) string {
	if len(names) == 0 {
		return "0"
	}
	return fmt.Sprintf("%d (%s)", len(names), strings.Join(names, ", "))
}

// possible looks for what is in print and above what the network reaches that rows come from, whose answers are exact. No model's CLL
// or CMLL is above its own on average.
func (x *ldfmExperiment) possible() conclusion {
	var within, above []string
	for _, name := range x.ran {
		for _, spec := range ldfmModels {
			print, most, stderr, n := 0.0, 0.0, 0.0, 0
			for _, s := range x.scores {
				if s.Network == name && s.Model == spec.name && s.Published != nil {
					source := x.score(name, s.Rows, s.Share, ldfmSource)
					_, e := meanOf(source.best())
					print, most, stderr, n = print+*s.Published, most+source.Best, stderr+e, n+1
				}
			}
			if n > 0 {
				put(&within, &above, name+" by "+spec.name, (print-most)/float64(n) <= 2*stderr/float64(n))
			}
		}
	}
	return concluded("what is in print is below what the source reaches, or within two standard errors", len(above) == 0,
		fmt.Sprintf("above in %d of %d: %s", len(above), len(within)+len(above), strings.Join(above, ", ")))
}

// difference is the mean of one model's scores of a network less another's, by query, over all tables, and its standard error. Tables ask about
// the same rows, so that they are averaged first.
func (x *ldfmExperiment) difference(network, first, second string, of func(*ldfmScore) []float64) (mean, stderr float64) {
	sum := make([]float64, x.queries)
	tables := float64(len(x.sizes) * len(x.shares))
	for _, size := range x.sizes {
		for _, share := range x.shares {
			a, b := of(x.score(network, size, share, first)), of(x.score(network, size, share, second))
			for i := range sum {
				sum[i] += (a[i] - b[i]) / tables
			}
		}
	}
	return meanOf(sum)
}

// alone is the CMLL by query.
func (s *ldfmScore) alone() []float64 { return s.each }

// best is what the larger mean is of.
func (s *ldfmScore) best() []float64 {
	if s.CLL != nil && *s.CLL > s.CMLL {
		return s.together
	}
	return s.each
}

// larger is the larger of CMLL and CLL by query.
func (s *ldfmScore) larger() []float64 {
	list := slices.Clone(s.each)
	for i, cll := range s.together {
		list[i] = max(list[i], cll)
	}
	return list
}
