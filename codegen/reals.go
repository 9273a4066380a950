package codegen

import (
	"fmt"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// realType is the type of the value of a real variable, and normalType that of an answer.
const (
	realType   = "Real"
	normalType = "Normal"
)

// isReal reports whether the variable is real: it has no type of states.
func (x *varID) isReal() bool { return x.enum == nil }

// field is the type of what was observed of the variable, and answer that of its posterior.
func (x *varID) field() string {
	if x.isReal() {
		return realType
	}
	return x.enum.id
}

func (x *varID) answer() string {
	if x.isReal() {
		return normalType
	}
	return x.enum.dist()
}

// posterior is the expression of the answer for x that a span holds.
func (x *varID) posterior(s *ir.Span) string {
	if x.isReal() {
		return fmt.Sprintf("%s{s[%d], s[%d]}", normalType, s.Offset, s.Offset+1)
	}
	return fmt.Sprintf("%s(%s)", x.enum.dist(), slice("s", s))
}

// hasReals reports whether the model has real variables.
func (g *generator) hasReals() bool { return len(g.m.Reals()) > 0 }

// realTypes declares the types of real variables.
func (g *generator) realTypes() {
	if !g.hasReals() {
		return
	}
	g.out.Add(doc("Real is the value of a real variable; the zero value is \"not observed\". Obs makes one."))
	g.out.Type().Id(realType).Struct(jen.Id("value").Float64(), jen.Id("observed").Bool())
	g.out.Line()
	g.fn(doc(fmt.Sprintf("Obs is the value x. Queries refuse one that is no number, or of a size of more than %g, with ErrState.", model.MaxReal)),
		"Obs(x float64) Real", "return Real{x, true}")
	g.fn(doc("Value is the value; ok is false where none was observed."), "(r Real) Value() (x float64, ok bool)", "return r.value, r.observed")
	g.fn(doc("String is the value, or \"unset\"."), "(r Real) String() string", `
if !r.observed {
	return "unset"
}
return `+g.std("strconv.FormatFloat")+`(r.value, 'g', -1, 64)`)
	g.fn(doc("MarshalJSON gives the number, and null where none was observed."), "(r Real) MarshalJSON() ([]byte, error)", `
if !r.observed {
	return []byte("null"), nil
}
if `+g.std("math.IsNaN")+`(r.value) || `+g.std("math.IsInf")+`(r.value, 0) {
	return nil, &failure{"a real variable has the value " + r.String(), ErrState}
}
return `+g.std("strconv.AppendFloat")+`(nil, r.value, 'g', -1, 64), nil`)
	g.fn(doc("UnmarshalJSON reads a number; null leaves it unobserved."), "(r *Real) UnmarshalJSON(data []byte) error", `
if string(data) == "null" {
	*r = Real{}
	return nil
}
x, err := `+g.std("strconv.ParseFloat")+`(string(data), 64)
if err != nil {
	return &failure{"want the number of a real variable; got " + `+g.std("strconv.Quote")+`(string(data)), ErrState}
}
*r = Obs(x)
return nil`)
	g.out.Add(doc("Normal is the mean and the variance of the posterior of a real variable, which need be no normal distribution; the variance is 0 where",
		"the value was observed."))
	g.out.Type().Id(normalType).Struct(jen.Id("Mean").Float64().Tag(map[string]string{"json": "mean"}), jen.Id("Var").Float64().Tag(map[string]string{"json": "var"}))
	g.out.Line()
	g.fn(doc("badValue says that the value of a variable is out of range."), "badValue(variable int) error", fmt.Sprintf(`
return &failure{"variable " + `+g.std("strconv.Quote")+`(variables[variable].name) + ": want a number of a size of at most %g", ErrState}`, model.MaxReal))
}

// observeReal is the statements that enter the observation of real variable x.
func (g *generator) observeReal(l *loader, x *varID) string {
	b := &strings.Builder{}
	fmt.Fprintf(b, "if !("+g.std("math.Abs")+"(ev.%s.value) <= %g) {\n\treturn badValue(%d)\n}\n", x.id, model.MaxReal, x.index)
	for _, in := range l.inputs[x.v.ID] {
		fmt.Fprintf(b, "s[%d], s[%d] = 0, 0\nif ev.%s.observed {\n\ts[%d], s[%d] = 1, ev.%s.value\n}\n", in.Offset, in.Offset+1, x.id, in.Offset, in.Offset+1, x.id)
	}
	return b.String()
}
