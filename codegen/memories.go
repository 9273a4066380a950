package codegen

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/pgmc-go/pgmc/ir"
)

// literalNumbers is how many numbers may stand in Go files; lists of float literals are slow to
// compile, and beyond this a package has them in a data file.
const literalNumbers = 2000

// inlineBytes is how large a memory may be within the Engine itself, so that an Engine by mistake
// on a stack or copied is no disaster.
const inlineBytes = 64 << 10

// memories are those of the generated Engine: sizes, and the numbers in data memory and beside the
// code.
type memories struct {
	work, state int
	data        []float64
	code        []int32
}

// newMemories lays out what is known after all blocks were emitted: the pool goes after the
// program's data, the scratch after its work memory, and ranges after its integers.
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

// encode makes the data file: data, then code, little-endian.
func (m *memories) encode() []byte {
	out := make([]byte, 0, 8*len(m.data)+4*len(m.code))
	for _, x := range m.data {
		out = binary.LittleEndian.AppendUint64(out, math.Float64bits(x))
	}
	for _, k := range m.code {
		out = binary.LittleEndian.AppendUint32(out, uint32(k))
	}
	return out
}

func (g *generator) datName() string { return g.base + dataExt }

// numbers declares the numbers: literals, or an embedded file that is decoded when the first engine
// is made.
func (g *generator) numbers() {
	if g.mem.embedded() {
		g.embeddedNumbers()
		return
	}
	if len(g.mem.data) > 0 {
		g.out.Comment("// constants are the numbers of the model as the compiler arranged them.")
		g.out.Var().Id("constants").Op("=").Index(jen.Lit(len(g.mem.data))).Float64().Id("{\n" + g.constantRows() + "}")
		g.out.Line()
	}
	if len(g.mem.code) > 0 {
		g.out.Comment("// program is the code of what the tape machine and the lanes run.")
		g.out.Var().Id("program").Op("=").Index(jen.Lit(len(g.mem.code))).Int32().Id("{\n" + intRows(g.mem.code) + "}")
		g.out.Line()
	}
}

// constantRows writes data memory, a span a row; a row ends with what it holds.
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

func (g *generator) embeddedNumbers() {
	nd, nk := len(g.mem.data), len(g.mem.code)
	g.out.Anon("embed")
	g.out.Comment(fmt.Sprintf("//go:embed %s", g.datName()))
	g.out.Var().Id("encoded").String()
	g.out.Line()
	g.out.Comment("// contents is what the data file holds.")
	g.out.Type().Id("contents").Struct(
		jen.Id("constants").Index(jen.Lit(nd)).Float64(),
		jen.Id("program").Index(jen.Lit(nk)).Int32(),
	)
	g.out.Line()
	g.out.Comment("// numbers decodes the data file, once.")
	g.out.Var().Id("numbers").Op("=").Id(g.std("sync.OnceValue") + `(func() *contents {
	c, data := new(contents), []byte(encoded)
	for i := range c.constants {
		c.constants[i] = ` + g.std("math.Float64frombits") + `(` + g.std("encoding/binary.LittleEndian") + `.Uint64(data[8*i:]))
	}
	data = data[8*len(c.constants):]
	for i := range c.program {
		c.program[i] = int32(` + g.std("encoding/binary.LittleEndian") + `.Uint32(data[4*i:]))
	}
	return c
})`)
	g.out.Line()
}
