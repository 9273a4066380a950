package view

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/table"
	"github.com/pgmc-go/pgmc/codegen"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
	plan "github.com/pgmc-go/pgmc/ir/vector"
)

// showVectors prints, for each block of a model's program, the back-end that runs it with its
// alternatives, and for those that run on vectors of four numbers a line a message.
func showVectors(ctx context.Context, a *cli.App, path string, f *Options) error {
	m, opt, err := a.LoadWithOptions(ctx, path, &f.ModelFlags)
	if err != nil {
		return err
	}
	opt.Queries, opt.Lasting, opt.Interpreted = f.Queries, true, false
	r, err := a.Compile(ctx, path, m, opt, nil)
	if err != nil {
		return err
	}
	blocks, err := cli.Await(ctx, func() ([]codegen.BlockPlan, error) { return codegen.Plans(r.Program, "") })
	if err != nil {
		return a.CompileError(path, err)
	}
	for i := range blocks {
		if _, err := io.WriteString(a.Stdout, blockText(r.Program, r.Model, &blocks[i])); err != nil {
			return err
		}
	}
	return nil
}

// blockText returns the plan of a block.
func blockText(p *ir.Program, m *model.Model, b *codegen.BlockPlan) string {
	var costs []string
	for _, c := range b.Costs {
		costs = append(costs, fmt.Sprintf("%s %.0f ns", c.Backend, c.NS))
	}
	head := fmt.Sprintf("block %q by %s: %s\n", b.Name, b.Backend, strings.Join(costs, ", "))
	if b.Vectors == nil {
		return head
	}
	t := &table.Table{}
	t.Add("message", "layout", "lanes", "mul", "add", "across", "other", "loads", "stores", "instructions", "bytes")
	for i := range b.Vectors.Messages {
		x := &b.Vectors.Messages[i]
		c := x.Contract
		t.Add(slices.Concat([]string{p.Spans[c.Out.Span].Name, layoutText(p, m, c), lanesText(m, &x.Message)}, countCells(&x.Counts))...)
	}
	if n := b.Vectors.Answers; n > 0 {
		t.Add(slices.Concat([]string{fmt.Sprintf("normalise %d %s", n, table.Plural("answer", n)), "", ""}, countCells(&b.Vectors.Rest))...)
	}
	return head + t.String() + "\n"
}

// layoutText returns the axes of a result, slowest first, with their sizes. The fastest one may be
// padded.
func layoutText(p *ir.Program, m *model.Model, c *ir.Contract) string {
	var axes []int
	size := 1
	for i, a := range c.Axes {
		if a.Kind == ir.AxisOut && a.Size > 1 {
			axes = append(axes, i)
			size *= a.Size
		}
	}
	slices.SortFunc(axes, func(a, b int) int { return cmp.Compare(c.Out.Stride[b], c.Out.Stride[a]) })
	var words []string
	for k, i := range axes {
		a := c.Axes[i]
		word := fmt.Sprintf("%s:%d", m.Vars[a.Var].Name, a.Size)
		if padded := p.Spans[c.Out.Span].Len / (size / a.Size); k == len(axes)-1 && padded > a.Size {
			word += fmt.Sprintf("/%d", padded)
		}
		words = append(words, word)
	}
	return strings.Join(words, " ")
}

// lanesText describes the lanes, with the counted instructions, and the lanes of the alternatives.
func lanesText(m *model.Model, x *plan.Message) string {
	text := func(c plan.Choice) string {
		what := "places"
		if c.Across >= 0 {
			what = m.Vars[x.Contract.Axes[c.Across].Var].Name
		}
		return fmt.Sprintf("%s %g", what, c.Cost)
	}
	words := []string{text(x.Choice)}
	for _, c := range x.Others {
		words = append(words, text(c))
	}
	return strings.Join(words, ", not ")
}

// patternNames are the kinds of load, by pattern.
var patternNames = [...]string{"contiguous", "same", "pairs", "window", "halves", "scattered"}

// countCells returns the cells of the counts.
func countCells(c *codegen.Instructions) []string {
	var loads []string
	for k, n := range c.Loads {
		if n > 0 {
			loads = append(loads, fmt.Sprintf("%d %s", n, patternNames[k]))
		}
	}
	other := c.Ops[plan.Max] + c.Ops[plan.Inverse] + c.Ops[plan.Reciprocal] + c.Ops[plan.Splat] + c.Ops[plan.Copy] + c.Ops[plan.Keep]
	cells := []string{}
	for _, n := range []int{c.Ops[plan.Mul], c.Ops[plan.Add], c.Ops[plan.Across], other} {
		cells = append(cells, fmt.Sprint(n))
	}
	return append(cells, strings.Join(loads, " "), fmt.Sprint(c.Stores), fmt.Sprintf("%g", c.All), fmt.Sprint(c.Bytes()))
}
