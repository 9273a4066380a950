package compiler

import "github.com/pgmc-go/pgmc/compiler/internal/pass"

// Stage is what a pass works on.
type Stage string

// The stages, in order.
const (
	StageModel   Stage = "model"
	StageProblem Stage = "problem"
	StagePlan    Stage = "plan"
	StageProgram Stage = "program"
)

// Pass is one step of the pipeline.
type Pass struct {
	Name string
	In   Stage
	Out  Stage
	// Required passes make the program right; the others only make it better, and may be left out
	// for debugging.
	Required bool
	Why      string // what it does and why it stands where it stands
	run      func(*state) error
}

// Pipeline is the list of all passes, in order.
var Pipeline = []Pass{
	{"model-check", StageModel, StageModel, true,
		"validates the model and makes CPD rows sum to one, before anything trusts them", (*state).modelCheck},
	{"problem-local", StageProblem, StageProblem, false,
		"splits log-linear potentials into one for each set of variables; before anything looks at scopes", func(s *state) error {
			pass.ProblemLocal(s.problem)
			return nil
		}},
	{"problem-prune", StageProblem, StageProblem, false,
		"drops barren and separated factors of declared signatures, before an order is sought for them", func(s *state) error {
			pass.ProblemPrune(s.problem)
			return nil
		}},
	{"method-check", StageProblem, StageProblem, true,
		"lets the method refuse the problem, with the place and what would work", (*state).methodCheck},
	{"method-choose", StageProblem, StageProblem, true,
		"for method auto, weighs a circuit against tables and keeps the plan of a circuit that wins", (*state).methodChoose},
	{"plan", StageProblem, StagePlan, true,
		"the method chooses orders and plans table operations or a circuit; refuses what is too large before it is allocated", (*state).plan},
	{"plan-priors", StagePlan, StagePlan, true,
		"finds distributions without evidence that the plan needs, each by compiling and running a program of its own; before their numbers are multiplied",
		(*state).planPriors},
	{"schedule-dead", StagePlan, StagePlan, false,
		"drops operations that no entry uses; first, so that nothing is done for them", func(s *state) error {
			pass.ScheduleDead(s.planned.Schedule)
			return nil
		}},
	{"schedule-fold", StagePlan, StagePlan, false,
		"multiplies constants of one operation where that keeps them small", func(s *state) error {
			pass.ScheduleFold(s.planned.Schedule)
			return nil
		}},
	{"lower", StagePlan, StageProgram, true,
		"gives tables and nodes spans, and operations strides", (*state).lower},
	{"program-scale", StageProgram, StageProgram, true,
		"rescales by powers of two where a static bound asks for it; before blocks are cut, so that the steps stay together", func(s *state) error {
			pass.ProgramScale(s.program)
			return nil
		}},
	{"program-lookup", StageProgram, StageProgram, false,
		"moves signatures with few answers into a program of their own and leaves lookup tables in their place; before blocks are cut, " +
			"since many are dropped", (*state).lookup},
	{"program-chunk", StageProgram, StageProgram, false,
		"cuts blocks for back-ends to choose among, and takes from entries what they do not need", (*state).chunk},
	{"program-keep", StageProgram, StageProgram, true,
		"keeps the messages of sessions from one run to the next; once blocks are cut, and before places are shared", func(s *state) error {
			pass.ProgramKeep(s.program)
			return nil
		}},
	{"program-layout", StageProgram, StageProgram, true,
		"places spans in memory; last of those that add spans or change when they are used", (*state).layout},
	{"program-extreme", StageProgram, StageProgram, false,
		"warns of numbers so small that evidence of tiny probability may count as impossible", (*state).warnExtreme},
	{"program-tabulate", StageProgram, StageProgram, false,
		"runs the signatures of program-lookup for all evidence and fills their tables; once they have places in memory", (*state).tabulate},
	{"program-partition", StageProgram, StageProgram, true,
		"finds ln Z of a Markov network by asking for ln P without evidence; if the program has no such query, it compiles one for that alone",
		(*state).partition},
	{"program-verify", StageProgram, StageProgram, true,
		"checks every invariant of the program once more before it leaves; last, and changes nothing", (*state).verify},
}

// Before lists pairs of passes whose order matters.
var Before = [][2]string{
	{"model-check", "problem-local"},
	{"problem-local", "problem-prune"},
	{"problem-prune", "plan"},
	{"method-check", "method-choose"},
	{"method-choose", "plan"},
	{"plan", "plan-priors"},
	{"plan-priors", "schedule-fold"},
	{"schedule-dead", "schedule-fold"},
	{"lower", "program-scale"},
	{"program-scale", "program-lookup"},
	{"program-lookup", "program-chunk"},
	{"program-scale", "program-chunk"},
	{"program-chunk", "program-layout"},
	{"program-chunk", "program-keep"},
	{"program-keep", "program-layout"},
	{"program-scale", "program-layout"},
	{"program-layout", "program-extreme"},
	{"program-extreme", "program-tabulate"},
	{"program-layout", "program-tabulate"},
	{"program-tabulate", "program-verify"},
	{"program-layout", "program-partition"},
	{"program-partition", "program-verify"},
	{"program-layout", "program-verify"},
}
