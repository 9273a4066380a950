package codegen

import (
	"github.com/pgmc-go/pgmc/codegen/internal/backend"
	"github.com/pgmc-go/pgmc/codegen/internal/batch"
	"github.com/pgmc-go/pgmc/codegen/internal/choose"
	"github.com/pgmc-go/pgmc/codegen/internal/store"
)

// Report describes an emitted package, for people who want to know why it is as it is.
type Report struct {
	Blocks  []BlockReport
	Queries []QueryReport // by entry
	Batches []BatchReport
	Total   backend.Cost // of all blocks, each run once
	Work    int          // numbers in the work memory of an engine
	Data    int          // constants and parameters
	State   int          // integers in the state memory of an engine
	Code    int          // integers beside the code, such as a tape
	Embed   int          // bytes of the data file; 0 if the numbers are in the Go files
	OnHeap  bool         // the work memory is allocated outside the Engine struct
	Joints  []string     // by entry: the method that answers it if it is a joint posterior, "" otherwise
	// Histories is the most histories of states that a filter holds, and HistoryNumbers how many
	// numbers each has; 0 if its belief is no mixture over histories.
	Histories, HistoryNumbers int
	// SteadyOps is the number of operations of a step of a filter, with posteriors, with the gains
	// of a step before; 0 if all steps compute their gains.
	SteadyOps int
}

// BlockReport describes the choice of a back-end for one block.
type BlockReport struct {
	Name    string
	Func    string // the method that runs it
	Backend string
	Steps   int
	Cost    backend.Cost
}

// QueryReport holds the prediction for one query. It counts each block once, also in loops and
// chains.
type QueryReport struct {
	Name string
	NS   float64 // time in nanoseconds
}

// BatchReport describes how a method answers several rows.
type BatchReport = batch.Report

// The values of BatchReport.By besides Assembly.
const (
	Lanes = batch.Lanes
	Rows  = batch.Rows
)

// report returns the report of the emission.
func (g *generator) report() Report {
	r := Report{
		Work: g.mem.Work, Data: len(g.mem.Data), State: g.mem.State, Code: len(g.mem.Code),
		OnHeap: g.mem.Work*8 > store.InlineBytes, Total: backend.Cost{OK: true}, Batches: g.sequences.Reports(),
	}
	if g.mem.File != nil {
		r.Embed = len(g.mem.File.Data)
	}
	r.Histories, r.HistoryNumbers = g.sequences.Histories()
	r.SteadyOps = g.sequences.SteadyOps()
	for _, names := range g.Joints {
		r.Joints = append(r.Joints, names.Method)
	}
	for i := range g.Program.Entries {
		if g.Program.Entries[i].IsPart() {
			continue // those come last
		}
		r.Queries = append(r.Queries, QueryReport{g.Program.Entries[i].Query.Name, choose.QueryNS(g.Program, &g.Program.Entries[i], g.Plan)})
	}
	for i, c := range g.Plan {
		b := &g.Program.Blocks[i]
		r.Blocks = append(r.Blocks, BlockReport{b.Name, c.Func, c.Backend.Name, len(b.Steps), c.Cost})
		r.Total.NS += c.Cost.NS
		r.Total.Ops += c.Cost.Ops
		r.Total.Text += c.Cost.Text
		r.Total.Build += c.Cost.Build
	}
	return r
}
