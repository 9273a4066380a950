package main

import (
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/codegen/lanes"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/assemble"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// laneLimit bounds what is prepared for rows in lanes: about a second, and some 200 MB.
var laneLimit = lanes.Limit{Products: 1 << 22, Ops: 1 << 22, Slots: 1 << 20}

// laneMachine answers a query for eight rows of observations at once: log-probabilities, and posteriors where the query has some.
type laneMachine struct {
	program *ir.Program
	entry   *ir.Entry
	prog    *lanes.Program
	code    []int32
	l       []float64
	states  []int // by VarID: where the states of lanes lie, or -1 where the program does not read them
	root    int   // its first lane
	outs    []int // by posterior of the entry: the first lane of its first number
}

// newLaneMachine prepares a query of r; the error says that its program has no form for lanes.
func newLaneMachine(r *compiler.Result, query string) (*laneMachine, error) {
	p := r.Program
	entry := p.Entry(query)
	prog, err := lanes.Compile(p, entry, laneLimit)
	if err != nil {
		return nil, err
	}
	m := &laneMachine{program: p, entry: entry, prog: prog}
	m.root = m.answer(entry.Root)
	for _, id := range entry.Outs {
		m.outs = append(m.outs, m.answer(id))
	}
	m.states = slices.Repeat([]int{-1}, len(r.Model.Vars))
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
	m.code = append(assemble.LaneObserve(nil, observed...), prog.Code()...)
	return m, nil
}

// answer is the first lane of an answer.
func (m *laneMachine) answer(id ir.SpanID) int {
	at := m.program.Spans[id].Offset
	for _, o := range m.prog.Out {
		if o.At <= at && at < o.At+o.Len {
			return (o.Slot + at - o.At) * pgmrt.Lanes
		}
	}
	panic("pgmc: an answer has no place in lanes") // not of what lanes.Compile made
}

// set enters the states of variables, or data.Missing, in a lane. Others are not observed.
func (m *laneMachine) set(lane int, vars []model.VarID, states []int) {
	for i, v := range vars {
		if m.states[v] >= 0 {
			m.l[m.states[v]+lane] = float64(states[i] + 1)
		}
	}
}

// run works out all lanes.
func (m *laneMachine) run() { pgmrt.RunLanes(m.code, m.l) }

// logP is the answer of a lane: -Inf where its row is impossible.
func (m *laneMachine) logP(lane int) float64 {
	logp := math.Log(m.l[m.root+lane])
	if m.prog.Exp >= 0 {
		logp += float64(m.l[m.prog.Exp*pgmrt.Lanes+lane] * math.Ln2)
	}
	return logp - m.program.LogZ
}

// extreme reports whether a lane's numbers are too far apart for its posteriors.
func (m *laneMachine) extreme(lane int) bool {
	return m.prog.Marks >= 0 && m.l[m.prog.Marks*pgmrt.Lanes+lane] != 0
}

// posterior copies that of output i from a lane.
func (m *laneMachine) posterior(i, lane int) []float64 {
	p := make([]float64, m.program.Spans[m.entry.Outs[i]].Len)
	for k := range p {
		p[k] = m.l[m.outs[i]+k*pgmrt.Lanes+lane]
	}
	return p
}
