package compiler

import "github.com/pgmc-go/pgmc/compiler/internal/pass"

// Stage is the representation that a pass works on.
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
	// Required reports whether the program would be wrong without the pass. Other passes only make
	// it better.
	Required bool
	Why      string // what it does and why it stands where it stands
	run      func(*build) error
}

// Pipeline is the list of all passes, in order.
var Pipeline = []Pass{
	{"model-check", StageModel, StageModel, true,
		"checks the model and makes rows of CPDs sum to one, before other passes rely on them", (*build).modelCheck},
	{"model-balance", StageModel, StageModel, false,
		"divides extreme potentials by constants if ln P is not relative to the partition function, and multiplies those of one scope; " +
			"before factors become tables, which multiply many numbers at once", (*build).modelBalance},
	{"problem-local", StageProblem, StageProblem, false,
		"splits log-linear potentials into one for each set of variables; before scopes are used", func(s *build) error {
			pass.ProblemLocal(s.problem)
			return nil
		}},
	{"problem-prune", StageProblem, StageProblem, false,
		"drops barren and separated factors of declared signatures; before an order is searched for them", func(s *build) error {
			pass.ProblemPrune(s.problem)
			return nil
		}},
	{"method-check", StageProblem, StageProblem, true,
		"lets the method refuse the problem, with its place and what would work", (*build).methodCheck},
	{"method-choose", StageProblem, StageProblem, false,
		"for method auto, compares a circuit with tables and keeps the plan of the circuit if it is faster", (*build).methodChoose},
	{"plan", StageProblem, StagePlan, true,
		"lets the method choose orders and plan table operations or a circuit; it refuses what is too large before that is allocated", (*build).plan},
	{"plan-priors", StagePlan, StagePlan, true,
		"computes the distributions without evidence that the plan needs, each by compiling and running a program of its own; " +
			"before constants are multiplied", (*build).planPriors},
	{"schedule-dead", StagePlan, StagePlan, false,
		"drops operations that no entry uses; first, so that no other pass works on them", func(s *build) error {
			pass.ScheduleDead(s.planned.Schedule)
			return nil
		}},
	{"schedule-fold", StagePlan, StagePlan, false,
		"multiplies the constants of one operation if the product stays small", func(s *build) error {
			return pass.ScheduleFold(s.planned.Schedule)
		}},
	{"lower", StagePlan, StageProgram, true,
		"gives spans to tables and nodes, and strides to operations", (*build).lower},
	{"program-column", StageProgram, StageProgram, false,
		"lets evidence enter the steps of filters by columns of CPDs in place of likelihoods; before program-scale, which bounds what enters", func(s *build) error {
			pass.ProgramColumn(s.program)
			return nil
		}},
	{"program-scale", StageProgram, StageProgram, true,
		"rescales by powers of two if static bounds require it; before blocks are cut, so that the steps stay together", func(s *build) error {
			pass.ProgramScale(s.program)
			return nil
		}},
	{"program-lookup", StageProgram, StageProgram, false,
		"moves signatures with few answers into a program of their own and leaves lookup tables in their place; " +
			"before blocks are cut, because it drops some", (*build).lookup},
	{"program-interleave", StageProgram, StageProgram, false,
		"orders the steps of small blocks so that neighbours do not wait for each other; " +
			"before blocks are cut, so that the whole of a pass is ordered", (*build).interleave},
	{"program-chunk", StageProgram, StageProgram, false,
		"cuts blocks, for each of which codegen chooses a back-end, and removes blocks from entries that do not need them", (*build).chunk},
	{"program-instead", StageProgram, StageProgram, false,
		"counts the work that evidence leaves to second plans, which run in place of the circuit below a limit; " +
			"after blocks are cut, so that the blocks that run are counted", (*build).instead},
	{"program-keep", StageProgram, StageProgram, true,
		"keeps the messages of sessions from one run to the next; after blocks are cut, and before spans share memory", func(s *build) error {
			pass.ProgramKeep(s.program)
			return nil
		}},
	{"program-lay", StageProgram, StageProgram, false,
		"orders the axes of temporaries for vectors of four numbers, by counted instructions; pads them in small programs; " +
			"after blocks are cut, and before spans get places", (*build).lay},
	{"program-ways", StageProgram, StageProgram, false,
		"gives single posteriors of programs on vectors their own ways down; " +
			"after tables are laid out, which all marginals decide alone", (*build).ways},
	{"program-steady", StageProgram, StageProgram, false,
		"splits steps of Gaussian filters of packages into a part for covariances and one for means, for streams whose covariances come again; " +
			"after blocks are cut and laid out, which looks at whole steps, and before spans get places", (*build).steady},
	{"program-layout", StageProgram, StageProgram, true,
		"places spans in memory; after all passes that add spans or change when they are used", (*build).layout},
	{"program-extreme", StageProgram, StageProgram, false,
		"warns of numbers so small that evidence of tiny probability may count as impossible", (*build).warnExtreme},
	{"program-tabulate", StageProgram, StageProgram, true,
		"runs the signatures of program-lookup for all evidence and fills their tables; after layout, because it runs a program", (*build).tabulate},
	{"program-partition", StageProgram, StageProgram, true,
		"computes ln Z of a Markov network as ln P without evidence; if the program has no such query, it compiles one that has",
		(*build).partition},
	{"program-verify", StageProgram, StageProgram, true,
		"checks every invariant of the final program; last, and changes nothing", (*build).verify},
}

// Before lists pairs of passes with an order that matters.
var Before = [][2]string{
	{"model-check", "model-balance"},
	{"model-balance", "problem-local"},
	{"problem-local", "problem-prune"},
	{"problem-prune", "plan"},
	{"method-check", "method-choose"},
	{"method-choose", "plan"},
	{"plan", "plan-priors"},
	{"plan-priors", "schedule-fold"},
	{"schedule-dead", "schedule-fold"},
	{"lower", "program-column"},
	{"program-column", "program-scale"},
	{"program-scale", "program-lookup"},
	{"program-lookup", "program-chunk"},
	{"program-scale", "program-interleave"},
	{"program-interleave", "program-chunk"},
	{"program-scale", "program-chunk"},
	{"program-chunk", "program-layout"},
	{"program-chunk", "program-instead"},
	{"program-instead", "program-layout"},
	{"program-chunk", "program-keep"},
	{"program-keep", "program-lay"},
	{"program-lay", "program-layout"},
	{"program-lay", "program-ways"},
	{"program-ways", "program-layout"},
	{"program-chunk", "program-steady"},
	{"program-steady", "program-layout"},
	{"program-scale", "program-layout"},
	{"program-layout", "program-extreme"},
	{"program-extreme", "program-tabulate"},
	{"program-layout", "program-tabulate"},
	{"program-tabulate", "program-verify"},
	{"program-layout", "program-partition"},
	{"program-partition", "program-verify"},
	{"program-layout", "program-verify"},
}
