package picture

import (
	"context"
	"fmt"
	"math"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/draw"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Beliefs holds the posteriors of a model.
type Beliefs struct {
	Model  *model.Model
	Known  *infer.Findings
	Before *infer.Marginals // without evidence; nil if Known is empty
	After  *infer.Marginals

	engine *infer.Engine
}

// Ask answers all posteriors of m, which was read from path, before and after the evidence known.
func Ask(ctx context.Context, a *cli.App, path string, m *model.Model, opt compiler.Options, known *infer.Findings) (*Beliefs, error) {
	opt.Queries = []string{ir.Marginals.String()}
	if by := cli.Approximate(opt.MethodName()); by != nil {
		opt.Queries = []string{by.Answers.Word}
	}
	r, err := a.Compile(ctx, path, m, opt, nil)
	if err != nil {
		return nil, err
	}
	b := &Beliefs{Model: r.Model, Known: known, engine: infer.Of(r, a.Seed)}
	b.After, err = b.engine.Marginals(ctx, known)
	if err == nil && len(known.Known()) > 0 {
		b.Before, err = b.engine.Marginals(ctx, nil)
	}
	if err != nil {
		return nil, a.CompileError(path, err)
	}
	return b, nil
}

// Engine returns the engine that answered.
func (b *Beliefs) Engine() *infer.Engine { return b.engine }

// mostBars is the largest number of bars of a node.
const mostBars = 8

// Fill adds the posteriors to the nodes of a graph that [structure.Graph] made. The nodes of variables
// with evidence are amber.
func (b *Beliefs) Fill(g *draw.Graph) {
	for _, v := range b.Model.Vars {
		after := b.After.Of(v.Name)
		if after == nil {
			continue
		}
		var before *infer.Distribution
		if b.Before != nil {
			before = b.Before.Of(v.Name)
		}
		n := &g.Nodes[v.ID]
		n.Shape = draw.Round
		if after.P == nil {
			n.Lines = append(n.Lines, normalText(after))
			if before != nil && normalText(before) != n.Lines[1] {
				n.Lines = append(n.Lines, "was "+normalText(before))
			}
		} else {
			n.Bars = bars(after, before)
		}
	}
	for _, v := range b.Known.Known() {
		g.Nodes[v].Tone = draw.Amber
	}
}

// normalText writes the mean and the standard deviation of a real variable, or its value if that is
// certain.
func normalText(d *infer.Distribution) string {
	if d.Variance == 0 {
		return fmt.Sprintf("%.4g", d.Mean)
	}
	return fmt.Sprintf("%.4g ± %.3g", d.Mean, math.Sqrt(max(d.Variance, 0)))
}

// bars returns a bar for each state. Of more than mostBars states it returns the most probable ones
// and one for the sum of all others.
func bars(after, before *infer.Distribution) []draw.Bar {
	keep := mostProbable(after.P, mostBars)
	var list []draw.Bar
	others := draw.Bar{}
	left := 0
	for s, p := range after.P {
		was := -1.0
		if before != nil {
			was = before.P[s]
		}
		if keep[s] {
			list = append(list, draw.Bar{Label: after.States[s], P: p, Was: was})
			continue
		}
		left++
		others.P += p
		others.Was += was
	}
	if left > 0 {
		others.Label, others.P = fmt.Sprintf("%d others", left), min(others.P, 1)
		list = append(list, others)
	}
	return list
}

// mostProbable marks all states if there are at most n, and otherwise the n-1 most probable ones.
func mostProbable(p []float64, n int) []bool {
	keep := make([]bool, len(p))
	for i := range p {
		rank := 0
		for j := range p {
			if p[j] > p[i] || p[j] == p[i] && j < i {
				rank++
			}
		}
		keep[i] = len(p) <= n || rank < n-1
	}
	return keep
}
