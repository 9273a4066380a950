package compiler

import (
	"fmt"
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/compiler/internal/pass"
	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// lower turns the plan into a program with entries in the order of the queries.
func (b *build) lower() error {
	left := b.planned.Left()
	if left.Over {
		return fmt.Errorf("%w; %s", ir.ErrOverflow, ir.DivideAdvice)
	}
	b.underflows = left.Under
	b.program = pass.Lower(b.planned)
	b.planned, b.circuit = nil, nil // a circuit takes more memory than the program
	slices.SortStableFunc(b.program.Entries, func(x, y ir.Entry) int {
		return b.place(x.Query) - b.place(y.Query)
	})
	return nil
}

// lookup moves signatures with few answers into a program of their own. Parameters that may be
// replaced rule it out.
func (b *build) lookup() error {
	if b.problem.Params != ir.Var {
		b.signatures = pass.ProgramLookup(b.program, b.problem.Model)
	}
	return nil
}

// chunk cuts the blocks of the programs.
func (b *build) chunk() error {
	for _, p := range b.programs() {
		pass.ProgramChunk(p, b.opt.trial.Chunk)
	}
	return nil
}

// layout places the spans of the programs. It refuses a program with memories larger than the
// estimate.
func (b *build) layout() error {
	for _, p := range b.programs() {
		pass.ProgramLayout(p)
		est := method.Estimate{Size: method.Size{Work: float64(p.Work), Data: float64(p.Data), States: float64(p.Ints)}}
		for _, b := range p.Blocks {
			for _, step := range b.Steps {
				if c, ok := step.(*ir.Contract); ok {
					est.Largest = max(est.Largest, float64(c.Entries()))
				}
			}
		}
		if b.opt.over(&est.Size) {
			return b.tooLarge(&est)
		}
	}
	return nil
}

// digits is the number of bits of a float64.
const digits = 53

// least returns Program.Least. What became 0 was below the smallest number, times at most the
// largest numbers of all factors, and in sums over joint states times their number. The numbers of
// real variables of a Bayesian network are relative to the largest one.
func (b *build) least() float64 {
	m, kinds := b.problem.Model, map[ir.QueryKind]bool{}
	for i := range b.program.Entries {
		kinds[b.program.Entries[i].Query.Kind] = true
	}
	if !kinds[ir.MPE] && !kinds[ir.KMPE] && !kinds[ir.MAP] && !kinds[ir.MaxMarginals] {
		return 0
	}
	most := float64(digits-1022) * math.Ln2
	for _, f := range m.Factors {
		if f.Child >= 0 {
			continue
		}
		values, err := m.Tabulate(f, DefaultMaxTable)
		if err != nil {
			return math.MaxFloat64
		}
		most += pgmrt.Ln(max(1, slices.Max(values)))
	}
	if kinds[ir.MAP] {
		for _, v := range m.Vars {
			most += pgmrt.Ln(float64(m.Card(v.ID)))
		}
	}
	return most
}

// warnExtreme warns if numbers are so small that evidence of tiny probability may count as
// impossible.
func (b *build) warnExtreme() error {
	var list diag.List
	bits, extreme := -b.program.SoftBits, 0.0
	if bits > 0 { // of a circuit that is the model, in which nothing is rescaled
		list.Warnf(diag.Pos{File: b.problem.Model.File}, "the probability of the least probable evidence is below the smallest number by a factor of "+
			"2^%.0f and counts as 0", bits)
	}
	for _, p := range b.programs() {
		extreme = max(extreme, pass.Extreme(p))
	}
	if b.underflows {
		list.Warnf(diag.Pos{File: b.problem.Model.File}, "a product of numbers of the model is below the smallest number and counts as 0")
	}
	if extreme > 0 {
		list.Warnf(diag.Pos{File: b.problem.Model.File}, "products of numbers of the model can be as small as 2^-%.0f; a state that is "+
			"2^1022 times less probable than its alternatives counts as impossible", extreme)
	}
	b.result.Underflows = bits > 0 || extreme > 0 || b.underflows
	if m := b.problem.Model; b.result.Underflows && (m.Kind == model.Bayes || len(m.Reals()) == 0) {
		b.program.Least = b.least()
	}
	if !b.opt.IgnoreUnderflow {
		b.result.Warnings = append(b.result.Warnings, list.Warnings()...)
	}
	return nil
}
