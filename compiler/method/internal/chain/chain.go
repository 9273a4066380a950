// Package chain builds the plans of methods that average over Markov chains: the sections of a run,
// the statistics of every variable, and what generated packages show of such methods.
//
// It is not a method: each method defines the draws of a sweep.
package chain

import (
	"slices"

	"github.com/pgmc-go/pgmc/compiler/method/internal/loop"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Answers describes the query of methods that average over Markov chains, which is the same for
// every kind of sweep, with the options of a run.
func Answers(run []ir.RunOption) *ir.Approximation {
	return &ir.Approximation{
		Kind: ir.Estimates, Word: "gibbs", GoName: "Gibbs",
		Summary: "estimates of the posteriors of all variables, by Gibbs sampling",
		Doc:     []string{"sets out to estimates of posteriors by Gibbs sampling given ev and soft, which may be nil: averages over the sweeps of some Markov chains."},
		Options: run,
	}
}

// Plan builds the schedule of one query that Markov chains answer.
type Plan struct {
	*loop.Plan
	Stats []ir.StatNumbers[ir.TableID] // by variable: its statistics; a sweep adds to Batch
	Proof []ir.Op                      // run after the search for initial states; may prove the evidence impossible
	Reals []ir.Op                      // run at the end: bring the answers of real variables to their units
	Begin []ir.Op                      // run at the beginning, besides the statistics
	// Refused holds the largest shares, of a variable, of Metropolis steps that were refused, and
	// of draws by rejection of which all tries were; it is empty without.
	Refused []ir.TableID
	// Functions holds the variables that the chain computes from others.
	Functions []model.VarID
	run       ir.ChainNumbers[ir.TableID]
}

// New adds the tables of a run of chains to l.
func New(l *loop.Plan) *Plan {
	c := &Plan{Plan: l}
	for _, v := range l.Model.Vars {
		kept := func(name string) ir.TableID { return c.Kept(name+" of "+v.Name, v.ID) }
		c.Stats = append(c.Stats, ir.StatNumbers[ir.TableID]{Batch: kept("batch"), Half: kept("half"), Total: kept("total"),
			Square: kept("square"), Within: kept("within"), Between: kept("between")})
	}
	c.run = ir.ChainNumbers[ir.TableID]{Share: c.Kept("share"), Chains: c.Kept("chains"), Length: c.Kept("batch length"),
		RHat: c.Kept("R-hat"), ESS: c.Kept("effective sample size"), Error: c.Kept("standard error")}
	return c
}

// All returns the variables of the model.
func (c *Plan) All() []model.VarID {
	all := make([]model.VarID, len(c.Model.Vars))
	for v := range all {
		all[v] = model.VarID(v)
	}
	return all
}

// updateStats returns the operations that update the statistics of all variables.
func (c *Plan) updateStats(kind ir.StatsKind) (ops []ir.Op) {
	real := map[ir.StatsKind]ir.StatsKind{ir.StatsHalf: ir.StatsHalfReal, ir.StatsRun: ir.StatsRunReal}
	for v := range c.Model.Vars {
		op := &ir.UpdateStatsOp{Kind: kind, Stats: c.Stats[v], Run: c.run}
		if k, ok := real[kind]; ok && c.Model.IsReal(model.VarID(v)) {
			op.Kind = k
		}
		ops = append(ops, op)
	}
	return ops
}

// Finish returns the plan of query q. The blocks start give a chain its initial states, and the
// blocks sweep make one sweep; an unnamed block gets the name of its section.
func (c *Plan) Finish(q *ir.Query, o ir.ChainOptions, start, sweep []ir.OpBlock) *ir.Plan {
	s := c.Schedule
	end := c.updateStats(ir.StatsRun)
	for v, out := range c.Outs {
		if out == ir.NoTable {
			continue
		}
		if end = append(end, c.Copy(out, c.Stats[v].Total)); !c.Model.IsReal(model.VarID(v)) {
			end = append(end, &ir.NormalizeOp{Table: out})
		}
	}
	if c.Proof != nil {
		start = append(start, ir.OpBlock{Name: "proof", Ops: c.Proof})
	}
	last := Ops(end...)
	if c.Reals != nil {
		last = append(last, ir.OpBlock{Name: "reals", Ops: c.Reals})
	}
	sections := [][]ir.OpBlock{Ops(append(c.updateStats(ir.StatsClear), c.Begin...)...), start, sweep, Ops(c.updateStats(ir.StatsBatch)...), Ops(c.updateStats(ir.StatsHalf)...), last}
	names := []string{"begin", "start", "sweep", "batch", "half", "end"}
	var blocks []int
	var cut [ir.SectionEnd]int
	for i, section := range sections {
		for _, block := range section {
			if block.Name == "" {
				block.Name = names[i]
			}
			block.Order = c.All()
			blocks = append(blocks, len(s.Blocks))
			s.Blocks = append(s.Blocks, block)
		}
		if i < len(cut) {
			cut[i] = len(blocks)
		}
	}
	s.Entries = []ir.ScheduleEntry{{Query: q, Blocks: blocks, Root: c.Alive,
		Outs:  slices.DeleteFunc(slices.Clone(c.Outs), func(t ir.TableID) bool { return t == ir.NoTable }),
		Chain: &ir.OpChain{ChainOptions: o, Cut: cut, ChainRun: &c.run, Refused: c.Refused, Functions: c.Functions}}}
	return &ir.Plan{Schedule: s}
}

// Ops returns the operations as one block.
func Ops(ops ...ir.Op) []ir.OpBlock { return []ir.OpBlock{{Ops: ops}} }
