package dne

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/cpt"
	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/text"
	"github.com/pgmc-go/pgmc/ir/model"
)

func write(out *format.Sink, m *model.Model) error {
	if m.Kind != model.Bayes {
		return fmt.Errorf("DNET cannot hold a %v; want a Bayesian network", m.Kind)
	}
	w := &writer{m: m, buf: out.Add(out.Name), order: m.Topological(), cpds: make([]int, len(m.Vars))}
	w.identifiers()
	fmt.Fprintf(w.buf, "// ~->[DNET-1]->~\nbnet %s {\n", identifier(m.Name))
	if w.titled {
		fmt.Fprintf(w.buf, "title = %s;\ncomment = %s;\n", quote(m.Name), quote(titled))
	}
	for _, v := range w.order {
		if err := w.node(m.Vars[v]); err != nil {
			return err
		}
	}
	w.buf.WriteString("};\n")
	return nil
}

// titled is the comment of a network whose titles are the true names of variables and states. Nodes
// may have a comment in this form there: the indices of the variable and of its CPD in the model,
// and the word latent or observable.
const (
	titled  = "Titles are the names in pgmc."
	indices = "%d %d %s"
	latent  = "latent"
)

// writer writes a network. Names are identifiers of Netica, by VarID and state; the states of an
// interval have none.
type writer struct {
	m      *model.Model
	buf    *bytes.Buffer
	titled bool // a name is no identifier, a variable is latent, or the order is another
	order  []model.VarID
	cpds   []int // the index of each variable's CPD in the model
	ids    []string
	states [][]string
	cuts   [][]float64 // the inner bounds of the states that are intervals
}

// identifiers makes the names of the file and compares its order with that of the model.
func (w *writer) identifiers() {
	for i, f := range w.m.Factors {
		w.cpds[f.ChildVar()] = i
	}
	for i, v := range w.order {
		w.titled = w.titled || int(v) != i || w.cpds[v] != i
	}
	names := make([]string, len(w.m.Vars))
	for i, v := range w.m.Vars {
		names[i] = v.Name
	}
	w.ids = text.Identifiers(names, identifier)
	w.titled = w.titled || identifier(w.m.Name) != w.m.Name
	for i, v := range w.m.Vars {
		states := w.m.States(v.ID)
		cuts, is := model.IntervalCuts(states)
		if !is || !slices.Equal(states, model.IntervalNames(cuts)) {
			w.states, w.cuts = append(w.states, text.Identifiers(states, identifier)), append(w.cuts, nil)
		} else {
			w.states, w.cuts = append(w.states, nil), append(w.cuts, cuts)
		}
		w.titled = w.titled || v.Latent || w.ids[i] != v.Name || w.states[i] != nil && !slices.Equal(w.states[i], states)
	}
}

// The length of the longest name in Netica, and of one to which a number may be added.
const (
	maxName  = 30
	maxClean = 22
)

