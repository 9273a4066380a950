package main

import (
	"math"

	"github.com/pgmc-go/pgmc/codegen/lanes"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// laneLimit bounds what is prepared for rows in lanes: about a second, and some 200 MB.
var laneLimit = lanes.Limit{Products: 1 << 22, Ops: 1 << 22, Slots: 1 << 20}

// laneMachine gives the log-probabilities of eight rows of observations at once.
type laneMachine struct {
	program *ir.Program
	prog    *lanes.Program
	code    []int32
	moves   []int32
	l, s    []float64
	inputs  [][]*ir.Span // by VarID
	root    int          // its first lane
}

// newLaneMachine prepares the query logprob of r; the error says that its program has no form for lanes.
func newLaneMachine(r *compiler.Result) (*laneMachine, error) {
	p := r.Program
	prog, err := lanes.Compile(p, p.Entry("logprob"), laneLimit)
	if err != nil {
		return nil, err
	}
	m := &laneMachine{program: p, prog: prog, code: prog.Code(), moves: lanes.Moves(prog.In), root: prog.Out[0].Slot * pgmrt.Lanes,
		l: pgmrt.NewLanes(prog.Slots), s: make([]float64, p.Work), inputs: make([][]*ir.Span, len(r.Model.Vars))}
	data := make([]float64, p.Data)
	for i := range p.Spans {
		switch s := &p.Spans[i]; {
		case s.ReadOnly():
			copy(data[s.Offset:], s.Data)
		case s.Role == ir.RoleIn:
			m.inputs[s.Var] = append(m.inputs[s.Var], s)
			pgmrt.Observe(m.s[s.Offset:s.Offset+s.Len], 0)
		}
	}
	prog.Fill(m.l, data)
	return m, nil
}

// set enters the states of variables, or data.Missing, in a lane.
func (m *laneMachine) set(lane int, vars []model.VarID, states []int) {
	for i, v := range vars {
		for _, s := range m.inputs[v] {
			pgmrt.Observe(m.s[s.Offset:s.Offset+s.Len], uint(states[i]+1))
		}
	}
	pgmrt.SetLane(m.l, lane, m.s, m.moves)
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
