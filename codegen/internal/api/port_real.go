package api

import (
	"fmt"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/pgmc-go/pgmc/codegen/internal/source"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// realType is the type of the value of a real variable, and NormalType the type of its posterior.
const (
	realType   = "Real"
	NormalType = "Normal"
)

// realDomain is the row for real variables.
var realDomain = Domain{
	takes:    func(d model.Domain) bool { _, ok := d.(model.Real); return ok },
	port:     func(_ *namer, _ *Identifiers, x *Variable) Port { return RealPort{x} },
	Reserved: []string{"Obs", NormalType, realType},
	Types:    (*API).realTypes,
	Among:    "real",
	Doc:      "For a real variable, Obs makes the observation, and the answer is a mean and a variance.",
}

// RealPort is the port of a real variable.
type RealPort struct{ X *Variable }

// Field implements [Port].
func (RealPort) Field() string { return realType }

// Soft returns the type of a measurement, if the package takes them.
func (p RealPort) Soft() string {
	if p.X.Measured {
		return NormalType
	}
	return ""
}

// Answer implements [Port].
func (RealPort) Answer() string { return NormalType }

// States implements [Port].
func (RealPort) States() int { return 0 }

// Enum implements [Port].
func (RealPort) Enum() int { return -1 }

// Set implements [Port].
func (p RealPort) Set(field, text string) string {
	return fmt.Sprintf("return %s.set(%d, %s)", field, p.X.Index, text)
}

// Value implements [Port].
func (RealPort) Value(field string) string {
	return fmt.Sprintf("if %[1]s.observed {\n\treturn %[1]s.String()\n}", field)
}

// None implements [Port].
func (RealPort) None() string { return realType + "{}" }

// Observed implements [Port].
func (RealPort) Observed(field string) string { return field + ".observed" }

// Numbers implements [Port].
func (RealPort) Numbers(field string) string {
	return fmt.Sprintf("[]float64{%[1]s.Mean, %[1]s.Var}", field)
}

// Example implements [Port].
func (RealPort) Example() Example {
	return Example{Text: "1.5", Value: "Obs(1.5)", Read: ".Mean"}
}

// Drawn implements [Port].
func (p RealPort) Drawn(field, cloud string, k int) string {
	if d, _ := p.X.Var.Domain.(model.Real); d.Period != 0 {
		return fmt.Sprintf("%[1]s.Mean, %[1]s.Var = %[2]s.Circular(%[3]d, %[4]v)\n", field, cloud, k, d.Period)
	}
	return fmt.Sprintf("%[1]s.Mean, %[1]s.Var = %[2]s.Moments(%[3]d)\n", field, cloud, k)
}

// Column implements [Port].
func (RealPort) Column() string { return "[]float64" }

// FromColumn implements [Port].
func (RealPort) FromColumn(field, column string) string {
	return fmt.Sprintf("if %[1]s != nil && %[1]s[r] == %[1]s[r] { // not NaN\n\t%[2]s = Obs(%[1]s[r])\n}\n", column, field)
}

func (RealPort) named(*namer, string) {}

// Posterior implements [Port].
func (RealPort) Posterior(memory string, s *ir.Span) string {
	return fmt.Sprintf("%[1]s{%[2]s[%[3]d], %[2]s[%[4]d]}", NormalType, memory, s.Offset, s.Offset+1)
}

// ObserveLane sets the two slots of the evidence as observe sets an input.
func (p RealPort) ObserveLane(g *API, slot int) string {
	text := p.Check(g)
	if slot >= 0 {
		seen, value := slot*pgmrt.Lanes, (slot+1)*pgmrt.Lanes
		text += fmt.Sprintf("l[%d+lane], l[%d+lane] = 0, 0\nif ev.%s.observed {\n\tl[%d+lane], l[%d+lane] = 1, ev.%s.value\n}\n", seen, value, p.X.ID, seen, value, p.X.ID)
	}
	return text
}

// Check implements [Port].
func (p RealPort) Check(g *API) string {
	return fmt.Sprintf("if !("+g.Std("math.Abs")+"(ev.%s.value) <= %g) {\n\treturn "+g.RT("BadValue")+"(&names, %d)\n}\n", p.X.ID, model.MaxReal, p.X.Index)
}

// CheckSoft implements [Port].
func (p RealPort) CheckSoft(g *API) string {
	return fmt.Sprintf("if soft.%[1]s != (%[2]s{}) {\n\tvar in [%[3]d]float64\n\tif _, ok := "+g.RT("Measure")+"(in[:], soft.%[1]s.Mean, soft.%[1]s.Var); !ok {\n\t\treturn "+g.RT("BadMeasurement")+"(&names, %[4]d)\n\t}\n}\n",
		p.X.ID, NormalType, model.MeasuredWidth, p.X.Index)
}

// Observe sets an input to 0 and 0 if there is no value, and to 1 and the value otherwise. See
// [model.MeasuredWidth] for inputs that take measurements.
func (p RealPort) Observe(g *API, inputs []*ir.Span) string {
	b, x := &strings.Builder{}, p.X
	b.WriteString(p.Check(g))
	for _, in := range inputs {
		if in.Len == model.MeasuredWidth {
			fmt.Fprintf(b, "clear(%[1]s)\nif ev.%[2]s.observed {\n\ts[%[3]d], s[%[4]d], s[%[5]d] = 1, ev.%[2]s.value, 1\n}\n",
				Slice("s", in), x.ID, in.Offset, in.Offset+1, in.Offset+3)
			continue
		}
		fmt.Fprintf(b, "s[%d], s[%d] = 0, 0\nif ev.%s.observed {\n\ts[%d], s[%d] = 1, ev.%s.value\n}\n", in.Offset, in.Offset+1, x.ID, in.Offset, in.Offset+1, x.ID)
	}
	return b.String()
}

// Likelihood enters a measurement.
func (p RealPort) Likelihood(g *API, inputs []*ir.Span) string {
	if !p.X.Measured {
		return ""
	}
	b, id := &strings.Builder{}, p.X.ID
	into := []string{fmt.Sprintf("make([]float64, %d)", model.MeasuredWidth)}
	for i, in := range inputs {
		into = append(into[:i], Slice("s", in))
	}
	fmt.Fprintf(b, "if soft.%s != (%s{}) {\n", id, NormalType)
	for i, in := range into {
		if i == 0 {
			fmt.Fprintf(b, "log, ok := "+g.RT("Measure")+"(%[1]s, soft.%[2]s.Mean, soft.%[2]s.Var)\nif !ok {\n\treturn 0, "+g.RT("BadMeasurement")+"(&names, %[3]d)\n}\nscale += log\n", in, id, p.X.Index)
		} else {
			fmt.Fprintf(b, g.RT("Measure")+"(%[1]s, soft.%[2]s.Mean, soft.%[2]s.Var)\n", in, id)
		}
	}
	return b.String() + "}\n"
}

// Argument enters a number as observe does.
func (p RealPort) Argument(g *API, inputs []*ir.Span, fail string) (kind, check, enter string) {
	x, b := p.X, &strings.Builder{}
	for _, in := range inputs {
		fmt.Fprintf(b, "s[%d], s[%d] = 1, %s\n", in.Offset, in.Offset+1, x.Param)
		if in.Len == model.MeasuredWidth {
			fmt.Fprintf(b, "s[%d], s[%d] = 0, 1\n", in.Offset+2, in.Offset+3)
		}
	}
	return "float64", fmt.Sprintf("if !("+g.Std("math.Abs")+"(%s) <= %g) {\n\treturn %s, %s(&names, %d)\n}\n", x.Param, model.MaxReal, fail, g.RT("BadValue"), x.Index), b.String()
}

// Estimate refuses an observed value, since a joint state consists of states only.
func (p RealPort) Estimate(g *API, _ string) string {
	return fmt.Sprintf("if of.%[1]s.observed && of.%[1]s != known.%[1]s {\n"+
		"\treturn 0, SampleReport{}, names.Refuse(%[2]d, \" is real-valued; want variables with states\")\n}\n",
		p.X.ID, p.X.Index)
}

// realTypes declares the types of real variables.
func (g *API) realTypes() {
	g.Out.Add(source.Doc("Real is the value of a real variable. Obs makes one; the zero value means not observed."))
	g.Out.Type().Id(realType).Struct(jen.Id("value").Float64(), jen.Id("observed").Bool())
	g.Out.Line()
	g.Func(source.Doc(fmt.Sprintf("Obs returns the observation of the value x. Queries refuse NaN, and a value outside ±%g, with ErrState.", model.MaxReal)),
		"Obs(x float64) Real", "return Real{x, true}")
	g.Func(source.Doc("Value returns the value; ok is false if none was observed."), "(r Real) Value() (x float64, ok bool)", "return r.value, r.observed")
	g.Func(source.Doc("String returns the value as a decimal number, or \"unset\" if none was observed."), "(r Real) String() string",
		"return "+g.RT("RealString")+"(r.value, r.observed)")
	g.Func(source.Doc("become sets r to a value that was read, unless err is not nil, which it returns."), "(r *Real) become(x float64, observed bool, err error) error",
		"if err == nil {\n\t*r = Real{x, observed}\n}\nreturn err")
	g.Func(source.Doc("set sets r to the number of a text, and to nothing if the text is empty."), "(r *Real) set(variable int, text string) error",
		"return r.become("+g.RT("ParseReal")+"(&names, variable, text))")
	g.Func(source.Doc("MarshalJSON returns the value as a JSON number, or null if none was observed."), "(r Real) MarshalJSON() ([]byte, error)",
		"return "+g.RT("MarshalReal")+"(&names, r.value, r.observed)")
	g.Func(source.Doc("UnmarshalJSON reads a number. The text null means not observed."), "(r *Real) UnmarshalJSON(data []byte) error",
		"return r.become("+g.RT("UnmarshalReal")+"(&names, data))")
	g.Out.Add(source.Doc("Normal holds the mean and the variance of the posterior of a real variable.",
		"The posterior is that normal distribution if the model has linear Gaussian CPDs and no discrete variables; in general it is",
		"another one. The variance is 0 if the value was observed."))
	g.Out.Type().Id(NormalType).Struct(jen.Id("Mean").Float64().Tag(map[string]string{"json": "mean"}), jen.Id("Var").Float64().Tag(map[string]string{"json": "var"}))
	g.Out.Line()
	g.normalMethods()
}

// normalMethods declares the methods of the type of posteriors.
func (g *API) normalMethods() {
	g.Func(source.Doc("SD returns the standard deviation."), "(n Normal) SD() float64", "return "+g.Std("math.Sqrt")+"(n.Var)")
	for _, f := range []struct{ name, arg, comment string }{
		{"PDF", "x", "returns the density at x of the normal distribution with mean n.Mean and variance n.Var."},
		{"CDF", "x", "returns the probability of a value of at most x under the normal distribution with mean n.Mean and variance n.Var."},
		{"Quantile", "p", "returns the value whose CDF is p. It is -Inf for 0, +Inf for 1, and NaN if p is not a probability."},
	} {
		g.Func(source.Doc(f.name+" "+f.comment), fmt.Sprintf("(n Normal) %s(%s float64) float64", f.name, f.arg),
			fmt.Sprintf("return %s(%s, n.Mean, n.Var)", g.RT("Normal"+f.name), f.arg))
	}
}
