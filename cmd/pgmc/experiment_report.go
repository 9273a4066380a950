package main

import (
	"fmt"
	"math"
)

// text is the tables for people: one a network, as figures 1 to 4 show barley, munin3 and munin1, and figure 5.
func (x *deletionExperiment) text() string {
	text := "BP: belief propagation. ED, ID: edge deletion with true and with iterated posteriors. Clusters are log2 of joint states.\n"
	for _, r := range x.reports {
		text += fmt.Sprintf("\n%s: largest cluster %.2f; %d leaves observed, %d trials, %d impossible draws redrawn\n", r.Network, r.Cluster, r.Leaves, r.Trials, r.Redrawn)
		t := &table{}
		t.add("threshold", "cluster", "size", "edges deleted", "loops ID", "settled ID", "flips ED", "flips ID", "KL ED", "KL ID")
		for _, row := range r.Deleting {
			t.add(fmt.Sprint(row.Threshold), fmt.Sprintf("%.2f", row.Cluster), r.share(row), fmt.Sprint(row.Edges), fmt.Sprintf("%.1f", row.ID.Loops),
				fmt.Sprintf("%d of %d", row.ID.Converged, r.Trials), percent(row.ED.Flips), percent(row.ID.Flips), row.ED.divergence(), row.ID.divergence())
		}
		t.alignRight()
		text += fmt.Sprintf("BP: loops %.1f, settled %d of %d, flips %s, KL %s\n", r.BP.Loops, r.BP.Converged, r.Trials, percent(r.BP.Flips), r.BP.divergence()) + t.String()
	}
	return text + "\nfigure 5: the lowest threshold down to which ED is at least as good as BP, by flips\n" +
		x.summary(func(s *deletionScore) float64 { return s.Flips }, func(s *deletionScore) string { return percent(s.Flips) }) +
		"\nthe same by the mean KL\n" +
		x.summary(func(s *deletionScore) float64 { return s.KL + float64(s.Infinite) }, (*deletionScore).divergence)
}

// share is the largest cluster of a row as a share of the original one.
func (r *deletionReport) share(row *deletionRow) string {
	return fmt.Sprintf("%.2f%%", 100*math.Exp2(row.Cluster-r.Cluster))
}

func percent(x float64) string { return fmt.Sprintf("%.2f%%", 100*x) }

// divergence writes the mean, and for how many variables it is infinite.
func (s *deletionScore) divergence() string {
	text := fmt.Sprintf("%.4f", s.KL)
	if s.Infinite > 0 {
		text += fmt.Sprintf(", %d infinite", s.Infinite)
	}
	return text
}

// summary is figure 5 by one measure.
func (x *deletionExperiment) summary(measure func(*deletionScore) float64, show func(*deletionScore) string) string {
	t := &table{}
	t.add("network", "threshold", "size", "BP", "ED", "ID")
	for _, r := range x.reports {
		var at *deletionRow
		for _, row := range r.Deleting { // from the highest
			if measure(&row.ED) > measure(&r.BP) {
				break
			}
			at = row
		}
		if at == nil {
			t.add(r.Network, "none", "-", show(&r.BP), "-", "-")
			continue
		}
		t.add(r.Network, fmt.Sprint(at.Threshold), r.share(at), show(&r.BP), show(&at.ED), show(&at.ID))
	}
	t.alignRight()
	return t.String()
}
