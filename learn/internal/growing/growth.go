package growing

import (
	"flag"
	"fmt"
	"math"

	"github.com/pgmc-go/pgmc/learn/learner"
)

// Growth is the options that learners have in common which grow a network and its circuit by splits.
type Growth struct {
	Split, Edge float64 // nats that a split has to bring, and that an edge costs; Edge is negative for the usual, see StartEdge
	MaxEdges    int     // of the circuit
	MaxSplits   int     // 0 for any number
	Quick       bool    // costs are what they were at least, once they have been measured
	Shrink      bool    // the penalty of an edge falls where no split is worth it
	Tidy        bool    // circuits are tidied as they grow
	Restarts    int     // further searches, from the best so far without a random few of its splits
}

// Flags are where the options of a learner stand that its Growth has.
type Flags struct {
	Split, Edge         *float64
	MaxEdges, MaxSplits *int
	Quick, Shrink, Tidy *bool
	Restarts            *int
}

// Bind declares the flags of the options. high is the first penalty of an edge if it shrinks.
func Bind(fs *flag.FlagSet, g Flags, high float64) {
	fs.Float64Var(g.Split, "split-penalty", *g.Split, "nats that a split has to bring beyond what its edges cost")
	fs.Float64Var(g.Edge, "edge-penalty", *g.Edge, fmt.Sprintf("nats that an edge of the circuit costs; negative for 0.1, or %v with shrink", high))
	fs.IntVar(g.MaxEdges, "max-edges", *g.MaxEdges, "most edges of the circuit")
	fs.IntVar(g.MaxSplits, "max-splits", *g.MaxSplits, "most splits; 0 for any number")
	fs.BoolVar(g.Quick, "quick", *g.Quick, "take costs for what they were at least, once they have been measured")
	fs.BoolVar(g.Shrink, "shrink", *g.Shrink, "halve the penalty of an edge where no split is worth it, until the circuit is almost as large as it may be")
	fs.BoolVar(g.Tidy, "tidy", *g.Tidy, "merge equal nodes, sums of sums and products of products as the circuit grows; circuits in print are without")
	fs.IntVar(g.Restarts, "restarts", *g.Restarts, "how many times to search again, from the best so far without a random few of its splits; the validation data choose")
}

// Check says what is wrong with the options, or with the data.
func (g *Growth) Check(job *learner.Job) error {
	switch {
	case len(job.Train.Vars) == 0:
		return fmt.Errorf("the data has no columns; want one at least")
	case job.Train.Len() == 0:
		return fmt.Errorf("the data has no rows; want one at least")
	case !(g.Split >= 0) || math.IsInf(g.Split, 0):
		return fmt.Errorf("penalty of a split %v; want a number from 0", g.Split)
	case math.IsNaN(g.Edge) || math.IsInf(g.Edge, 0):
		return fmt.Errorf("penalty of an edge %v; want a number", g.Edge)
	case g.Restarts < 0:
		return fmt.Errorf("%d restarts; want 0 or more", g.Restarts)
	case g.Restarts > 0 && job.Valid == nil:
		return fmt.Errorf("%d restarts, and no validation data to choose by; give some, or want 0", g.Restarts)
	case g.MaxSplits < 0:
		return fmt.Errorf("at most %d splits; want 0 or more", g.MaxSplits)
	case g.MaxEdges < 1 || g.MaxEdges > math.MaxInt32/8:
		return fmt.Errorf("at most %d edges; want 1 to %d", g.MaxEdges, math.MaxInt32/8)
	}
	return nil
}

// More reports whether another split may follow after some.
func (g *Growth) More(splits int) bool { return g.MaxSplits == 0 || splits < g.MaxSplits }

// Fits says that a circuit of independent variables is too large.
func (g *Growth) Fits(edges int) error {
	if edges > g.MaxEdges {
		return fmt.Errorf("independent variables take a circuit of %d edges, and it may have %d; give it more", edges, g.MaxEdges)
	}
	return nil
}
