package bench

import (
	"context"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/timing"
	"github.com/pgmc-go/pgmc/ir"
)

// fill writes the samples and the costs of building into the report.
func (n *run) fill(ctx context.Context) error {
	r := n.report
	for _, step := range n.steps() {
		if c, ok := step.(*ir.Contract); ok {
			r.Entries += c.Entries()
		}
	}
	k := 0
	for _, s := range n.subjects {
		r.Rows = max(r.Rows, s.Rows)
		for _, m := range s.Measures {
			t := timeOf(s.Name, m.Name, &n.series[k])
			t.Allocs, k = &m.Allocs, k+1
			p := n.find(s.Name)
			if m.Name == "logprob" {
				t.Ops = p.logProbOps()
			}
			for _, q := range p.pkg.Report.Queries {
				if q.Name == m.Name {
					t.Predicted = q.NS
				}
			}
			r.Times = append(r.Times, t)
		}
	}
	r.Times = append(r.Times, timeOf("interpreter", "logprob", &n.interp))
	for _, query := range []ir.QueryKind{ir.LogProb, ir.Marginals} {
		n.fillC(cStraight, query)
		n.fillC(cNests, query)
	}
	if r.Rows > 0 && r.Rows < numRows {
		n.note("batches have %d rows, since a row takes long", r.Rows)
	}
	if err := n.fillBuilds(ctx); err != nil {
		return err
	}
	r.compare()
	return nil
}

// steps returns the steps of ln P(evidence).
func (n *run) steps() []ir.Step {
	var list []ir.Step
	for _, b := range n.entry().Blocks {
		list = append(list, n.logprob.Program.Blocks[b].Steps...)
	}
	return list
}

// timeOf returns the report of a series of samples.
func timeOf(subject, query string, s *timing.Series) Time {
	return Time{Subject: subject, Query: query, Min: s.Min(), Median: s.Median(), Samples: s.Len()}
}

// fillC adds the times of a form of the C program of a query: one for each level, and the fastest
// again without a level.
func (n *run) fillC(form string, query ir.QueryKind) {
	var best Time
	for _, c := range n.c {
		if c.form != form || c.query != query {
			continue
		}
		t := timeOf(form, query.String(), &c.series)
		t.Ops, t.Level = c.ops, c.level
		n.report.Times = append(n.report.Times, t)
		if best.Samples == 0 || t.Min < best.Min {
			best = t
		}
	}
	if best.Samples > 0 {
		best.Level = ""
		n.report.Times = append(n.report.Times, best)
	}
}

// find returns the package with the given name, or nil.
func (n *run) find(name string) *Package {
	for _, p := range n.packages {
		if p.Name == name {
			return p
		}
	}
	return nil
}

// logProbOps returns the number of operations of ln P(evidence) in the generated code.
func (p *Package) logProbOps() (ops int) {
	for _, b := range p.program.Entry(ir.LogProb.String()).Blocks {
		ops += p.pkg.Report.Blocks[b].Cost.Ops
	}
	return ops
}

// fillBuilds measures the build of each package.
func (n *run) fillBuilds(ctx context.Context) error {
	text, err := n.module.text(ctx)
	if err != nil {
		return err
	}
	for _, p := range n.packages {
		b := BuildCost{Package: p.Name, Operations: p.pkg.Report.Total.Ops, Text: text[p.Name]}
		for _, f := range p.pkg.Files {
			b.Source += len(f.Data)
		}
		if err := n.module.buildCost(ctx, p, n.builds, &b); err != nil {
			return err
		}
		n.report.Builds = append(n.report.Builds, b)
	}
	return nil
}
