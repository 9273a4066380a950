package libra

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/ir/model"
)

// writeXMOD writes a network in the XML of WinMine.
func writeXMOD(out *format.Sink, m *model.Model) error {
	switch {
	case m.Kind == model.Markov:
		return fmt.Errorf("an .xmod file cannot hold a %v; want a Bayesian or dependency network", m.Kind)
	case m.Kind == model.Dependency && m.Topological() != nil:
		return fmt.Errorf("an .xmod file without a cycle is a Bayesian network, and this is a %v; write .dn", m.Kind)
	}
	w := &xmodWriter{m: m, buf: out.Add(out.Name)}
	if err := w.names(); err != nil {
		return err
	}
	w.line(0, `<?xml version="1.0" standalone="yes"?>`)
	w.line(0, "<AnalysisNotebook>")
	w.line(1, "<Variables>")
	latent := false
	for _, v := range m.Vars {
		w.line(2, `<Variable name="%s" type="categorical">`, escape(v.Name))
		for i, s := range m.States(v.ID) {
			w.line(3, `<State index="%d" name="%s"/>`, i, escape(s))
		}
		w.line(2, "</Variable>")
		latent = latent || v.Latent
	}
	w.line(1, "</Variables>")
	w.line(1, `<Model name="%s">`, escape(m.Name))
	w.line(2, "<LocalModels>")
	for _, f := range m.Factors {
		if err := w.localModel(f); err != nil {
			return fmt.Errorf("%s: %w", m.FactorName(f), err)
		}
	}
	w.line(2, "</LocalModels>")
	w.line(1, "</Model>")
	w.line(0, "</AnalysisNotebook>")
	if latent {
		out.Warn("marks of latent variables: .xmod has none")
	}
	return nil
}

type xmodWriter struct {
	m     *model.Model
	buf   *bytes.Buffer
	nodes int // of the current tree so far
}

// line writes a line, indented by that many tabs.
func (w *xmodWriter) line(tabs int, format string, args ...any) {
	const most = 50 // deepest indentation
	w.buf.WriteString(strings.Repeat("\t", min(tabs, most)))
	fmt.Fprintf(w.buf, format, args...)
	w.buf.WriteByte('\n')
}

// escape returns a text as the value of an attribute.
func escape(s string) string {
	var b strings.Builder
	xml.EscapeText(&b, []byte(s)) // a strings.Builder never fails
	return b.String()
}

// names returns an error if XML cannot spell one of the names.
func (w *xmodWriter) names() error {
	for _, v := range w.m.Vars {
		for _, s := range append([]string{w.m.Name, v.Name}, w.m.States(v.ID)...) {
			if !spellable(s) {
				return fmt.Errorf("XML cannot hold the name %q: a control character", s)
			}
		}
	}
	return nil
}

func spellable(s string) bool {
	for _, r := range s {
		if r < ' ' && !strings.ContainsRune("\t\r\n", r) || r == 0xfffe || r == 0xffff {
			return false
		}
	}
	return true
}

func (w *xmodWriter) localModel(f *model.Factor) error {
	w.line(3, `<LocalModel variable="%s">`, escape(w.m.Vars[f.ChildVar()].Name))
	if len(f.Scope) > 1 {
		w.line(4, "<Inputs>")
		for _, v := range f.Parents() {
			w.line(5, `<Input variable="%s"/>`, escape(w.m.Vars[v].Name))
		}
		w.line(4, "</Inputs>")
	}
	var err error
	w.nodes = 0
	if d, ok := f.Dist.(*model.Tree); ok {
		w.line(4, "<DecisionTree>")
		err = w.tree(f, d, 0, 5)
		w.line(4, "</DecisionTree>")
	} else {
		err = w.table(f)
	}
	w.line(3, "</LocalModel>")
	return err
}

// table writes an entry for each joint state of the parents.
func (w *xmodWriter) table(f *model.Factor) error {
	values, err := w.m.Tabulate(f, maxTable)
	if err != nil {
		return err
	}
	inner := w.m.Inner(f) // the distance between states of the child
	w.line(4, "<Table>")
	parents := f.Parents()
	state := make([]int, len(w.m.Vars))
	row := make([]float64, w.m.Card(f.ChildVar()))
	for more := true; more; more = w.m.Next(parents, state) {
		at := w.m.Index(f.Scope, state) // with the child in its first state
		states := make([]string, len(parents))
		for i, v := range parents {
			states[i] = strconv.Itoa(state[v])
		}
		for i := range row {
			row[i] = values[at+i*inner]
		}
		w.line(5, "<TableEntry>")
		w.line(6, "<InputStates>%s</InputStates>", strings.Join(states, " "))
		w.multinomial(6, row)
		w.line(5, "</TableEntry>")
	}
	w.line(4, "</Table>")
	return nil
}

func (w *xmodWriter) multinomial(tabs int, row []float64) {
	probs := make([]string, len(row))
	for i, p := range row {
		probs[i] = strconv.FormatFloat(p, 'g', -1, 64)
	}
	w.line(tabs, "<Multinomial>")
	w.line(tabs+1, "<Probs>%s</Probs>", strings.Join(probs, " "))
	w.line(tabs, "</Multinomial>")
}

// tree writes node i and all nodes below it.
func (w *xmodWriter) tree(f *model.Factor, d *model.Tree, i int32, tabs int) error {
	w.nodes++
	if tabs > maxDepth-10 || w.nodes > maxTable {
		return fmt.Errorf("the tree would have more than %d levels or %d nodes", maxDepth/2, maxTable)
	}
	n := &d.Nodes[i]
	if n.Leaf != nil {
		w.line(tabs, "<Leaf>")
		w.multinomial(tabs+1, n.Leaf)
		w.line(tabs, "</Leaf>")
		return nil
	}
	w.line(tabs, `<Vertex split="%s">`, escape(w.m.Vars[f.Scope[n.Axis]].Name))
	for _, target := range targets(n.Next) {
		var states []string
		for s, to := range n.Next {
			if to == target {
				states = append(states, strconv.Itoa(s))
			}
		}
		w.line(tabs+1, "<Branch>")
		w.line(tabs+2, "<Values>%s</Values>", strings.Join(states, " "))
		if err := w.tree(f, d, target, tabs+2); err != nil {
			return err
		}
		w.line(tabs+1, "</Branch>")
	}
	w.line(tabs, "</Vertex>")
	return nil
}

// targets returns the nodes after a test, each once, in order. If there are two, the one for a
// single state comes first, as in Libra.
func targets(next []int32) []int32 {
	all := slices.Sorted(slices.Values(next))
	all = slices.Compact(all)
	if len(all) == 2 && count(next, all[1]) == 1 && count(next, all[0]) > 1 {
		slices.Reverse(all)
	}
	return all
}

func count(next []int32, target int32) int {
	n := 0
	for _, to := range next {
		if to == target {
			n++
		}
	}
	return n
}
