package main

import (
	"math"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// laneInterpreter is an interpreter that answers the rows of a batch in lanes, where the program has a form for that.
type laneInterpreter struct {
	*interpreter
	lanes  *laneMachine
	byVar  []int // by VarID: the output of lanes that is its posterior
	states []int // of a row
}

// withLanes gives the interpreter for batches of what is wanted.
func withLanes(in *interpreter, r *compiler.Result, want *wanted) engine {
	query := "marginals"
	if want.Marginals == nil {
		query = "logprob"
	}
	if !want.inLanes() || in.program.Entry(query) == nil {
		return in
	}
	m, err := newLaneMachine(r, query)
	if err != nil {
		return in
	}
	l := &laneInterpreter{in, m, make([]int, len(in.model.Vars)), make([]int, len(in.vars))}
	for i, id := range m.entry.Outs {
		l.byVar[in.program.Spans[id].Var] = i
	}
	return l
}

// batches takes observations alone.
func (l *laneInterpreter) batches(q *question, want *wanted) bool {
	return want.inLanes() && q.plain()
}

func (l *laneInterpreter) answerAll(qs []*question, want *wanted, as []answer, failed []bool) {
	for at := 0; at < len(qs); at += pgmrt.Lanes {
		n := min(pgmrt.Lanes, len(qs)-at)
		for lane := range pgmrt.Lanes {
			q := qs[at+min(lane, n-1)] // lanes without a row of their own repeat the last
			for i, s := range q.hard {
				l.states[i] = s - 1
			}
			l.lanes.set(lane, l.vars, l.states)
		}
		l.lanes.run()
		for lane := range n {
			a := &as[at+lane]
			a.logP = l.lanes.logP(lane)
			failed[at+lane] = math.IsInf(a.logP, -1) || l.lanes.extreme(lane)
			if want.Marginals != nil && !failed[at+lane] {
				a.marginals = l.posteriors(l.vars, lane)
			}
		}
	}
}

// posteriors are those of variables, from a lane.
func (l *laneInterpreter) posteriors(vars []model.VarID, lane int) (list [][]float64) {
	for _, v := range vars {
		list = append(list, l.lanes.posterior(l.byVar[v], lane))
	}
	return list
}
