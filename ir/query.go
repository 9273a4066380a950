package ir

import (
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
)

// Query is one question that a program answers many times. Kind is the kind of its answer, and
// Method the method that computes it.
type Query struct {
	Name string // unique within a problem
	Kind QueryKind
	// Method is the name of the method that answers, and By describes it. Both are empty for kinds
	// that every exact method answers. The text form leaves By out.
	Method string
	By     *Approximation

	Targets  []model.VarID // Posterior, Signature and Mixture: the only target; Joint and MAP: the set, in the order of the call; Best: the decision, and for a method before it the index of the pair; Information: the decision, then the variables; Follow: the decisions
	Evidence []model.VarID // Signature: the observed variables, in the order of the call
	Do       []model.VarID // Signature: those of Evidence that are set by intervention, which cuts the edges from their parents
	K        int           // KMPE: the number of completions
	// Best asks a Joint for the probability of the best completion of each joint state, up to a
	// factor, in place of the probability of the joint state. It asks a Decoding for
	// pseudo-max-marginals beside its states.
	Best bool
	// Maxima lists the variables of a Best over which the method maximises, where its order of
	// elimination has them. It sums over the others.
	Maxima []model.VarID
	// Utilities lists tables whose moments a Follow finds, beside those that it finds without a
	// method.
	Utilities []*model.Utility
	// Factors lists, by number, the factors that can change the answer of a Signature; nil means
	// all factors.
	Factors []int
}

// Word returns the word that asks for q: the name of its kind, or of its approximation.
func (q *Query) Word() string {
	if q.By != nil {
		return q.By.Word
	}
	return q.Kind.String()
}

// MaxMarginals reports whether q asks for max-marginals beside the states of a Decoding.
func (q *Query) MaxMarginals() bool {
	return q.By != nil && (q.By.MaxMarginals || q.By.Pseudo && q.Best)
}

// Cuts reports whether q sets the variable of the CPD f by intervention. The query then leaves f
// out, and is about the product of the other factors (the truncated factorisation of Pearl 2009,
// section 3.2.1).
func (q *Query) Cuts(f *model.Factor) bool {
	return f.Child >= 0 && slices.Contains(q.Do, f.ChildVar())
}

// ParamMode says whether the compiler may assume that the parameters of the model are constants.
type ParamMode uint8

// The parameter modes.
const (
	Const ParamMode = iota // they never change: products are folded, zeros and ones vanish, equal numbers merge
	Var                    // they may be replaced at run time: each keeps its place, nothing is folded, and messages are always rescaled
)

// Problem is the input of a method: a model that passed its checks, and the queries.
type Problem struct {
	Model   *model.Model
	Queries []*Query
	Params  ParamMode
	// Measurements reports whether the evidence on a real variable may be a measurement: a number
	// that is normal with the variable's value as mean. Its tables then have MeasuredWidth numbers.
	Measurements bool
	// Fronts are factors with numbers that the caller of a method computes before the method's own
	// blocks. With them, the method plans only for the discrete variables of the model.
	Fronts []Front
	// Into is the schedule to which a method adds, with the tables of the fronts; nil for a new
	// one. Its model has the variables of Model, with the same numbers.
	Into *Schedule
	// More says that other parts of Into follow, so that its size is not known yet.
	More bool
}

// Front is a factor over discrete variables with numbers that depend on the evidence: the rest of
// the real variables of a network once they are eliminated, or of earlier slices of a sequence.
type Front struct {
	Table TableID // in Problem.Into
	Scope []model.VarID
	Max   bool // it holds maxima over the real variables: it is a factor of the most probable completion alone, and other fronts are not
}

// Asks reports whether a query of p is of the given kind.
func (p *Problem) Asks(kind QueryKind) bool {
	return slices.ContainsFunc(p.Queries, func(q *Query) bool { return q.Kind == kind })
}

// NewSchedule returns the schedule to which a method adds its plan of p.
func (p *Problem) NewSchedule() *Schedule {
	if p.Into != nil {
		return p.Into
	}
	return &Schedule{Model: p.Model, Params: p.Params}
}
