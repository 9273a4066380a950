package deletion

import (
	"fmt"
	"math"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/experiment"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/table"
)

// Result holds figures 1 to 4 by network, figure 5 by each of its measures, and the paper's
// conclusions with ours.
type Result struct {
	Networks    []*Report               `json:"networks"`
	Flips       []figure5Row            `json:"figure5_flips"`
	KL          []figure5Row            `json:"figure5_kl"`
	Conclusions []experiment.Conclusion `json:"conclusions"`
}

// figure5Row is a network in figure 5, here and in the paper. It has the largest cluster at the
// lowest threshold down to which ED is at least as good as BP, as a share of the original one, and
// the scores of BP, ED and ID there.
type figure5Row struct {
	Network   string        `json:"network"`
	Threshold int           `json:"threshold"` // 0 if ED is worse at the first one already
	Here      figure5Score  `json:"here"`
	Paper     *figure5Score `json:"paper,omitempty"`
}

// figure5Score holds shares of 1, or divergences in nats.
type figure5Score struct {
	Size float64 `json:"size"`
	BP   float64 `json:"bp"`
	ED   float64 `json:"ed"`
	ID   float64 `json:"id"`
}

// The numbers of figure 5 of the paper.
var (
	paperFlips = map[string]figure5Score{
		"munin1": {.0731, .0519, .0490, .0532}, "munin2": {.1665, .0056, .0039, .0035}, "munin3": {.0128, .0214, .0172, .0198},
		"munin4": {.3755, .0147, .0087, .0082}, "barley": {.0352, .2428, .1721, .1989}, "pigs": {.1108, .0186, .0111, .0100}}
	paperKL = map[string]figure5Score{
		"munin1": {.0117, .0888, .0652, .0556}, "munin2": {.1665, .0134, .0116, .0112}, "munin3": {.0128, .0926, .0682, .0702},
		"munin4": {.3755, .0416, .0261, .0247}, "barley": {.0001, .1879, .1197, .1693}, "pigs": {.1108, .0042, .0020, .0020}}
)

// The two measures of quality.
func flipsOf(s *Score) float64 { return s.Flips }
func klOf(s *Score) float64    { return s.KL + float64(s.Infinite) } // every infinite divergence adds 1 to the mean of the finite ones

// report returns a table for each network, as figures 1 to 4 show barley, munin3 and munin1, and
// figure 5 by both measures.
func (x *Experiment) report() *experiment.Report {
	r := &Result{Networks: x.reports}
	var tables []experiment.Table
	for _, n := range x.reports {
		r.Flips = append(r.Flips, n.figure5(flipsOf, paperFlips))
		r.KL = append(r.KL, n.figure5(klOf, paperKL))
		tables = append(tables, n.table())
	}
	r.Conclusions = r.conclusions()
	plain := func(v float64) string { return fmt.Sprint(v) }
	tables = append(tables,
		experiment.Table{Name: "figure5-flips", Title: "figure 5: the lowest threshold down to which ED is at least as good as BP, by flips",
			Table: figure5Table(r.Flips, plain, plain), Rounded: figure5Table(r.Flips, table.Percent, table.Percent)},
		experiment.Table{Name: "figure5-kl", Title: "the same by the mean KL", Table: figure5Table(r.KL, plain, plain), Rounded: figure5Table(r.KL, table.Percent, nats)})
	return &experiment.Report{Intro: "BP: belief propagation. ED, ID: edge deletion with true and with iterated posteriors. Clusters are log2 of joint states.\n",
		Tables: tables, Conclusions: r.Conclusions, Value: r}
}

