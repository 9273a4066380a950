package deletion

import (
	"fmt"
	"math"
	"strings"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/experiment"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/table"
)

// conclusions returns those of section 5 of the paper, each with our result.
func (x *Result) conclusions() []experiment.Conclusion {
	barley := []experiment.Conclusion{experiment.NotMeasured("on barley, ID converges sooner than BP, and both ED and ID are nearer by KL at every threshold")}
	if r := x.network("barley"); r != nil {
		barley = r.barley()
	}
	munin3 := experiment.NotMeasured("on munin3, ED and ID beat BP by flips and KL down to threshold 11")
	if r := x.network("munin3"); r != nil {
		munin3 = r.munin3()
	}
	return append(barley, munin3, x.sizes(), x.strict(), x.close(), x.savings("flips", x.Flips), x.savings("mean KL", x.KL), x.alsoIterated())
}

// network returns the report of a network, or nil if it was not measured.
func (x *Result) network(name string) *Report {
	for _, r := range x.Networks {
		if r.Network == name && len(r.Deleting) > 0 {
			return r
		}
	}
	return nil
}

// barley returns the statements on figures 1 and 2.
func (r *Report) barley() []experiment.Conclusion {
	converged, loops, small, nearer := true, 0.0, 0.0, ""
	for _, row := range r.Deleting {
		converged = converged && row.ID.Converged == r.Trials
		loops += row.ID.Loops / float64(len(r.Deleting))
		if row.Threshold <= 15 {
			small = max(small, row.ID.Loops)
		}
		if klOf(&row.ED) >= klOf(&r.BP) || klOf(&row.ID) >= klOf(&r.BP) {
			nearer += fmt.Sprintf(" %d", row.Threshold)
		}
	}
	found := fmt.Sprintf("KL of BP %s", r.BP.divergence())
	if nearer != "" {
		found += "; worse at thresholds" + nearer
	}
	return []experiment.Conclusion{
		experiment.Concluded("on barley, BP converges in less than half of the trials within 100 loops; 86 loops on average", 2*r.BP.Converged < r.Trials,
			fmt.Sprintf("%d of %d, %.1f loops", r.BP.Converged, r.Trials, r.BP.Loops)),
		experiment.Concluded("on barley, ID always converges within 100 loops; 16 on average, 21 with clusters no larger than the largest CPT", converged && loops < r.BP.Loops,
			fmt.Sprintf("%.1f loops on average, at most %.1f with clusters no larger than that", loops, small)),
		experiment.Concluded("on barley, ED and ID are nearer than BP by mean KL at every threshold down to 10", nearer == "", found),
	}
}

// munin3 returns the statement on figure 3.
func (r *Report) munin3() experiment.Conclusion {
	var worse []string
	for _, row := range r.Deleting {
		if row.Threshold < 11 {
			continue
		}
		for _, s := range []struct {
			name string
			*Score
		}{{"ED", &row.ED}, {"ID", &row.ID}} {
			if flipsOf(s.Score) > flipsOf(&r.BP) || klOf(s.Score) > klOf(&r.BP) {
				worse = append(worse, fmt.Sprintf("%s at %d (%s, KL %s)", s.name, row.Threshold, table.Percent(s.Flips), s.divergence()))
			}
		}
	}
	found := fmt.Sprintf("BP: %s, KL %s", table.Percent(r.BP.Flips), r.BP.divergence())
	if worse != nil {
		found += "; worse is " + strings.Join(worse, ", ")
	}
	return experiment.Concluded("on munin3, ED and ID beat BP by flips and KL down to threshold 11", worse == nil, found)
}

