package codegen

import "github.com/pgmc-go/pgmc/codegen/backend"

// Report says what was emitted, for people who want to know why.
type Report struct {
	Blocks []BlockReport
	Total  backend.Cost // of all blocks, each run once
	Work   int          // numbers of scratch an engine has
	Data   int          // constants and parameters
	State  int          // integers of scratch
	Code   int          // integers beside the code, such as a tape
	Embed  int          // bytes of the data file; 0 where the numbers stand in the Go files
	OnHeap bool         // the scratch lies outside the Engine, which is small then
	Joints []string     // by entry: the method that answers it, where that is a joint posterior
}

// BlockReport is the choice for one block.
type BlockReport struct {
	Name    string
	Func    string // the method that runs it
	Backend string
	Steps   int
	Cost    backend.Cost
}

func (g *generator) report() Report {
	r := Report{
		Work: g.mem.work, Data: len(g.mem.data), State: g.mem.state, Code: len(g.mem.code),
		OnHeap: g.mem.work*8 > inlineBytes, Total: backend.Cost{OK: true},
	}
	if g.mem.embedded() {
		r.Embed = 8*len(g.mem.data) + 4*len(g.mem.code)
	}
	for _, names := range g.joints {
		r.Joints = append(r.Joints, names.method)
	}
	for i, c := range g.plan {
		b := &g.p.Blocks[i]
		r.Blocks = append(r.Blocks, BlockReport{b.Name, c.fn, c.backend.Name, len(b.Steps), c.cost})
		r.Total.NS += c.cost.NS
		r.Total.Ops += c.cost.Ops
		r.Total.Text += c.cost.Text
		r.Total.Build += c.cost.Build
	}
	return r
}
