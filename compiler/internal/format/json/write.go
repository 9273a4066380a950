package json

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strconv"

	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/numbers"
	"github.com/pgmc-go/pgmc/ir/model"
)

func write(out *format.Sink, m *model.Model) error {
	w := &writer{m: m, size: len(m.Vars), Buffer: out.Add(out.Name)}
	n, _ := since(m)
	fmt.Fprintf(w, "{\n  \"pgmc\": %d,\n  \"kind\": \"%s\",\n", n, kinds[m.Kind])
	if m.Name != "" {
		w.WriteString("  \"name\": ")
		w.string(m.Name)
		w.WriteString(",\n")
	}
	if m.Description != "" {
		w.WriteString("  \"description\": ")
		w.string(m.Description)
		w.WriteString(",\n")
	}
	w.WriteString("  \"variables\": ")
	w.block("  ", len(m.Vars), func(i int) { w.variable(m.Vars[i]) })
	w.maps(m.Maps())
	w.WriteString(",\n  \"factors\": ")
	w.block("  ", len(m.Factors), func(i int) { w.factor(m.Factors[i]) })
	if len(m.Tied) > 0 {
		w.tied()
	}
	if m.Diagram != nil {
		w.writeDiagram()
	}
	if m.Transition != nil {
		w.writeNext()
	}
	w.WriteString("\n}\n")
	return w.err
}

type writer struct {
	*bytes.Buffer
	m      *model.Model
	size   int           // the number of variables of a slice
	before []model.VarID // in a transition: the variables of the slice before
	err    error         // the first distribution that JSON cannot hold
}

// string writes s as JSON and leaves < and > unescaped.
func (w *writer) string(s string) {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.Encode(s)           // fails only if the buffer does, which never happens
	w.Truncate(w.Len() - 1) // remove the line end
}

// variableName writes the name of a variable, or ["x", 1] for x a slice ago.
func (w *writer) variableName(v model.VarID) {
	if i := int(v) - w.size; i >= 0 {
		w.WriteByte('[')
		w.string(w.m.Vars[w.before[i]].Name)
		w.WriteString(", 1]")
		return
	}
	w.string(w.m.Vars[v].Name)
}

// float writes a number. JSON has no NaN, for which it writes null.
func (w *writer) float(x float64) {
	if math.IsNaN(x) {
		w.WriteString("null")
		return
	}
	numbers.Float(w.Buffer, x)
}

// block writes a list of n values, each on its own line; indent is that of the line on which it
// starts.
func (w *writer) block(indent string, n int, each func(i int)) {
	w.WriteByte('[')
	for i := range n {
		if i > 0 {
			w.WriteByte(',')
		}
		w.WriteString("\n" + indent + "  ")
		each(i)
	}
	if n > 0 {
		w.WriteString("\n" + indent)
	}
	w.WriteByte(']')
}

// line writes a list of n values on one line.
func (w *writer) line(n int, each func(i int)) {
	w.WriteByte('[')
	w.items(n, each)
	w.WriteByte(']')
}

// items writes n values separated by commas.
func (w *writer) items(n int, each func(i int)) {
	for i := range n {
		if i > 0 {
			w.WriteString(", ")
		}
		each(i)
	}
}

func (w *writer) variable(v *model.Var) {
	w.WriteString(`{"name": `)
	w.string(v.Name)
	if v.Description != "" {
		w.WriteString(`, "description": `)
		w.string(v.Description)
	}
	if w.m.IsReal(v.ID) {
		w.WriteString(`, "real": true`)
		if period := w.m.Period(v.ID); period != 0 {
			w.WriteString(`, "period": `)
			w.float(period)
		}
	} else {
		w.WriteString(`, "states": `)
		states := w.m.States(v.ID)
		w.line(len(states), func(i int) { w.string(states[i]) })
	}
	if v.Latent {
		w.WriteString(`, "latent": true`)
	}
	if v.Given {
		w.WriteString(`, "given": true`)
	}
	w.WriteByte('}')
}

const (
	inFactor   = "      " // before the fields of a factor
	inNoisyMax = "        "
)

func (w *writer) factor(f *model.Factor) {
	w.WriteString("{\n" + inFactor + `"scope": `)
	w.line(len(f.Scope), func(i int) { w.variableName(f.Scope[i]) })
	if f.Child >= 0 {
		w.WriteString(",\n" + inFactor + `"child": `)
		w.variableName(f.ChildVar())
	}
	w.WriteString(",\n" + inFactor)
	w.dist(f)
	if f.Counts != nil {
		n := w.lastCard(f.Scope)
		if _, ok := f.Dist.(model.Partitioned); ok {
			n = w.m.Card(f.ChildVar())
		}
		if d := f.Gaussian(); d != nil {
			n = d.Statistics() / len(d.Mean)
		}
		w.WriteString(",\n" + inFactor + `"counts": `)
		w.rows(inFactor, f.Counts, n)
	}
	w.WriteString("\n    }")
}

// dist writes the distribution of f as a field with the name of its kind.
func (w *writer) dist(f *model.Factor) {
	name := f.Dist.Kind()
	fmt.Fprintf(w, "%q: ", name)
	kindOf(name).write(w, f)
}