// sizes compares the largest clusters that section 5 names, in bits, which depend on no evidence.
func (x *Result) sizes() experiment.Conclusion {
	says := "the largest cluster of barley is 22.79, and 20.47 at threshold 22 (20 % of the size; 3.54 % at 20, .00772 % at 10); of munin3 17.26, and 10.97 at 11 (1.28 %)"
	holds := true
	var found []string
	for _, r := range x.Networks {
		want, named := map[string]map[int]float64{"barley": {0: 22.79, 22: 20.47, 20: 22.79 + math.Log2(.0354), 10: 22.79 + math.Log2(7.72e-5)}, "munin3": {0: 17.26, 11: 10.97}}[r.Network]
		if !named {
			continue
		}
		compare := func(threshold int, at string, cluster float64) {
			if size, ok := want[threshold]; ok {
				holds = holds && math.Abs(cluster-size) < .011 // both are rounded
				found = append(found, fmt.Sprintf("%s%s %.2f (%.2f)", r.Network, at, cluster, size))
			}
		}
		compare(0, "", r.Cluster)
		for _, row := range r.Deleting {
			compare(row.Threshold, fmt.Sprintf(" at %d", row.Threshold), row.Cluster)
		}
	}
	if found == nil {
		return experiment.NotMeasured(says)
	}
	return experiment.Concluded(says, holds, "here (in print): "+strings.Join(found, ", "))
}

// halves returns the means of a number over the upper and the lower half of the thresholds.
func (r *Report) halves(number func(*Row) float64) (upper, lower float64) {
	n := len(r.Deleting)
	for i, row := range r.Deleting {
		if i < n/2 {
			upper += number(row) / float64(n/2)
		} else {
			lower += number(row) / float64(n-n/2)
		}
	}
	return upper, lower
}

// eachHalf concludes whether the number is smaller in the upper half of each network's thresholds.
func (x *Result) eachHalf(says, what string, number func(*Row) float64) experiment.Conclusion {
	holds, measured := true, false
	var found []string
	for _, r := range x.Networks {
		if len(r.Deleting) < 2 {
			continue
		}
		upper, lower := r.halves(number)
		holds, measured = holds && upper < lower, true
		found = append(found, fmt.Sprintf("%s %.4f and %.4f", r.Network, upper, lower))
	}
	if !measured {
		return experiment.NotMeasured(says)
	}
	return experiment.Concluded(says, holds, what+" at the higher and the lower thresholds: "+strings.Join(found, ", "))
}

func (x *Result) strict() experiment.Conclusion {
	return x.eachHalf("the approximation tends to become worse with a stricter threshold", "mean KL of ED", func(row *Row) float64 { return klOf(&row.ED) })
}

func (x *Result) close() experiment.Conclusion {
	return x.eachHalf("ID is close to ED at larger thresholds, and less so at smaller ones", "mean difference of KL", func(row *Row) float64 {
		return max(klOf(&row.ED)-klOf(&row.ID), klOf(&row.ID)-klOf(&row.ED))
	})
}

// savings returns the statement on figure 5.
func (x *Result) savings(measure string, rows []figure5Row) experiment.Conclusion {
	says := "on every network, clusters can be made smaller with ED no worse than BP by " + measure
	var found []string
	holds := true
	for _, r := range rows {
		switch {
		case x.network(r.Network) == nil: // no cluster is larger than the thresholds
		case r.Threshold == 0:
			holds = false
			found = append(found, r.Network+" none")
		default:
			found = append(found, r.Network+" to "+table.Percent(r.Here.Size))
		}
	}
	if found == nil {
		return experiment.NotMeasured(says)
	}
	return experiment.Concluded(says, holds, strings.Join(found, ", "))
}

// alsoIterated returns the last sentence of section 5: in figure 5, by KL, ID is better than BP
// wherever ED is.
func (x *Result) alsoIterated() experiment.Conclusion {
	says := "where ED does well by KL, ID does also: at the thresholds of figure 5 it is no worse than BP"
	var found []string
	holds, measured := true, false
	for _, r := range x.KL {
		if r.Threshold == 0 {
			continue
		}
		measured = true
		holds = holds && r.Here.ID <= r.Here.BP
		found = append(found, fmt.Sprintf("%s %s, BP %s", r.Network, nats(r.Here.ID), nats(r.Here.BP)))
	}
	if !measured {
		return experiment.NotMeasured(says)
	}
	return experiment.Concluded(says, holds, strings.Join(found, "; "))
}
