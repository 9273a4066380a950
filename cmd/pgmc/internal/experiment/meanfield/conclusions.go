package meanfield

import (
	"fmt"
	"math"
	"strings"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/experiment"
)

// conclusions returns those of the paper, each with our result. Counts of the paper's 12 sets are
// scaled to the number of sets that were run.
func (x *Result) conclusions() []experiment.Conclusion {
	return []experiment.Conclusion{
		x.significant("DN has the significantly better PLL on 10 of 12 sets, BN on MSWeb alone", func(r *Report) (float64, float64, float64) { return r.DN.PLL, r.BN.PLL, r.PLLTest },
			func(dn, bn int) bool { return 12*dn >= 10*len(x.Sets) }),
		x.significant("DN has the significantly better LL on 3 of 12 sets, BN on 4: neither on most", func(r *Report) (float64, float64, float64) { return r.DN.LL, r.BN.LL, r.LLTest },
			func(dn, bn int) bool { return 2*dn < len(x.Sets) && 2*bn < len(x.Sets) }),
		x.count("DN.MF has the better CMLL than BN.MF on every set", 12, cmllAbove("DN.MF", "BN.MF")),
		x.most("BN.BP, BN.Gibbs and DN.Gibbs tend to have a slightly better CMLL than DN.MF", cmllAbove("BN.BP", "DN.MF"), cmllAbove("BN.Gibbs", "DN.MF"), cmllAbove("DN.Gibbs", "DN.MF")),
		x.most("with the exception of BN.MF, all methods have very similar accuracies (here: within .02 nats of DN.MF)", cmllNear("BN.BP", .02), cmllNear("BN.Gibbs", .02), cmllNear("DN.Gibbs", .02)),
		x.count("mean field in the dependency network almost always converged within 50 updates a variable (here: 99 % of queries)", 12, func(r *Report) bool { return average(r.method("DN.MF").Settled) >= .99 }),
		x.faster("mean field is often 10 to 100 times as fast as Gibbs sampling in the same dependency network", "DN.Gibbs", "DN.MF"),
		x.faster("mean field is often 10 to 100 times as fast as Gibbs sampling in the same Bayesian network", "BN.Gibbs", "BN.MF"),
		x.count("DN.MF takes less time than BN.MF on 10 of 12 sets", 10, func(r *Report) bool {
			return average(r.method("DN.MF").Seconds) < average(r.method("BN.MF").Seconds)
		}),
		x.byAmount(),
		x.count("in the time of mean field, Gibbs sampling has the worse CMLL in dependency networks", 12, func(r *Report) bool {
			return average(r.Cut.CMLL) < average(r.method("DN.MF").CMLL)
		}),
		x.count("the root mean squared difference of DN.MF from each other method is below 0.005 on 10 of 12 sets", 10, func(r *Report) bool {
			return below(r, 0.005, "DN.Gibbs", "BN.MF", "BN.BP", "BN.Gibbs")
		}),
		x.count("that from BN.Gibbs is below 0.001 on half of the sets", 6, func(r *Report) bool { return below(r, 0.001, "BN.Gibbs") }),
		x.count("that from DN.Gibbs is below 0.0005 on 9 of 12 sets", 9, func(r *Report) bool { return below(r, 0.0005, "DN.Gibbs") }),
	}
}

// below reports whether DN.MF differs from each of some methods by less than a bound.
func below(r *Report, bound float64, names ...string) bool {
	for _, name := range names {
		if r.method(name).RMS >= bound {
			return false
		}
	}
	return true
}

// cmllAbove reports whether the first method has the better CMLL, averaged over all shares of
// evidence.
func cmllAbove(first, second string) func(*Report) bool {
	return func(r *Report) bool { return average(r.method(first).CMLL) > average(r.method(second).CMLL) }
}

// cmllNear reports whether a method's CMLL is within a distance of that of DN.MF.
func cmllNear(name string, within float64) func(*Report) bool {
	return func(r *Report) bool {
		return math.Abs(average(r.method(name).CMLL)-average(r.method("DN.MF").CMLL)) <= within
	}
}

// of returns the sets for which holds is true.
func (x *Result) of(holds func(*Report) bool) (names []string) {
	for _, r := range x.Sets {
		if holds(r) {
			names = append(names, r.Set)
		}
	}
	return names
}

// count concludes whether holds is true for at least the given number of 12 sets, scaled to the
// sets that were run.
func (x *Result) count(says string, twelfths int, holds func(*Report) bool) experiment.Conclusion {
	return experiment.OnMost(says, twelfths, x.of(holds), x.of(func(r *Report) bool { return !holds(r) }))
}

func (x *Result) onSets(names []string) string {
	text := fmt.Sprintf("on %d of %d", len(names), len(x.Sets))
	if len(names) > 0 && len(names) < len(x.Sets) {
		text += ": " + strings.Join(names, ", ")
	}
	return text
}

// most concludes whether each function is true for most sets.
func (x *Result) most(says string, each ...func(*Report) bool) experiment.Conclusion {
	all, found := true, []string{}
	for _, holds := range each {
		n := len(x.of(holds))
		all = all && 2*n > len(x.Sets)
		found = append(found, fmt.Sprint(n))
	}
	return experiment.Concluded(says, all, fmt.Sprintf("on %s of %d", strings.Join(found, ", "), len(x.Sets)))
}

// significant counts the sets on which each network is better by a test.
func (x *Result) significant(says string, numbers func(*Report) (dn, bn, p float64), holds func(dn, bn int) bool) experiment.Conclusion {
	side := func(sign float64) []string {
		return x.of(func(r *Report) bool {
			dn, bn, p := numbers(r)
			return p < significance && sign*(dn-bn) > 0
		})
	}
	dn, bn := side(1), side(-1)
	return experiment.Concluded(says, holds(len(dn), len(bn)), "DN "+x.onSets(dn)+"; BN "+x.onSets(bn))
}

// faster compares the times of two methods over all shares of evidence. It concludes whether fast
// is ten times as fast on at least half of the sets.
func (x *Result) faster(says, slow, fast string) experiment.Conclusion {
	low, high := math.Inf(1), 0.0
	ratio := func(r *Report) float64 { return average(r.method(slow).Seconds) / average(r.method(fast).Seconds) }
	for _, r := range x.Sets {
		low, high = min(low, ratio(r)), max(high, ratio(r))
	}
	ten := x.of(func(r *Report) bool { return ratio(r) >= 10 })
	return experiment.Concluded(says, 2*len(ten) >= len(x.Sets), fmt.Sprintf("%.1f to %.1f times; 10 times or more %s", low, high, x.onSets(ten)))
}

// byAmount returns the statement on table 3.
func (x *Result) byAmount() experiment.Conclusion {
	w := x.wins("DN.Gibbs", "BN.Gibbs")
	last := len(x.Fractions) - 1
	return experiment.Concluded("by Gibbs sampling, BN has the better CMLL where little is observed, DN where much is", w.Losses[0] > w.Wins[0] && w.Wins[last] > w.Losses[last],
		fmt.Sprintf("DN is better and worse on %d and %d sets at %.0f%% of evidence, on %d and %d at %.0f%%", w.Wins[0], w.Losses[0], 100*x.Fractions[0], w.Wins[last], w.Losses[last], 100*x.Fractions[last]))
}
