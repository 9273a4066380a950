package pass_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/pgmc-go/pgmc/compiler/pass"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// programPasses are tested text to text, each on testdata/NAME: the file "in" becomes "out". The first line of an archive says
// "fires" or "must not fire", and the pass must do accordingly.
var programPasses = map[string]func(*ir.Program){
	"program-scale":  pass.ProgramScale,
	"program-chunk":  pass.ProgramChunk,
	"program-layout": pass.ProgramLayout,
}

func TestProgramPasses(t *testing.T) {
	for _, name := range []string{"program-scale", "program-chunk", "program-layout"} {
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

// works is what the named pass works on: the places of spans for the layout, blocks and entries for the others.
func works(p *ir.Program, name string) string {
	var b strings.Builder
	if err := p.Print(&b); err != nil {
		return err.Error()
	}
	if name == "program-layout" {
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
	if n := len(s.Blocks[0].Ops); n != 1 || ir.Writes(s.Blocks[0].Ops[0]) != 2 {
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

// TestLower checks axes and strides of the lowered contraction: all is reduced, b is contiguous.
func TestLower(t *testing.T) {
	p := pass.Lower(twoBlocks())
	c := p.Blocks[0].Steps[0].(*ir.Contract)
	want := []ir.Axis{{Var: 0, Size: 2, Kind: ir.AxisReduced}, {Var: 1, Size: 3, Kind: ir.AxisReduced}}
	if !slices.Equal(c.Axes, want) || !slices.Equal(c.In[0].Stride, []int{3, 1}) || !slices.Equal(c.In[1].Stride, []int{0, 1}) {
		t.Errorf("axes %v, strides %v and %v", c.Axes, c.In[0].Stride, c.In[1].Stride)
	}
	if err := p.Verify(); err != nil {
		t.Error(err)
	}
}