func (w *writer) table(f *model.Factor, d *model.Table) {
	w.rows(inFactor, d.Values, w.lastCard(f.Scope))
}

func (w *writer) deterministic(f *model.Factor, d *model.Deterministic) {
	n := w.lastCard(f.Parents())
	states := w.m.States(f.ChildVar())
	w.block(inFactor, len(d.States)/n, func(i int) {
		w.items(n, func(j int) { w.string(states[d.States[i*n+j]]) })
	})
}

func (w *writer) tree(f *model.Factor, d *model.Tree) {
	w.block(inFactor, len(d.Nodes), func(i int) { w.treeNode(f, &d.Nodes[i]) })
}

func (w *writer) features(f *model.Factor, d *model.Features) {
	w.block(inFactor, len(d.List), func(i int) { w.feature(f, &d.List[i]) })
}

func (w *writer) circuit(f *model.Factor, d *model.Circuit) {
	w.block(inFactor, len(d.Nodes), func(i int) { w.circuitNode(f, &d.Nodes[i]) })
}

// lastCard returns the number of states of the last variable of scope, or 1 if scope is empty.
func (w *writer) lastCard(scope []model.VarID) int {
	if len(scope) == 0 {
		return 1
	}
	return w.m.Card(scope[len(scope)-1])
}

// rows writes a list of numbers, n on each line.
func (w *writer) rows(indent string, values []float64, n int) {
	w.block(indent, len(values)/n, func(i int) {
		w.items(n, func(j int) { w.float(values[i*n+j]) })
	})
}

func (w *writer) noisyMax(f *model.Factor, d *model.NoisyMax) {
	w.WriteString("{\n" + inNoisyMax + `"leak": `)
	w.line(len(d.Leak), func(i int) { w.float(d.Leak[i]) })
	w.WriteString(",\n" + inNoisyMax + `"causes": `)
	w.block(inNoisyMax, len(d.Cause), func(i int) { w.rows(inNoisyMax+"  ", d.Cause[i], len(d.Leak)) })
	w.WriteString("\n" + inFactor + "}")
}

// ldfm writes the weights of an LDFM, and its stop weights if it has some, by variable and state.
func (w *writer) ldfm(f *model.Factor, d *model.LDFM) {
	n := w.m.ForestOffsets()[len(f.Scope)]
	w.WriteString("{\n" + inNoisyMax + `"weights": `)
	w.rows(inNoisyMax, d.Weights, n)
	if d.Stop != nil {
		w.WriteString(",\n" + inNoisyMax + `"stop": `)
		w.line(len(d.Stop), func(i int) { w.float(d.Stop[i]) })
	}
	if d.Normals != nil {
		var list []float64
		for _, x := range d.Normals {
			list = append(list, x.Mean, x.Slope, x.Var)
		}
		w.WriteString(",\n" + inNoisyMax + `"normals": `)
		w.rows(inNoisyMax, list, len(list)/(1+n))
	}
	w.WriteString("\n" + inFactor + "}")
}

func (w *writer) treeNode(f *model.Factor, n *model.TreeNode) {
	if n.Leaf != nil {
		w.WriteString(`{"leaf": `)
		w.line(len(n.Leaf), func(i int) { w.float(n.Leaf[i]) })
	} else {
		w.WriteString(`{"test": `)
		w.variableName(f.Scope[n.Axis])
		w.WriteString(`, "next": `)
		w.nodes(n.Next)
	}
	w.WriteByte('}')
}

// nodes writes the indices of nodes.
func (w *writer) nodes(nodes []int32) {
	w.line(len(nodes), func(i int) { w.WriteString(strconv.Itoa(int(nodes[i]))) })
}

func (w *writer) feature(f *model.Factor, x *model.Feature) {
	w.WriteString(`{"weight": `)
	w.weight(x.Weight)
	if len(x.Literals) > 0 {
		w.WriteString(`, "if": `)
		w.line(len(x.Literals), func(i int) {
			l := x.Literals[i]
			w.literal(f.Scope[l.Axis], l.State, l.Not)
		})
	}
	w.WriteByte('}')
}

// weight writes a number or minus infinity.
func (w *writer) weight(x float64) {
	if math.IsInf(x, -1) {
		w.string(minusInf)
	} else {
		w.float(x)
	}
}

// literal writes that v has a state or, with not, another one.
func (w *writer) literal(v model.VarID, state int32, not bool) {
	w.WriteString(`{"var": `)
	w.variableName(v)
	if not {
		w.WriteString(`, "not": `)
	} else {
		w.WriteString(`, "is": `)
	}
	w.string(w.m.States(v)[state])
	w.WriteByte('}')
}

func (w *writer) circuitNode(f *model.Factor, n *model.CircuitNode) {
	switch n.Op {
	case model.CircuitIndicator:
		w.literal(f.Scope[n.Axis], n.State, false)
		return
	case model.CircuitNumber:
		w.WriteString(`{"number": `)
		w.float(n.Value)
	case model.CircuitSum:
		w.WriteString(`{"sum": `)
		w.nodes(n.Args)
	case model.CircuitProduct:
		w.WriteString(`{"product": `)
		w.nodes(n.Args)
	}
	w.WriteByte('}')
}
