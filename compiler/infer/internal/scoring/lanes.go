// Package scoring answers questions about rows of states: eight at a time if the program has a form
// for lanes, or in log space if the model is a circuit. Package infer asks it.
package scoring

import (
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/assemble"
	irlanes "github.com/pgmc-go/pgmc/ir/lanes"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// Limit bounds the preparation of a program for lanes: about a second, and some 200 MB.
var Limit = irlanes.Limit{Products: 1 << 22, Ops: 1 << 22, Slots: 1 << 20}

// Lanes answers a query for eight rows at once: log-probabilities, and the posteriors that the
// query has.
type Lanes struct {
	*ir.Program
	entry  *ir.Entry
	prog   *irlanes.Program
	code   []int32
	l      []float64
	states []int  // by variable: the first lane of its states; -1 if the program reads none
	root   int    // the first lane of the root
	outs   []span // by variable: its posterior, if the query has it
}

// span locates n numbers of each lane, from a first lane on.
type span struct{ first, n int }

// NewLanes prepares an entry of p, which is a program of the model of. The error reports that it
// has no form for lanes.
func NewLanes(p *ir.Program, entry *ir.Entry, of *model.Model) (*Lanes, error) {
	if len(of.Reals()) > 0 {
		return nil, irlanes.ErrStep // rows hold states alone
	}
	if len(entry.Cutset) > 0 {
		return nil, irlanes.ErrStep // it runs more than once
	}
	prog, err := irlanes.Compile(p, entry, Limit)
	if err != nil {
		return nil, err
	}
	m := &Lanes{Program: p, entry: entry, prog: prog, outs: make([]span, len(of.Vars))}
	m.root = m.answer(entry.Root)
	for _, id := range entry.Outs {
		m.outs[p.Spans[id].Var] = span{m.answer(id), p.Spans[id].Len}
	}
	m.states = slices.Repeat([]int{-1}, len(of.Vars))
	data, slots := make([]float64, p.Data), prog.Slots
	var observed []assemble.Observation
	for i := range p.Spans {
		s := &p.Spans[i]
		if s.ReadOnly() {
			copy(data[s.Offset:], s.Data)
		}
		first, ok := prog.Slot(s.Offset)
		if s.Role != ir.RoleIn || !ok {
			continue
		}
		if m.states[s.Var] < 0 {
			m.states[s.Var] = slots * pgmrt.Lanes
			slots++
		}
		observed = append(observed, assemble.Observation{State: m.states[s.Var] / pgmrt.Lanes, Likelihood: first, States: s.Len})
	}
	m.l = pgmrt.NewLanes(slots)
	prog.Fill(m.l, data)
	m.code = prog.Code(assemble.LaneObserve(nil, observed...))
	return m, nil
}

// answer returns the first lane of an answer.
func (m *Lanes) answer(id ir.SpanID) int {
	at := m.Spans[id].Offset
	for _, o := range m.prog.Out {
		if o.At <= at && at < o.At+o.Len {
			return (o.Slot + at - o.At) * pgmrt.Lanes
		}
	}
	panic("scoring: an answer has no place in lanes") // irlanes.Compile gives each one
}

// Set enters the states of vars, or -1 for unknown ones, in a lane. Others are not observed.
func (m *Lanes) Set(lane int, vars []model.VarID, row []int) {
	for i, v := range vars {
		if m.states[v] >= 0 {
			m.l[m.states[v]+lane] = float64(row[i] + 1)
		}
	}
}

// Run evaluates all lanes.
func (m *Lanes) Run() { pgmrt.RunLanes(m.code, m.l) }

// LogP returns the log-probability of a lane's row, -Inf if it is impossible.
func (m *Lanes) LogP(lane int, row []int) float64 {
	logp := pgmrt.Ln(m.l[m.root+lane])
	if m.prog.Exp >= 0 {
		logp += float64(m.l[m.prog.Exp*pgmrt.Lanes+lane] * math.Ln2)
	}
	logp -= m.LogZ
	if math.Abs(logp) < ir.Settled && !slices.ContainsFunc(row, func(state int) bool { return state >= 0 }) {
		return 0
	}
	return logp
}

// Extreme reports whether a lane's numbers are too far apart for its posteriors.
func (m *Lanes) Extreme(lane int) bool {
	return m.prog.Marks >= 0 && m.l[m.prog.Marks*pgmrt.Lanes+lane] != 0
}

// Posteriors returns the posteriors of vars in a lane.
func (m *Lanes) Posteriors(vars []model.VarID, lane int) [][]float64 {
	list := make([][]float64, len(vars))
	for i, v := range vars {
		p := make([]float64, m.outs[v].n)
		for k := range p {
			p[k] = m.l[m.outs[v].first+k*pgmrt.Lanes+lane]
		}
		list[i] = p
	}
	return list
}