// figure5 descends from the highest threshold while ED is at least as good as BP.
func (r *Report) figure5(measure func(*Score) float64, paper map[string]figure5Score) figure5Row {
	out := figure5Row{Network: r.Network, Here: figure5Score{BP: measure(&r.BP)}}
	for _, row := range r.Deleting {
		if measure(&row.ED) > measure(&r.BP) {
			break
		}
		out.Threshold = row.Threshold
		out.Here.Size, out.Here.ED, out.Here.ID = math.Exp2(row.Cluster-r.Cluster), measure(&row.ED), measure(&row.ID)
	}
	if p, ok := paper[r.Network]; ok {
		out.Paper = &p
	}
	return out
}

// table returns a network's table: with all columns and digits for files, and rounded for people.
func (r *Report) table() experiment.Table {
	all, few := &table.Table{}, &table.Table{}
	all.Add("threshold", "cluster", "size", "edges deleted", "loops BP", "loops ID", "settled BP", "settled ID",
		"flips BP", "flips ED", "flips ID", "KL BP", "KL ED", "KL ID", "infinite BP", "infinite ED", "infinite ID")
	few.Add("threshold", "cluster", "size", "edges deleted", "loops ID", "converged ID", "flips ED", "flips ID", "KL ED", "KL ID")
	for _, row := range r.Deleting {
		size := math.Exp2(row.Cluster - r.Cluster)
		all.Addf("%v|%v|%v|%v|%v|%v|%v|%v|%v|%v|%v|%v|%v|%v|%v|%v|%v", row.Threshold, row.Cluster, size, row.Edges, r.BP.Loops, row.ID.Loops, r.BP.Converged, row.ID.Converged,
			r.BP.Flips, row.ED.Flips, row.ID.Flips, r.BP.KL, row.ED.KL, row.ID.KL, r.BP.Infinite, row.ED.Infinite, row.ID.Infinite)
		few.Addf("%d|%.2f|%s|%d|%.1f|%d of %d|%s|%s|%s|%s", row.Threshold, row.Cluster, table.Percent(size), row.Edges, row.ID.Loops,
			row.ID.Converged, r.Trials, table.Percent(row.ED.Flips), table.Percent(row.ID.Flips), row.ED.divergence(), row.ID.divergence())
	}
	title := fmt.Sprintf("%s: largest cluster %.2f; %d leaves observed, %d trials, %d impossible draws redrawn\nBP: loops %.1f, converged %d of %d, flips %s, KL %s",
		r.Network, r.Cluster, r.Leaves, r.Trials, r.Redrawn, r.BP.Loops, r.BP.Converged, r.Trials, table.Percent(r.BP.Flips), r.BP.divergence())
	return experiment.Table{Name: r.Network, Title: title, Table: all, Rounded: few}
}

// divergence returns the mean divergence and the number of infinite ones as text.
func (s *Score) divergence() string {
	text := fmt.Sprintf("%.4f", s.KL)
	if s.Infinite > 0 {
		text += fmt.Sprintf(", %d infinite", s.Infinite)
	}
	return text
}

// figure5Table returns our results with the paper's.
func figure5Table(rows []figure5Row, size, show func(float64) string) *table.Table {
	t := &table.Table{}
	t.Add("network", "threshold", "size", "BP", "ED", "ID", "paper size", "paper BP", "paper ED", "paper ID")
	for _, r := range rows {
		cells := []string{r.Network, fmt.Sprint(r.Threshold), size(r.Here.Size), show(r.Here.BP), show(r.Here.ED), show(r.Here.ID)}
		if r.Threshold == 0 {
			cells = []string{r.Network, "none", "-", show(r.Here.BP), "-", "-"}
		}
		if p := r.Paper; p != nil {
			cells = append(cells, size(p.Size), show(p.BP), show(p.ED), show(p.ID))
		} else {
			cells = append(cells, "-", "-", "-", "-")
		}
		t.Add(cells...)
	}
	return t
}

// nats formats a mean divergence. Infinite divergences count 1 each, so that 1 or more means
// infinite.
func nats(x float64) string {
	if x >= 1 {
		return "infinite"
	}
	return fmt.Sprintf("%.4f", x)
}
