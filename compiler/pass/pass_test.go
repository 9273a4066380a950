package pass_test

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/pgmc-go/pgmc/compiler/pass"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// programPasses are tested text to text, each on testdata/NAME: the file "in" becomes "out". The
// first line of an archive says "fires" or "must not fire", and the pass must do accordingly.
var programPasses = map[string]func(*ir.Program){
	"program-scale":  pass.ProgramScale,
	"program-chunk":  func(p *ir.Program) { pass.ProgramChunk(p, pass.ChunkProducts) },
	"program-keep":   pass.ProgramKeep,
	"program-layout": pass.ProgramLayout,
}

func TestProgramPasses(t *testing.T) {
	for _, name := range []string{"program-scale", "program-chunk", "program-keep", "program-layout"} {
		t.Run(name, func(t *testing.T) {
			irtest.Golden(t, "testdata/"+name+"/*.txtar", func(t *testing.T, in *txtar.Archive) []txtar.File {
				p := parse(t, irtest.File(t, in, "in"))
				before := works(p, name)
				programPasses[name](p)
				if err := p.Verify(); err != nil {
					t.Error(err)
				}
				fires := !strings.Contains(string(in.Comment), "must not fire")
				if changed := before != works(p, name); changed != fires {
					t.Errorf("the pass changed something: %v; want %v", changed, fires)
				}
				return []txtar.File{{Name: "out", Data: []byte(text(t, p))}}
			})
		})
	}
}

