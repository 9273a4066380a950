package main

import (
	"math"
	"slices"

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
	l       []float64
	states  []int // by VarID: where the states of lanes lie, or -1 where the program does not read them
	root    int   // its first lane
}

// newLaneMachine prepares the query logprob of r; the error says that its program has no form for lanes.
func newLaneMachine(r *compiler.Result) (*laneMachine, error) {
	p := r.Program
	prog, err := lanes.Compile(p, p.Entry("logprob"), laneLimit)
	if err != nil {
		return nil, err
	}
	m := &laneMachine{program: p, prog: prog, root: prog.Out[0].Slot * pgmrt.Lanes}
	m.states = slices.Repeat([]int{-1}, len(r.Model.Vars))
	data, slots := make([]float64, p.Data), prog.Slots
	var observed [][3]int
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
		observed = append(observed, [3]int{m.states[s.Var] / pgmrt.Lanes, first, s.Len})
	}
	m.l = pgmrt.NewLanes(slots)
	prog.Fill(m.l, data)
	m.code = append(pgmrt.AppendLaneObserve(nil, observed...), prog.Code()...)
	return m, nil
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
