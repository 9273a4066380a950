package ldfm

import (
	"fmt"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/experiment"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/table"
)

// report returns two tables for each block of the paper's tables, one of times, and the
// conclusions.
func (x *Experiment) report() *experiment.Report {
	intro := fmt.Sprintf("%d queries, each of a row of the test data; %d sweeps after %d of one chain where models are sampled.\n", x.queries, x.sweeps, x.burnIn()) +
		"Larger of CLL and CMLL for each variable that is asked about, in nats, beside what is in print: of the means over queries, and then the mean of the larger for each\n" +
		"query, which may be what was printed. Where sweeps are too few for the CLL, the CMLL stands alone.\n" +
		"g-LDFM, t-LDFM: one LDFM, by sampling states, or states and trees. LDFM-S: by sampling states, where it is in print. BN, DN: Gibbs sampling; SPN, MT: exact, of binary data; exact\n" +
		"BN: the same network as BN, exact; source: the network that rows were drawn from, exact.\n"
	var tables []experiment.Table
	for _, size := range x.sizes {
		for _, share := range x.shares {
			name := fmt.Sprintf("%d-%.0f-%.0f", size, 100*share.Query, 100*share.Evidence)
			title := fmt.Sprintf("%d training rows; %.0f %% query, %.0f %% evidence", size, 100*share.Query, 100*share.Evidence)
			tables = append(tables, experiment.Table{Name: name, Title: title, Table: x.block(size, share, func(s *Score) float64 { return s.Best })},
				experiment.Table{Name: name + "-by-query", Title: title + "; the larger for each query", Table: x.block(size, share, func(s *Score) float64 { return s.ByQuery })})
		}
	}
	t := &table.Table{}
	t.Add("network", "rows", "model", "learning", "sweep or query", "")
	for _, s := range x.scores {
		if s.Share == x.shares[0] && s.Model != sourceName {
			remark := ""
			if s.Stopped {
				remark = "stopped"
			}
			t.Addf("%s|%d|%s|%.1f|%.1f|%s", s.Network, s.Rows, s.Model, s.Learning, s.Query, remark)
		}
	}
	tables = append(tables, experiment.Table{Name: "time", Title: "seconds of learning, and microseconds: of a sweep, by models that are sampled, or of a query", Table: t})
	conclusions := x.conclusions()
	return &experiment.Report{Intro: intro, Tables: tables, Conclusions: conclusions, Value: &Result{x.queries, x.sweeps, x.scores, conclusions}}
}

// block returns the scores of models by network, each next to the published one.
func (x *Experiment) block(size int, share Share, of func(*Score) float64) *table.Table {
	t := &table.Table{}
	head := []string{"network"}
	for _, spec := range specs {
		if head = append(head, spec.name); inPrint(spec.name) {
			head = append(head, "published")
		}
	}
	t.Add(append(head, "error")...)
	for _, name := range x.ran {
		cells, most := []string{name}, 0.0
		for _, spec := range specs {
			cell, published := "-", "-"
			if s := x.score(name, size, share, spec.name); s != nil {
				cell, published = fmt.Sprintf("%.3f", of(s)), table.Optional("%.3f", s.Published)
				most = max(most, s.StdErr)
			}
			if cells = append(cells, cell); inPrint(spec.name) {
				cells = append(cells, published)
			}
		}
		t.Add(append(cells, fmt.Sprintf("%.3f", most))...)
	}
	return t
}

// score returns the score of a model, or nil if it was not measured.
func (x *Experiment) score(network string, rows int, share Share, name string) *Score {
	for _, s := range x.scores {
		if s.Network == network && s.Rows == rows && s.Share == share && s.Model == name {
			return s
		}
	}
	return nil
}
