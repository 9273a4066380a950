package ir

import (
	"math"

	"github.com/pgmc-go/pgmc/ir/model"
)

// trialOptions checks what the chain of e has for trials, and no other.
func (v *verifier) trialOptions(e *Entry) {
	o, trials := e.Chain.TrialOptions, e.Query.Kind.Run() > RunChain
	want := 6
	if trials {
		want = trialRun
	}
	if len(e.Chain.Run) != want {
		v.errorf("%d numbers of a run; want %d", len(e.Chain.Run), want)
	}
	if trials != o.Valid() || !trials && o != (TrialOptions{}) {
		v.errorf("%v with temperatures from %v to %v and a tenure of %d", e.Query.Kind, o.Hot, o.Cold, o.Tenure)
	}
}

// Valid reports whether o can be run with.
func (o TrialOptions) Valid() bool {
	return int(o.Mode) < len(trialModes) && o.Cold > 0 && o.Hot >= o.Cold && o.Hot <= math.MaxFloat64 && o.Tenure >= 1 && o.Tenure <= math.MaxInt32
}

// trial checks the references of s.
func (v *verifier) trial(s *Trial) {
	if s.Kind > TrialRestore || len(s.Run) != trialRun {
		v.errorf("a trial of kind %d with %d numbers of the run; want %d", s.Kind, len(s.Run), trialRun)
		return
	}
	v.runNumbers(s.Run)
	for i := range s.Levels {
		l := &s.Levels[i]
		v.row(&l.Row, l.Weights)
		for _, n := range l.Near {
			if n < 0 || int(n) >= len(s.Levels) {
				v.errorf("level %d is near level %d of %d", i, n, len(s.Levels))
			}
		}
	}
	if len(s.First) != len(s.Vars) || len(s.Second) != len(s.Vars) || s.Kind == TrialTabu && len(s.Vars) != len(s.Levels) {
		v.errorf("lists of %d and %d spans for %d variables", len(s.First), len(s.Second), len(s.Vars))
		return
	}
	for i := range s.Vars {
		v.stateOf(s.Vars[i])
		v.list(s, i)
	}
}

// list checks the spans that s has for variable i of its lists.
func (v *verifier) list(s *Trial, i int) {
	if !v.numbers(s.First[i], "list", s.Kind != TrialLogs) {
		return
	}
	switch s.Kind {
	case TrialKeep, TrialRestore:
		v.one(s.First[i], "a kept state")
	case TrialTabu:
		v.alike(s.Levels[i].Weights, s.First[i], "list")
	default:
		v.numbers(s.Second[i], "list", true)
		v.alike(s.First[i], s.Second[i], "list")
	}
}

// trialStates follows which variables have states through a trial.
func (r *runState) trialStates(s *Trial) {
	wants := func(v model.VarID) {
		if !r.state[v] {
			r.v.errorf("v%d has no state yet", v)
		}
	}
	for i := range s.Levels {
		r.fixed(s.Levels[i].Axes)
		for _, a := range s.Levels[i].Axes {
			if a.Kind == AxisOut && s.Kind == TrialForward {
				r.state[a.Var] = true
			} else {
				wants(a.Var)
			}
		}
	}
	for _, v := range s.Vars {
		switch s.Kind {
		case TrialRestore:
			r.state[v] = true
		case TrialAdd, TrialKeep:
			wants(v)
		}
	}
}
