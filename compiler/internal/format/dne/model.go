package dne

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/cpt"
	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/text"
	"github.com/pgmc-go/pgmc/ir/model"
)

// model adds the variables of all nodes and then their CPDs.
func (p *parser) model() {
	file := cpt.File{Model: p.m, Names: map[string]model.VarID{}, Pos: p.Pos, ReadOptions: p.opt, List: &p.List}
	for _, n := range p.sorted(func(n *node) int { return n.index }) {
		if n.kind == constant || n.kind == utility {
			continue
		}
		v := p.m.NewVar(n.Child.Text, p.stateNames(n)...)
		v.Pos, v.Given = n.Pos, n.kind == decision
		file.Names[v.Name] = v.ID
		if p.comment == titled {
			p.rename(n, v)
		}
	}
	if p.comment == titled {
		p.m.Name = p.title
	}
	if p.HasErrors() {
		return // the tables would only repeat that states are missing
	}
	for _, n := range p.sorted(func(n *node) int { return n.cpd }) {
		switch {
		case n.kind == constant || p.constants(n):
		case n.kind == decision:
			file.Decision(&n.Table)
		case n.kind == utility:
			p.utility(&file, n)
		default:
			if f, ok := p.factor(&file, n); ok {
				p.m.Factors = append(p.m.Factors, f)
			}
		}
	}
}

// sorted returns the nodes of a file that pgmc wrote in the order of a key, and those of others in
// the order of the file.
func (p *parser) sorted(key func(*node) int) []*node {
	nodes := slices.Clone(p.nodes)
	if p.comment == titled {
		for _, n := range nodes {
			var seen string
			fmt.Sscanf(n.comment, indices, &n.index, &n.cpd, &seen) // without them, it stays in its place
		}
		slices.SortStableFunc(nodes, func(a, b *node) int { return key(a) - key(b) })
	}
	return nodes
}

// rename gives a variable of a file that pgmc wrote its true names, and says whether it is latent.
func (p *parser) rename(n *node, v *model.Var) {
	v.Latent = strings.HasSuffix(n.comment, latent)
	if n.title != "" {
		v.Name = n.title
	}
	if len(n.titles) > 0 && len(n.titles) == p.m.Card(v.ID) {
		v.Domain = model.Discrete{States: n.titles}
	}
}

// stateNames returns the names of the states of a node, or nil after an error.
func (p *parser) stateNames(n *node) []string {
	name := text.Quote(n.Child.Text)
	switch bounds := len(n.levels) - 1; {
	case n.interval && n.levels == nil:
		p.Errorf(n.Pos, "node %s is continuous and has no levels; want the bounds of intervals: set them in Netica, under Discretization", name)
		return nil
	case n.interval && (bounds < 1 || n.states != nil && bounds != len(n.states)):
		p.Errorf(n.Pos, "node %s has %d levels; want the bounds of its intervals, one more than states", name, len(n.levels))
		return nil
	case !n.interval && n.levels != nil && n.states != nil && len(n.levels) != len(n.states):
		p.Errorf(n.Pos, "node %s has %d levels and %d states; want one level for each state", name, len(n.levels), len(n.states))
		return nil
	case n.states != nil:
		return n.states
	case n.interval:
		return n.intervals()
	case n.titles != nil && (n.levels == nil || len(n.titles) == len(n.levels)):
		return n.titles
	case n.levels != nil:
		return labels(n.levels)
	case n.numbered > 0:
		names := make([]string, n.numbered)
		for i := range names {
			names[i] = "#" + strconv.Itoa(i)
		}
		return names
	}
	p.Errorf(n.Pos, "node %s has no states; want states, levels or numstates", name)
	return nil
}

// intervals returns names of intervals that pgmc knows if the bounds ascend, and labels otherwise.
func (n *node) intervals() []string {
	inner := n.levels[1 : len(n.levels)-1]
	if slices.IsSorted(n.levels) {
		if names := model.IntervalNames(inner); len(inner) == 0 || distinct(inner) {
			return names
		}
	}
	bounds := labels(n.levels)
	names := make([]string, len(bounds)-1)
	for i := range names {
		names[i] = bounds[i] + " to " + bounds[i+1]
	}
	return names
}

// distinct reports whether sorted finite numbers differ.
func distinct(xs []float64) bool {
	for i, x := range xs {
		if math.IsInf(x, 0) || i > 0 && x == xs[i-1] {
			return false
		}
	}
	return true
}

// labels returns numbers as names.
func labels(xs []float64) []string {
	names := make([]string, len(xs))
	for i, x := range xs {
		names[i] = strconv.FormatFloat(x, 'g', -1, 64)
	}
	return names
}

// constants reports parents that are constants.
func (p *parser) constants(n *node) (found bool) {
	for _, parent := range n.Parents {
		if first := p.first[parent.Text]; first != nil && first.kind == constant {
			p.Errorf(parent.Pos, "parent %s of %s is a CONSTANT; want a node of the kind NATURE", text.Quote(parent.Text), text.Quote(n.Child.Text))
			found = true
		}
	}
	return found
}