// identifier returns a name in Netica that is close to name, and name if it is one.
func identifier(name string) string {
	id := []byte(name)
	for i, c := range id {
		if !isLetter(c) && !('0' <= c && c <= '9') && c != '_' {
			id[i] = '_'
		}
	}
	if len(id) == 0 || !isLetter(id[0]) {
		id = append([]byte("v"), id...)
	}
	if len(id) > maxName || string(id) != name {
		id = id[:min(len(id), maxClean)]
	}
	return string(id)
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// escaper escapes what ends a string, and unescaper undoes it. A line may end with a backslash.
var (
	escaper   = strings.NewReplacer(`"`, `\"`, `\`, `\\`, "\n", `\n`)
	unescaper = strings.NewReplacer(`\"`, `"`, `\\`, `\`, `\n`, "\n", "\\\n", "")
)

func unescape(s string) string { return strings.Clone(unescaper.Replace(s)) }

func quote(s string) string { return `"` + escaper.Replace(s) + `"` }

// node writes a variable and its CPD.
func (w *writer) node(v *model.Var) error {
	f := w.m.Factors[w.cpds[v.ID]]
	d, isFunction := f.Dist.(*model.Deterministic)
	chance := "CHANCE"
	if isFunction {
		chance = "DETERMIN"
	}
	fmt.Fprintf(w.buf, "node %s {\n\tkind = NATURE;\n", w.ids[v.ID])
	w.domain(v)
	fmt.Fprintf(w.buf, "\tchance = %s;\n\tparents = (", chance)
	parents := f.Parents()
	for i, parent := range parents {
		if i > 0 {
			w.buf.WriteString(", ")
		}
		w.buf.WriteString(w.ids[parent])
	}
	w.buf.WriteString(");\n")
	if w.ids[v.ID] != v.Name {
		fmt.Fprintf(w.buf, "\ttitle = %s;\n", quote(v.Name))
	}
	if w.titled {
		seen := "observable"
		if v.Latent {
			seen = latent
		}
		fmt.Fprintf(w.buf, "\tcomment = \""+indices+"\";\n", v.ID, w.cpds[v.ID], seen)
	}
	if isFunction {
		w.functable(v, parents, d)
		return nil
	}
	return w.probs(f, parents)
}

// domain writes the states of a variable.
func (w *writer) domain(v *model.Var) {
	if ids := w.states[v.ID]; ids != nil {
		fmt.Fprintf(w.buf, "\tdiscrete = TRUE;\n\tstates = (%s);\n", strings.Join(ids, ", "))
		var titles []string
		for _, s := range w.m.States(v.ID) {
			titles = append(titles, quote(s))
		}
		if !slices.Equal(ids, w.m.States(v.ID)) {
			fmt.Fprintf(w.buf, "\tstatetitles = (%s);\n", strings.Join(titles, ", "))
		}
		return
	}
	w.buf.WriteString("\tdiscrete = FALSE;\n\tlevels = (-INFINITY")
	for _, x := range w.cuts[v.ID] {
		w.buf.WriteString(", ")
		w.number(x)
	}
	w.buf.WriteString(", INFINITY);\n")
}

func (w *writer) number(x float64) {
	w.buf.Write(strconv.AppendFloat(w.buf.AvailableBuffer(), x, 'g', -1, 64))
}

// functable writes a deterministic CPD. The states of its scope's other variables are in order.
func (w *writer) functable(v *model.Var, parents []model.VarID, d *model.Deterministic) {
	w.buf.WriteString("\tfunctable = ")
	w.nested(parents, len(d.States), func(row int) {
		if ids := w.states[v.ID]; ids != nil {
			w.buf.WriteString(ids[d.States[row]])
		} else {
			fmt.Fprintf(w.buf, "#%d", d.States[row])
		}
	})
}

// probs writes a CPD as a table, in the fewest digits that read back as the same numbers.
func (w *writer) probs(f *model.Factor, parents []model.VarID) error {
	values, err := cpt.Values(w.m, f)
	if err != nil {
		return err
	}
	card := w.m.Card(f.ChildVar())
	w.buf.WriteString("\tprobs = ")
	w.nested(parents, len(values)/card, func(row int) {
		for i, x := range values[row*card:][:card] {
			w.buf.WriteString([]string{"(", ", "}[min(i, 1)])
			w.number(x)
		}
		w.buf.WriteString(")")
	})
	return nil
}

// nested writes one entry for each joint state of the parents, in as many lists as there are
// parents, and the end of the node.
func (w *writer) nested(parents []model.VarID, rows int, write func(row int)) {
	for row := range rows {
		if row > 0 {
			w.buf.WriteString(", ")
		}
		for i, rest := len(parents)-1, row; i >= 0 && rest%w.m.Card(parents[i]) == 0; i-- {
			rest /= w.m.Card(parents[i])
			w.buf.WriteByte('(')
		}
		write(row)
		for i, rest := len(parents)-1, row; i >= 0 && rest%w.m.Card(parents[i]) == w.m.Card(parents[i])-1; i-- {
			rest /= w.m.Card(parents[i])
			w.buf.WriteByte(')')
		}
	}
	w.buf.WriteString(";\n\t};\n")
}
