package codegen

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/pgmc-go/pgmc/ir"
)

// literalNumbers is the most numbers that the Go files hold as literals. Lists of float literals
// are slow to compile, so that a package with more numbers has them in a data file.
const literalNumbers = 2000

// inlineBytes is the largest size of a memory that is part of the Engine struct, so that an Engine
// that is copied or on a stack by mistake does no great harm.
const inlineBytes = 64 << 10

// memories describes the memories of the generated Engine: the sizes of work and state memory, the
// numbers in data memory, and the integers beside the code.
type memories struct {
	work, state int
	data        []float64
	code        []int32
}

// newMemories lays out the memories that are known only after all blocks were emitted: the pool
// follows the program's data, the scratch its work memory, and the ranges its integers.
func newMemories(p *ir.Program, ranges *ir.Ranges, pool []float64, code []int32, scratch int) memories {
	m := memories{work: p.Work + scratch, state: p.Ints + ranges.Ints(), code: code, data: make([]float64, p.Data, p.Data+len(pool))}
	for i := range p.Spans {
		if s := &p.Spans[i]; s.ReadOnly() {
			copy(m.data[s.Offset:s.Offset+s.Len], s.Data)
		}
	}
	m.data = append(m.data, pool...)
	return m
}

// embedded reports whether the numbers are in a data file.
func (m *memories) embedded() bool { return len(m.data)+len(m.code) > literalNumbers }

// numbers declares the numbers: as literals, or as an embedded file that is decoded when the first
// engine is made.
func (g *generator) numbers() error {
	if g.mem.embedded() {
		return g.embeddedNumbers()
	}
	if len(g.mem.data) > 0 {
		g.out.Comment("// constants holds the numbers of the model, as the compiler arranged them.")
		g.out.Var().Id("constants").Op("=").Index(jen.Lit(len(g.mem.data))).Float64().Id("{\n" + g.constantRows() + "}")
		g.out.Line()
	}
	if len(g.mem.code) > 0 {
		g.out.Comment("// program holds the code that the tape machine and the lanes run.")
		g.out.Var().Id("program").Op("=").Index(jen.Lit(len(g.mem.code))).Int32().Id("{\n" + intRows(g.mem.code) + "}")
		g.out.Line()
	}
	return nil
}

// constantRows returns data memory as rows of literals. Each span begins a row, and a comment at
// the end of the row names it.
func (g *generator) constantRows() string {
	starts := map[int]string{}
	for i := range g.p.Spans {
		if s := &g.p.Spans[i]; s.ReadOnly() && s.Len > 0 && starts[s.Offset] == "" {
			starts[s.Offset] = " // " + plain(s.Name)
		}
	}
	const perRow = 8
	b, comment, inRow := &strings.Builder{}, "", 0
	for i, x := range g.mem.data {
		name, begins := starts[i]
		if i == g.p.Data {
			name, begins = "", true
		}
		if i > 0 && (begins || inRow == perRow) {
			b.WriteString(comment + "\n")
			comment, inRow = "", 0
		}
		if begins {
			comment = name
		}
		b.WriteString(strconv.FormatFloat(x, 'g', -1, 64) + ", ")
		inRow++
	}
	b.WriteString(comment + "\n")
	return b.String()
}

// intRows returns integers as rows of literals.
func intRows(code []int32) string {
	const perRow = 16
	b := &strings.Builder{}
	for i, k := range code {
		b.WriteString(strconv.Itoa(int(k)) + ", ")
		if i%perRow == perRow-1 || i == len(code)-1 {
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// embeddedNumbers makes the data file, and declares it and the function that decodes it.
func (g *generator) embeddedNumbers() error {
	file, size, err := g.mem.encode()
	if err != nil {
		return err
	}
	g.dat = &File{g.base + dataExt, file}
	g.out.Anon("embed")
	g.out.Comment(fmt.Sprintf("//go:embed %s", g.dat.Name))
	g.out.Var().Id("encoded").String()
	g.out.Line()
	g.out.Comment("// contents is the decoded data file.")
	g.out.Type().Id("contents").Struct(
		jen.Id("constants").Index(jen.Lit(len(g.mem.data))).Float64(),
		jen.Id("program").Index(jen.Lit(len(g.mem.code))).Int32(),
	)
	g.out.Line()
	g.out.Comment("// numbers decodes the data file at its first call.")
	g.out.Var().Id("numbers").Op("=").Id(g.std("sync.OnceValue") + "(func() *contents {\n" + g.readData(size) + "\n})")
	g.out.Line()
	return nil
}