// factor returns the CPD of a node: its probs or, without them, its functable.
func (p *parser) factor(file *cpt.File, n *node) (f *model.Factor, ok bool) {
	name := text.Quote(n.Child.Text)
	switch {
	case slices.Contains(n.given, "probs"):
		if n.odd != 0 && len(n.marks) == 0 {
			p.Errorf(n.oddPos, "found a row of %d numbers; the first has %d", n.odd, n.row)
			return nil, false
		}
		if !p.expand(file, n) {
			return nil, false
		}
		return file.Factor(&n.Table)
	case slices.Contains(n.given, "functable"):
		return p.deterministic(file, n)
	case n.equation:
		p.Errorf(n.Pos, "node %s has an equation and no probs; want a table: use Equation to Table in Netica, and save", name)
	default:
		p.Errorf(n.Pos, "node %s has no probs; want its table", name)
	}
	return nil, false
}

// utility adds a utility: the numbers of its functable.
func (p *parser) utility(file *cpt.File, n *node) {
	if !slices.Contains(n.given, "functable") {
		p.Errorf(n.Pos, "utility %s has no functable; want its table: use Equation to Table in Netica, and save", text.Quote(n.Child.Text))
		return
	}
	for _, m := range n.function {
		x, err := text.Number(m.Text)
		if err != nil {
			p.Errorf(p.Pos(m.Off), "found %v; want %v", m.Token, err)
			return
		}
		n.Values = append(n.Values, x)
	}
	file.Utility(&n.Table)
}

// expand puts the numbers that marks stand for into probs.
func (p *parser) expand(file *cpt.File, n *node) bool {
	if len(n.marks) == 0 {
		return true
	}
	f, ok := file.Family(&n.Table)
	if !ok {
		return false
	}
	child := f.ChildVar()
	card := p.m.Card(child)
	if len(n.Values)+len(n.marks)*card > p.opt.MaxEntries {
		p.Errorf(n.Pos, "CPD of %s has more than %d numbers", text.Quote(n.Child.Text), p.opt.MaxEntries)
		return false
	}
	var values []float64
	var offsets []int
	from := 0
	for _, m := range n.marks {
		values, offsets = append(values, n.Values[from:m.at]...), append(offsets, n.Offsets[from:m.at]...)
		from = m.at
		if m.Text == impossible {
			values, offsets = append(values, 0), append(offsets, m.Off)
			continue
		}
		state, ok := p.state(n, child, m)
		if !ok {
			return false
		}
		for s := range card {
			x := 0.0
			if s == state {
				x = 1
			}
			values, offsets = append(values, x), append(offsets, m.Off)
		}
	}
	n.Values, n.Offsets = append(values, n.Values[from:]...), append(offsets, n.Offsets[from:]...)
	p.uniform(n, card)
	return true
}

// uniform replaces the rows of zeros of a table with marks of impossible joint states.
func (p *parser) uniform(n *node, card int) {
	if !slices.ContainsFunc(n.marks, func(m mark) bool { return m.Text == impossible }) {
		return
	}
	for from := 0; from+card <= len(n.Values); from += card {
		row := n.Values[from : from+card]
		if slices.ContainsFunc(row, func(x float64) bool { return x != 0 }) {
			continue
		}
		p.Warnf(p.Pos(n.Offsets[from]), "row of %s is marked as impossible; it is read as uniform", text.Quote(n.Child.Text))
		for s := range row {
			row[s] = 1 / float64(card)
		}
	}
}

// state returns the state of a node that an entry of functable or probs names.
func (p *parser) state(n *node, v model.VarID, m mark) (state int, ok bool) {
	states := p.m.States(v)
	if n.states != nil {
		states = n.states
	}
	if s := slices.Index(states, m.Text); s >= 0 {
		return s, true
	}
	if digits, is := strings.CutPrefix(m.Text, "#"); is {
		s, err := strconv.ParseUint(digits, 10, 31)
		if err == nil && int(s) < len(states) {
			return int(s), true
		}
		p.Errorf(p.Pos(m.Off), "found %v; want #0 to #%d, the states of %s", m.Token, len(states)-1, text.Quote(n.Child.Text))
		return 0, false
	}
	if x, is := level(m.Text); is && n.levels != nil {
		if s, ok := n.stateAt(x); ok {
			return s, true
		}
	}
	p.Errorf(p.Pos(m.Off), "found %v; want a state of %s, by name or number", m.Token, text.Quote(n.Child.Text))
	return 0, false
}

// stateAt returns the state that stands for x: that of an interval that holds it, or of this level.
func (n *node) stateAt(x float64) (state int, ok bool) {
	if !n.interval {
		s := slices.Index(n.levels, x)
		return s, s >= 0
	}
	for s := range len(n.levels) - 1 {
		a, b := n.levels[s], n.levels[s+1]
		last := s == len(n.levels)-2
		if a <= x && (x < b || last && x == b) || a >= x && (x > b || last && x == b) && a > b {
			return s, true
		}
	}
	return 0, false
}

// deterministic returns the CPD of a functable. An impossible joint state gets the first state.
func (p *parser) deterministic(file *cpt.File, n *node) (f *model.Factor, ok bool) {
	f, ok = file.Family(&n.Table)
	if !ok {
		return nil, false
	}
	want, fits := p.m.TableSize(f.Parents())
	if !fits || want != len(n.function) {
		p.Errorf(n.End, "found %d entries of functable; want %.0f, one for each joint state of the parents of %s",
			len(n.function), math.Exp(p.m.LogTableSize(f.Parents())), text.Quote(n.Child.Text))
		return nil, false
	}
	d := &model.Deterministic{}
	for _, m := range n.function {
		state := 0
		if m.Text != impossible {
			if state, ok = p.state(n, f.ChildVar(), m); !ok {
				return nil, false
			}
		}
		d.States = append(d.States, int32(state))
	}
	f.Dist = d
	return f, true
}
