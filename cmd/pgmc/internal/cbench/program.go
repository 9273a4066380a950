package cbench

import (
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Program is a C program. It is run with the path of a file that holds Data in the byte order of
// the machine. On standard input it expects the number of sets of evidence and then, for each set,
// one number for each variable of the model: 0 if it is not observed, and otherwise its state
// counted from 1, or 1 if it is real. For a model with real variables, one more number for each
// variable of each set follows all of these: its value if it is real and observed, and 0 otherwise.
// It prints a line for each set: ln P(evidence) and then the numbers of the entry's
// results, span by span.
type Program struct {
	Text string
	Outs int       // numbers of the results
	Data []float64 // numbers of the tables; straight-line code has its numbers in the text
	Ops  int       // multiplications and additions of a query, as written
}

// ErrTooLarge is wrapped by the errors that refuse a program for its size.
var ErrTooLarge = errors.New("too large for a C reference")

//go:embed main.c.txt
var mainText string

// source collects the parts of a program's text.
type source struct {
	p        *ir.Program
	vars     int                    // number of variables of the model
	real     func(ir.SpanID) bool   // reports whether an input is of a real variable
	reals    bool                   // whether there is such a variable
	inputs   []ir.SpanID            // input spans that the entry reads
	at       func(ir.SpanID) string // returns the C expression for the address of an input
	memories string                 // declarations
	parts    []string               // bodies of the functions that compute, in order; the last sets root and out
	outs     int                    // numbers of the results
	logZ     float64
}

// newSource returns the source of an entry's program without its functions. It refuses an entry
// that reads parameters.
func newSource(p *ir.Program, e *ir.Entry, m *model.Model) (*source, error) {
	if e.Root == ir.NoSpan {
		return nil, fmt.Errorf("query %q has no root", e.Query.Name)
	}
	read := make([]bool, len(p.Spans))
	read[e.Root] = true
	for _, step := range steps(p, e) {
		for _, id := range ir.ReadSpans(step) {
			read[id] = true
		}
	}
	for _, id := range e.Logs {
		read[id] = true
	}
	s := &source{p: p, vars: len(m.Vars), logZ: p.LogZ, reals: len(m.Reals()) > 0}
	s.real = func(id ir.SpanID) bool { return m.IsReal(model.VarID(p.Spans[id].Var)) }
	for _, id := range e.Outs {
		s.outs += p.Spans[id].Len
	}
	for i := range p.Spans {
		switch span := &p.Spans[i]; {
		case !read[i]:
		case span.Role == ir.RoleParam:
			return nil, fmt.Errorf("span %q holds parameters that may be replaced", span.Name)
		case span.Role == ir.RoleIn:
			s.inputs = append(s.inputs, ir.SpanID(i))
		}
	}
	return s, nil
}

// steps returns the steps of an entry in execution order.
func steps(p *ir.Program, e *ir.Entry) []ir.Step {
	var list []ir.Step
	for _, b := range e.Blocks {
		list = append(list, p.Blocks[b].Steps...)
	}
	return list
}

// text returns the whole program.
func (s *source) text() string {
	var functions, calls strings.Builder
	for i, body := range s.parts {
		attribute := "" // one function may be inlined
		if len(s.parts) > 1 {
			attribute = "__attribute__((noinline)) "
		}
		fmt.Fprintf(&functions, "static %svoid part%d(void)\n{\n%s}\n\n", attribute, i, body)
		fmt.Fprintf(&calls, "\tpart%d();\n", i)
	}
	values := 0
	if s.reals {
		values = 1
	}
	return strings.NewReplacer(
		"/*VALUES*/", strconv.Itoa(values),
		"/*VARS*/", strconv.Itoa(s.vars),
		"/*LOGZ*/", literal(s.logZ),
		"/*OUTS*/", strconv.Itoa(s.outs),
		"/*MEMORIES*/", s.memories,
		"/*LOAD*/", s.load(),
		"/*FUNCTIONS*/", functions.String(),
		"/*CALLS*/", calls.String(),
	).Replace(mainText)
}

// load returns the statements that load a set of evidence. For a variable with few states they copy
// a row of a table.
func (s *source) load() string {
	const few = 8
	var b, tables strings.Builder
	var have []int
	for _, id := range s.inputs {
		span := &s.p.Spans[id]
		if s.real(id) {
			fmt.Fprintf(&b, "\t(%s)[0] = ev[%d];\n\t(%s)[1] = value[%d];\n", s.at(id), span.Var, s.at(id), span.Var)
			continue
		}
		if span.Len > few {
			fmt.Fprintf(&b, "\tobserve(%s, %d, ev[%d]);\n", s.at(id), span.Len, span.Var)
			continue
		}
		if !slices.Contains(have, span.Len) {
			have = append(have, span.Len)
			tables.WriteString(oneHot(span.Len))
		}
		fmt.Fprintf(&b, "\tmemcpy(%s, hot%d[ev[%d]], sizeof hot%d[0]);\n", s.at(id), span.Len, span.Var, span.Len)
	}
	return tables.String() + b.String()
}

// oneHot returns the declaration of a table with the likelihoods of a variable with k states: row 0
// for no observation, row i for state i.
func oneHot(k int) string {
	rows := []string{"{" + strings.Join(slices.Repeat([]string{"1"}, k), ",") + "}"}
	for i := range k {
		cells := slices.Repeat([]string{"0"}, k)
		cells[i] = "1"
		rows = append(rows, "{"+strings.Join(cells, ",")+"}")
	}
	return fmt.Sprintf("\tstatic const double hot%d[%d][%d] = {%s};\n", k, k+1, k, strings.Join(rows, ","))
}

// literal formats x so that C reads it back exactly, as a double.
func literal(x float64) string {
	text := strconv.FormatFloat(x, 'g', -1, 64)
	if !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	return text
}

// Encode returns the contents of the data file: Data as float64 numbers in the byte order of the
// machine.
func (p *Program) Encode() []byte {
	out := make([]byte, 0, 8*len(p.Data))
	for _, x := range p.Data {
		out = binary.NativeEndian.AppendUint64(out, math.Float64bits(x))
	}
	return out
}
