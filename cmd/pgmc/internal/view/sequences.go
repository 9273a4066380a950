package view

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cost"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/table"
	"github.com/pgmc-go/pgmc/codegen"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// sequenceStats describes a model of sequences: the numbers that pass from slice to slice, and the
// cost of a step of its filter.
type sequenceStats struct {
	Interface []string `json:"interface"` // the variables that have an effect on the next slice
	// Entangled holds sets of them: the belief has no independences within a set in general,
	// however few the parents of each variable are, and sets are independent of each other.
	Entangled  [][]string `json:"entangled"`
	Belief     int        `json:"belief_numbers"`      // 0 if no package was made
	Operations int        `json:"operations_per_step"` // of the blocks of a step; 0 if no package was made
	NS         float64    `json:"ns_per_step"`         // predicted
	// Steady is the number of operations of a step with the gains of a step before, since its
	// covariances are; 0 if all steps compute their gains.
	Steady int `json:"operations_per_steady_step,omitempty"`
	// Particles is the number of particles of a belief, each with as many numbers; the operations
	// and the time are of one. 0 if the belief is none of particles.
	Particles int `json:"particles,omitempty"`
	// Histories is the most histories of states of a belief, each with as many numbers; the
	// operations and the time are of one. 0 if the belief is none of histories.
	Histories int `json:"histories,omitempty"`
	// Lasts is the number of slices that the histories of an exact belief suffice for at least; -1
	// for any number. Instead holds the filters that keep fewer histories.
	Lasts   int        `json:"lasts_slices,omitempty"`
	Instead []wayStats `json:"instead,omitempty"`
	growth  *compiler.Growth
	// Contraction is the share of the error of a belief in clusters that a slice removes at least;
	// nil if it is unknown, for the reason that Uncontracted gives, or if there are no clusters.
	Contraction  *float64 `json:"contraction,omitempty"`
	Uncontracted string   `json:"contraction_unknown,omitempty"`
}

// wayStats is a filter that keeps fewer histories than an exact one.
type wayStats struct {
	By         string  `json:"by"`
	Operations float64 `json:"operations"` // of a slice, estimated
}

// grow adds how an exact belief of histories grows.
func (s *sequenceStats) grow(g *compiler.Growth) {
	s.growth, s.Lasts = g, g.Slices
	for _, w := range g.Ways {
		s.Instead = append(s.Instead, wayStats{cli.Text(diag.Errorf("%v", w.By)), cost.Finite(w.Operations)})
	}
}

// contract adds how fast the transition makes an error of a belief in clusters smaller.
func (s *sequenceStats) contract(ctx context.Context, r *compiler.Result) {
	if e := r.Program.Entry(ir.FilterNext); e == nil || len(e.Stream.Clusters) < 2 {
		return
	}
	if x, err := infer.Of(r, 0).Contraction(ctx); err != nil {
		s.Uncontracted = err.Error()
	} else {
		s.Contraction = &x
	}
}

// statsOfSequences returns the facts that follow from only the model.
func statsOfSequences(m *model.Model) *sequenceStats {
	s := &sequenceStats{Interface: []string{}, Entangled: entangled(m)}
	for _, v := range m.Transition.Before {
		s.Interface = append(s.Interface, m.Vars[v].Name)
	}
	return s
}

// entangled returns the sets of variables that persist and are connected in the network of all
// slices by paths without given variables. Influence spreads along such paths in a few slices, so
// that the belief factors over these sets and, in general, no further (Koller and Friedman, theorem
// 15.1).
func entangled(m *model.Model) [][]string {
	n := len(m.Vars)
	of := make([]int, n) // a smaller variable of the same set, or the variable itself
	for v := range of {
		of[v] = v
	}
	find := func(v int) int {
		for of[v] != v {
			v = of[v]
		}
		return v
	}
	for _, f := range slices.Concat(m.Factors, m.Transition.Factors) {
		first := -1
		for _, v := range f.Scope {
			if k := int(v) - n; k >= 0 {
				v = m.Transition.Before[k]
			}
			if m.Vars[v].Given {
				continue
			}
			if first < 0 {
				first = find(int(v))
			}
			a, b := find(int(v)), find(first)
			of[max(a, b)] = min(a, b)
		}
	}
	sets, place := [][]string{}, map[int]int{}
	for _, v := range m.Transition.Before {
		root := find(int(v))
		if _, ok := place[root]; !ok {
			place[root] = len(sets)
			sets = append(sets, nil)
		}
		sets[place[root]] = append(sets[place[root]], m.Vars[v].Name)
	}
	return sets
}

// measure adds the emitted package's figures of a step.
func (s *sequenceStats) measure(m *model.Model, p *ir.Program, pkg *codegen.Package) {
	for i := range p.Entries {
		e := &p.Entries[i]
		if e.Query.Name != ir.FilterNext {
			continue
		}
		for _, id := range e.Stream.In {
			s.Belief += p.Spans[id].Len
		}
		for _, b := range e.Blocks {
			s.Operations += pkg.Report.Blocks[b].Cost.Ops
		}
		s.NS, s.Steady = pkg.Report.Queries[i].NS, pkg.Report.SteadyOps
		switch h := e.Stream.Histories; {
		case h != nil && h.Draw != nil && h.Draw.Whole:
			if s.Particles, s.Belief = h.Most, len(m.Vars); h.Draw.Kept != nil {
				s.Belief += h.Draw.Kept.Values - len(m.Reals())
			}
		case h != nil:
			s.Histories, s.Belief = pkg.Report.Histories, pkg.Report.HistoryNumbers
		}
	}
}

// add adds rows to the text of a report.
func (s *sequenceStats) add(t *table.Table) {
	t.Add("interface", fmt.Sprintf("%d of the variables: %s", len(s.Interface), strings.Join(s.Interface, ", ")))
	var sets []string
	for _, set := range s.Entangled {
		if len(set) > 1 {
			sets = append(sets, strings.Join(set, " with "))
		}
	}
	if len(sets) > 0 {
		t.Add("entangled", strings.Join(sets, "; "))
	}
	switch {
	case s.Particles > 0:
		t.Add("belief", fmt.Sprintf("%d particles of %d states and values", s.Particles, s.Belief))
		t.Add("a particle", fmt.Sprintf("%d operations, %.0f ns predicted", s.Operations, s.NS))
	case s.Histories > 0:
		t.Add("belief", fmt.Sprintf("up to %d histories of %d numbers, %s", s.Histories, s.Belief, table.Bytes(8*s.Histories*s.Belief)))
		t.Add("a history", fmt.Sprintf("%d operations, %.0f ns predicted", s.Operations, s.NS))
		if s.growth != nil {
			t.Add("suffices for", s.growth.Lasts())
			t.Add("instead", cli.Text(s.growth.Instead()))
		}
	case s.Operations > 0:
		t.Add("belief", fmt.Sprintf("%d numbers, %s", s.Belief, table.Bytes(8*s.Belief)))
		t.Add("a step", fmt.Sprintf("%d operations, %.0f ns predicted", s.Operations, s.NS))
	}
	switch {
	case s.Contraction != nil:
		t.Add("contraction", fmt.Sprintf("%.6g of the relative entropy between two beliefs is gone after a slice, at least", *s.Contraction))
	case s.Uncontracted != "":
		t.Add("contraction", "unknown: "+s.Uncontracted)
	}
	if s.Steady > 0 {
		t.Add("a steady step", fmt.Sprintf("%d operations: its covariances are those of a step before", s.Steady))
	}
}
