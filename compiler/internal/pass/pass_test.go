package pass_test

import (
	"bytes"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/pgmc-go/pgmc/compiler/internal/pass"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// programPasses lists the passes that are tested text to text on testdata/NAME: the file "in"
// becomes "out". The first line of an archive says whether the pass fires or must not fire.
var programPasses = []struct {
	name string
	run  func(*ir.Program)
	work func(*ir.Program) string // the text of what the pass changes
}{
	{"program-column", pass.ProgramColumn, whole},
	{"program-scale", pass.ProgramScale, blocks},
	{"program-interleave", func(p *ir.Program) { pass.ProgramInterleave(p, 0) }, blocks},
	{"program-chunk", func(p *ir.Program) { pass.ProgramChunk(p, pass.ChunkProducts) }, blocks},
	{"program-instead", secondInstead, whole},
	{"program-keep", pass.ProgramKeep, whole},
	{"program-lay", func(p *ir.Program) { pass.ProgramLay(p, 1) }, whole},
	{"program-ways", pass.ProgramWays, whole},
	{"program-steady", pass.ProgramSteady, whole},
	{"program-layout", pass.ProgramLayout, room},
}

// secondInstead takes the entry "second", if there is one, for a second plan of "logprob".
func secondInstead(p *ir.Program) {
	if x := p.Entry("second"); x != nil {
		pass.ProgramInstead(p, []pass.Second{{Of: p.Entry("logprob").Query, Query: x.Query, Most: 500}})
	}
}

func TestProgramPasses(t *testing.T) {
	for _, c := range programPasses {
		t.Run(c.name, func(t *testing.T) {
			irtest.Golden(t, "testdata/"+c.name+"/*.txtar", func(t *testing.T, in *txtar.Archive) []txtar.File {
				p := parse(t, irtest.File(t, in, "in"))
				before := c.work(p)
				c.run(p)
				if err := p.Verify(); err != nil {
					t.Error(err)
				}
				checkFires(t, in, before != c.work(p))
				return []txtar.File{{Name: "out", Data: []byte(text(t, p))}}
			})
		})
	}
}

// TestProgramLookup splits programs over five variables of two states. The file "apart" is the
// program of the signatures that were moved, and empty if there are none.
func TestProgramLookup(t *testing.T) {
	m := &model.Model{}
	for _, name := range []string{"a", "b", "c", "d", "e"} {
		m.NewVar(name, "0", "1")
	}
	irtest.Golden(t, "testdata/program-lookup/*.txtar", func(t *testing.T, in *txtar.Archive) []txtar.File {
		p := parse(t, irtest.File(t, in, "in"))
		apart := pass.ProgramLookup(p, m)
		checkFires(t, in, apart != nil)
		files := []txtar.File{{Name: "out", Data: []byte(text(t, p))}, {Name: "apart"}}
		if apart != nil {
			files[1].Data = []byte(text(t, apart))
		}
		return files
	})
}

// TestProgramVerify checks the faults that the verifier finds in programs. The file "faults" is its
// error, and is empty if the program is sound.
func TestProgramVerify(t *testing.T) {
	irtest.Golden(t, "testdata/program-verify/*.txtar", func(t *testing.T, in *txtar.Archive) []txtar.File {
		faults := ""
		if err := parse(t, irtest.File(t, in, "in")).Verify(); err != nil {
			faults = err.Error() + "\n"
		}
		checkFires(t, in, faults != "")
		return []txtar.File{{Name: "faults", Data: []byte(faults)}}
	})
}

// checkFires checks that a pass fired if the archive says so, and only then.
func checkFires(t *testing.T, in *txtar.Archive, fired bool) {
	t.Helper()
	if want := !strings.Contains(string(in.Comment), "must not fire"); fired != want {
		t.Errorf("the pass fired: %v; want %v", fired, want)
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

// blocks returns the text of the blocks and entries of p.
func blocks(p *ir.Program) string {
	_, text, _ := strings.Cut(whole(p), "\nblock")
	return text
}

// whole returns the text of p.
func whole(p *ir.Program) string {
	var b strings.Builder
	if err := p.Print(&b); err != nil {
		return err.Error()
	}
	return b.String()
}

// room returns how many numbers of work memory p needs. Before layout, these are the numbers of all
// its spans.
func room(p *ir.Program) string {
	n := p.Work
	for i := range p.Spans {
		if s := &p.Spans[i]; s.Offset < 0 && s.Elem == ir.Float64 && !s.ReadOnly() {
			n += s.Len
		}
	}
	return strconv.Itoa(n)
}

// TestProgramLayoutMany lays out a program with more temporaries than ProgramLayout compares with
// each other: a chain of 30,000 sums. Each sum needs the one before it, and every third also the
// third before it.
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
