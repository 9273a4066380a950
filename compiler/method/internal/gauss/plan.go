package gauss

import (
	"slices"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Plan adds tables and blocks to a schedule.
type Plan struct {
	S   *ir.Schedule
	Ops []ir.Op // of the block under construction
	// Fixed holds the variables with known states while a block runs.
	Fixed []model.VarID
}

// Add appends a table.
func (p *Plan) Add(t ir.Table) ir.TableID {
	p.S.Tables = append(p.S.Tables, t)
	return ir.TableID(len(p.S.Tables) - 1)
}

// Temp adds a table of a single part that steps compute.
func (p *Plan) Temp(name string, scope []model.VarID) ir.TableID {
	return p.Add(ir.Table{Name: name, Scope: scope, Role: ir.RoleTemp, Var: -1})
}

// Block ends the block under construction and returns its number.
func (p *Plan) Block(name string) int {
	var order []model.VarID
	for v := range p.S.Model.Vars {
		order = append(order, model.VarID(v))
	}
	p.S.Blocks = append(p.S.Blocks, ir.OpBlock{Name: name, Fixed: p.Fixed, Order: order, Ops: p.Ops})
	p.Ops = nil
	return len(p.S.Blocks) - 1
}

// Do adds the operation of code.
func (p *Plan) Do(c *Code) { p.Ops = append(p.Ops, c.MapOp()) }

// Set returns the names of variables in braces.
func (p *Plan) Set(vars []model.VarID) string {
	text := ""
	for i, v := range vars {
		if i > 0 {
			text += ","
		}
		text += p.S.Model.Vars[v].Name
	}
	return "{" + text + "}"
}

// MostPoints plans the joint states of a context for which weight is positive and points, in code
// that may have other results, is largest. It sets out to 1 for them and to 0 for others, and
// returns it: a density is nothing beside a point mass.
func (p *Plan) MostPoints(context []model.VarID, c *Code, points circuit.Node, weight, out ir.TableID) ir.TableID {
	count, most := p.Temp("functions of "+p.Set(context), context), p.Temp("most functions", nil)
	const each = 1000 // exp(-1000) is 0
	c.Write(ir.MapPart{Table: count}, c.Prod(c.Const(each), points))
	p.Ops = append(p.Ops, c.MapOp(), &ir.AntilogOp{Out: out, Most: most, In: count, Weight: weight})
	return out
}

// Writer stores nodes of code in one table, to which it adds parts.
type Writer struct {
	Code  *Code
	Table ir.TableID
	plan  *Plan
}

// NewWriter returns a writer to a table of p.
func (p *Plan) NewWriter(c *Code, t ir.TableID) *Writer { return &Writer{c, t, p} }

// Write returns the number of a node: a constant, the input that it is, or a new part of the table.
func (w *Writer) Write(n circuit.Node) Number {
	switch w.Code.Op(n) {
	case circuit.Const:
		return Constant(w.Code.Value(n))
	case circuit.Input:
		return w.Code.Source(n)
	}
	return w.Part(n)
}

// Part makes a node a new part of the table.
func (w *Writer) Part(n circuit.Node) Number {
	t := &w.plan.S.Tables[w.Table]
	t.Parts++
	part := Part(w.Table, t.Parts-1)
	w.Code.Write(part.MapPart, n)
	return part
}

// Sum returns the number to which the sum of a node over joint states goes: a new part of the
// table, unless it is 0.
func (w *Writer) Sum(n circuit.Node) Number {
	if n == circuit.Zero {
		return Constant(0)
	}
	return w.Part(n)
}

// Mixed returns the number to which the mean of a number with the given weights goes. That of a
// constant is the constant.
func (w *Writer) Mixed(x Number, share ir.TableID) Number {
	if x.Table == ir.NoTable {
		return x
	}
	return w.Sum(w.Code.Prod(w.Code.Read(Part(share, 0)), w.Code.Read(x)))
}

// Run adds the operation of the code if it has results.
func (w *Writer) Run() {
	if w.Code.Results() > 0 {
		w.plan.Do(w.Code)
	}
}

// Stored holds means and the lower triangle of covariances of some variables as numbers of a plan,
// for each joint state of a context.
type Stored struct {
	Scope []model.VarID
	Mean  []Number
	Cov   [][]Number
}

// Read returns the moments as nodes of code.
func (m *Stored) Read(c *Code) *Moments {
	out := &Moments{Scope: m.Scope}
	for i, x := range m.Mean {
		out.Mean = append(out.Mean, c.Read(x))
		row := out.Mean[:0:0]
		for _, y := range m.Cov[i] {
			row = append(row, c.Read(y))
		}
		out.Cov = append(out.Cov, row)
	}
	return out
}

// Of returns the moments of the given variables.
func (m *Stored) Of(scope []model.VarID) (out Stored) {
	out.Scope = scope
	for i, v := range scope {
		at := slices.Index(m.Scope, v)
		out.Mean = append(out.Mean, m.Mean[at])
		var row []Number
		for _, w := range scope[:i+1] {
			to := slices.Index(m.Scope, w)
			row = append(row, m.Cov[max(at, to)][min(at, to)])
		}
		out.Cov = append(out.Cov, row)
	}
	return out
}

// Mixture plans the moments of the mixtures of from over the variables that are not in a context.
// share holds their weights, which sum to 1 for each joint state of the context, or are all 0.
func (p *Plan) Mixture(from Stored, share ir.TableID, context []model.VarID) Stored {
	out := Stored{Scope: from.Scope}
	c := NewCode()
	w := p.NewWriter(c, p.Temp("means of "+p.Set(from.Scope), context))
	for _, x := range from.Mean {
		out.Mean = append(out.Mean, w.Mixed(x, share))
	}
	w.Run()
	c = NewCode()
	w = p.NewWriter(c, p.Temp("covariances of "+p.Set(from.Scope), context))
	for i := range from.Cov {
		var row []Number
		for j, x := range from.Cov[i] {
			off := c.Prod(c.Sub(c.Read(from.Mean[i]), c.Read(out.Mean[i])), c.Sub(c.Read(from.Mean[j]), c.Read(out.Mean[j])))
			row = append(row, w.Sum(c.Prod(c.Read(Part(share, 0)), c.Sum(c.Read(x), off))))
		}
		out.Cov = append(out.Cov, row)
	}
	w.Run()
	return out
}