func parse(t *testing.T, s string) *ir.Program {
	p, err := ir.Parse(strings.NewReader(s))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func text(t *testing.T, p *ir.Program) string {
	var b bytes.Buffer
	if err := p.Print(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// works is what the named pass works on: the places of spans for the layout, blocks and entries
// for the others.
func works(p *ir.Program, name string) string {
	var b strings.Builder
	if err := p.Print(&b); err != nil {
		return err.Error()
	}
	if name == "program-layout" || name == "program-keep" {
		return b.String()
	}
	_, blocks, _ := strings.Cut(b.String(), "\nblock")
	return blocks
}

// twoBlocks is a schedule with an operation that its one entry needs, and one that it does not.
func twoBlocks() *ir.Schedule {
	m := &model.Model{Name: "m"}
	m.NewVar("a", "0", "1")
	m.NewVar("b", "0", "1", "2")
	ab := []model.VarID{0, 1}
	s := &ir.Schedule{Model: m, Tables: []ir.Table{
		{Name: "f", Scope: ab, Role: ir.RoleConst, Var: -1, Data: []float64{1, 2, 3, 4, 5, 6}},
		{Name: "g", Scope: ab[1:], Role: ir.RoleConst, Var: -1, Data: []float64{1, 0, 10}},
		{Name: "root", Role: ir.RoleTemp, Var: -1},
		{Name: "unused", Scope: ab[:1], Role: ir.RoleTemp, Var: -1},
	}}
	s.Blocks = []ir.OpBlock{{Name: "up", Order: ab, Ops: []ir.Op{
		&ir.ContractOp{Out: 2, In: []ir.TableID{0, 1}, Reduce: ir.ReduceSum},
		&ir.ContractOp{Out: 3, In: []ir.TableID{0}, Reduce: ir.ReduceSum},
	}}}
	s.Entries = []ir.ScheduleEntry{{Query: &ir.Query{Name: "logprob", Kind: ir.LogProb}, Blocks: []int{0}, Root: 2}}
	return s
}

func TestScheduleDead(t *testing.T) {
	s := twoBlocks()
	pass.ScheduleDead(s)
	if n := len(s.Blocks[0].Ops); n != 1 || !slices.Equal(ir.WriteTables(s.Blocks[0].Ops[0]), []ir.TableID{2}) {
		t.Errorf("%d operations are left; want the one that makes the root", n)
	}
	pass.ScheduleDead(s) // nothing more to drop
	if n := len(s.Blocks[0].Ops); n != 1 {
		t.Errorf("%d operations are left; want 1", n)
	}
}

func TestScheduleFold(t *testing.T) {
	s := twoBlocks()
	pass.ScheduleFold(s)
	op := s.Blocks[0].Ops[0].(*ir.ContractOp)
	if len(op.In) != 1 {
		t.Fatalf("%d operands are left; want the product", len(op.In))
	}
	if got, want := s.Tables[op.In[0]].Data, []float64{1, 0, 30, 4, 0, 60}; !slices.Equal(got, want) {
		t.Errorf("product %v; want %v", got, want)
	}
	s = twoBlocks()
	s.Tables[0].Data[0], s.Tables[1].Data[0] = 1e-200, 1e-200
	pass.ScheduleFold(s)
	if n := len(s.Blocks[0].Ops[0].(*ir.ContractOp).In); n != 2 {
		t.Errorf("numbers whose product would vanish were multiplied")
	}
	s = twoBlocks()
	s.Tables[0].Role, s.Tables[1].Role = ir.RoleParam, ir.RoleParam
	pass.ScheduleFold(s)
	if n := len(s.Blocks[0].Ops[0].(*ir.ContractOp).In); n != 2 {
		t.Errorf("parameters were multiplied")
	}
}

// TestScheduleFoldRoom multiplies the 26 potentials of a bucket that holds 27 binary variables:
// each product doubles the one before, and the last would have 2^27 numbers.
func TestScheduleFoldRoom(t *testing.T) {
	m := &model.Model{Name: "m"}
	s := &ir.Schedule{Model: m}
	op := &ir.ContractOp{Reduce: ir.ReduceSum}
	block := ir.OpBlock{Name: "up"}
	for i := range 27 {
		v := m.NewVar(strconv.Itoa(i), "0", "1").ID
		block.Order = append(block.Order, v)
		if i > 0 {
			s.Tables = append(s.Tables, ir.Table{Name: "f", Scope: []model.VarID{0, v}, Role: ir.RoleConst, Var: -1, Data: []float64{1, 2, 3, 4}})
			op.In = append(op.In, ir.TableID(i-1))
		}
	}
	s.Tables = append(s.Tables, ir.Table{Name: "root", Role: ir.RoleTemp, Var: -1})
	op.Out = ir.TableID(len(s.Tables) - 1)
	block.Ops = []ir.Op{op}
	s.Blocks = []ir.OpBlock{block}
	pass.ScheduleFold(s)
	numbers := 0
	for _, table := range s.Tables {
		numbers += len(table.Data)
	}
	if numbers > 3<<20 || len(op.In) > 3 {
		t.Errorf("%d numbers, %d operands; want at most 3 Mi numbers, and few operands", numbers, len(op.In))
	}
}

// TestProgramLayoutMany lays out a program of more temporaries than are compared with each other:
// a chain of 30,000 sums, of which each needs the one before and every third, once more, the
// third before.
func TestProgramLayoutMany(t *testing.T) {
	const n = 30_000
	p := &ir.Program{Name: "many", State: 0, Spans: []ir.Span{{Name: "state", Elem: ir.Int32, Role: ir.RoleOut, Var: -1, Offset: -1}}}
	span := func(i int) ir.SpanID { return ir.SpanID(i + 1) }
	size := func(i int) int { return 1 + i%3 }
	for i := range n {
		p.Spans = append(p.Spans, ir.Span{Name: "t", Role: ir.RoleTemp, Len: size(i), Var: -1, Offset: -1})
	}
	var blocks [2]ir.Block
	for i := range n {
		c := &ir.Contract{Axes: []ir.Axis{{Var: -1, Size: size(i), Kind: ir.AxisOut}}, Out: ir.View{Span: span(i), Stride: []int{1}}}
		if i > 0 {
			c.In = append(c.In, ir.View{Span: span(i - 1), Stride: []int{0}})
		}
		if i%3 == 0 && i > 2 {
			c.In = append(c.In, ir.View{Span: span(i - 3), Stride: []int{1}})
		}
		blocks[i*2/n].Steps = append(blocks[i*2/n].Steps, c)
	}
	blocks[0].Name, blocks[1].Name = "a", "b"
	p.Blocks = blocks[:]
	p.Entries = []ir.Entry{{Query: &ir.Query{Name: "logprob", Kind: ir.LogProb}, Blocks: []int{0, 1}, Root: span(n - 3), Exp: ir.NoSpan}}
	pass.ProgramLayout(p)
	if p.Work > 20 {
		t.Errorf("%d numbers of work; want a few, since four temporaries are alive at one time", p.Work)
	}
	owner := make([]int, p.Work) // the last temporary that was written there
	for i := range n {
		for _, in := range p.Blocks[i*2/n].Steps[i-i*2/n*n/2].(*ir.Contract).In {
			for k := range p.Spans[in.Span].Len {
				if got := owner[p.Spans[in.Span].Offset+k]; got != int(in.Span) {
					t.Fatalf("step %d reads span %d, whose place span %d took", i, in.Span, got)
				}
			}
		}
		for k := range size(i) {
			owner[p.Spans[span(i)].Offset+k] = int(span(i))
		}
	}
}

// TestLower checks axes and strides of the lowered contraction: all is reduced, b is contiguous.
func TestLower(t *testing.T) {
	p := pass.Lower(&ir.Plan{Schedule: twoBlocks()})
	c := p.Blocks[0].Steps[0].(*ir.Contract)
	want := []ir.Axis{{Var: 0, Size: 2, Kind: ir.AxisReduced}, {Var: 1, Size: 3, Kind: ir.AxisReduced}}
	if !slices.Equal(c.Axes, want) || !slices.Equal(c.In[0].Stride, []int{3, 1}) || !slices.Equal(c.In[1].Stride, []int{0, 1}) {
		t.Errorf("axes %v, strides %v and %v", c.Axes, c.In[0].Stride, c.In[1].Stride)
	}
	if err := p.Verify(); err != nil {
		t.Error(err)
	}
}
