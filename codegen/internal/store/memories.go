// Package store lays out the numbers of a generated package: in the memories of its Engine, as
// literals in its Go files, or in a data file that it embeds.
package store

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/pgmc-go/pgmc/codegen/internal/source"
	"github.com/pgmc-go/pgmc/ir"
)

// literalNumbers is the most numbers that the Go files hold as literals. Lists of float literals
// are slow to compile, so that a package with more numbers has them in a data file.
const literalNumbers = 2000

// InlineBytes is the largest size of a memory that is part of the Engine struct, so that an Engine
// that is copied or on a stack by mistake does no great harm.
const InlineBytes = 64 << 10

// DataExt is the extension of the data files that packages embed.
const DataExt = ".dat"

// Memories describes the memories of the generated Engine: the sizes of work and state memory, the
// numbers in data memory, and the integers beside the code.
type Memories struct {
	Work, State int
	Data        []float64
	Code        []int32
	File        *source.File // the data file; nil if the numbers are in the Go files
}

// New lays out the memories that are known only after all blocks were emitted: the pool
// follows the program's data, the scratch its work memory, and the ranges its integers.
func New(p *ir.Program, ranges *ir.Ranges, pool []float64, code []int32, scratch int) Memories {
	m := Memories{Work: p.Work + scratch, State: p.Ints + ranges.Ints(), Code: code, Data: make([]float64, p.Data, p.Data+len(pool))}
	for i := range p.Spans {
		if s := &p.Spans[i]; s.ReadOnly() {
			copy(m.Data[s.Offset:s.Offset+s.Len], s.Data)
		}
	}
	m.Data = append(m.Data, pool...)
	return m
}

// Embedded reports whether the numbers are in a data file.
func (m *Memories) Embedded() bool { return len(m.Data)+len(m.Code) > literalNumbers }

// Declare declares the numbers: as literals, or as an embedded file that is decoded when the first
// engine is made.
func (m *Memories) Declare(w *source.Writer, p *ir.Program) error {
	if m.Embedded() {
		return m.embed(w)
	}
	if len(m.Data) > 0 {
		w.Out.Comment("// constants holds the numbers of the model, as the compiler arranged them.")
		w.Out.Var().Id("constants").Op("=").Index(jen.Lit(len(m.Data))).Float64().Id("{\n" + m.constantRows(p) + "}")
		w.Out.Line()
	}
	if len(m.Code) > 0 {
		w.Out.Comment("// program holds the code that the tape machine and the lanes run.")
		w.Out.Var().Id("program").Op("=").Index(jen.Lit(len(m.Code))).Int32().Id("{\n" + intRows(m.Code) + "}")
		w.Out.Line()
	}
	return nil
}

// constantRows returns data memory as rows of literals. Each span begins a row, and a comment at
// the end of the row names it.
func (m *Memories) constantRows(p *ir.Program) string {
	starts := map[int]string{}
	for i := range p.Spans {
		if s := &p.Spans[i]; s.ReadOnly() && s.Len > 0 && starts[s.Offset] == "" {
			starts[s.Offset] = " // " + source.Plain(s.Name)
		}
	}
	const perRow = 8
	b, comment, inRow := &strings.Builder{}, "", 0
	for i, x := range m.Data {
		name, begins := starts[i]
		if i == p.Data {
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

// embed makes the data file, and declares it and the function that decodes it.
func (m *Memories) embed(w *source.Writer) error {
	file, size, err := m.encode()
	if err != nil {
		return err
	}
	m.File = &source.File{Name: w.Base() + DataExt, Data: file}
	w.Out.Anon("embed")
	w.Out.Comment(fmt.Sprintf("//go:embed %s", m.File.Name))
	w.Out.Var().Id("encoded").String()
	w.Out.Line()
	w.Out.Comment("// contents is the decoded data file.")
	w.Out.Type().Id("contents").Struct(
		jen.Id("constants").Index(jen.Lit(len(m.Data))).Float64(),
		jen.Id("program").Index(jen.Lit(len(m.Code))).Int32(),
	)
	w.Out.Line()
	w.Out.Comment("// numbers decodes the data file at its first call.")
	w.Out.Var().Id("numbers").Op("=").Id(w.Out.Std("sync.OnceValue") + "(func() *contents {\n" + m.readData(w.Out, size) + "\n})")
	w.Out.Line()
	return nil
}
