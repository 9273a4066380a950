package growing

import (
	"flag"
	"fmt"
	"math"

	"github.com/pgmc-go/pgmc/learn/learner"
)

// Growth holds the options that learners share if they grow a network and its circuit by splits.
type Growth struct {
	Split, Edge float64 // the least gain of a split and the price of an edge, in nats; a negative Edge is the default, see StartEdge
	MaxEdges    int     // most edges of the circuit
	MaxSplits   int     // most splits; 0 for any number
	Quick       bool    // a cost that has been measured is reused as a lower bound
	Shrink      bool    // the price of an edge falls if no split is worth it
	Tidy        bool    // the circuit is tidied as it grows
	Restarts    int     // further searches, each from the best result so far without a few random splits
}

// Flags points to the options of a learner that its Growth holds.
type Flags struct {
	Split, Edge         *float64
	MaxEdges, MaxSplits *int
	Quick, Shrink, Tidy *bool
	Restarts            *int
}

// Bind declares the flags of the options. high is the initial price of an edge if it shrinks.
func Bind(fs *flag.FlagSet, g Flags, high float64) {
	fs.Float64Var(g.Split, "split-penalty", *g.Split, "least gain of a split, in nats, beyond the penalties of its edges")
	fs.Float64Var(g.Edge, "edge-penalty", *g.Edge, fmt.Sprintf("penalty of an edge of the circuit, in nats; negative for 0.1, or %v with shrink", high))
	fs.IntVar(g.MaxEdges, "max-edges", *g.MaxEdges, "most edges of the circuit")
	fs.IntVar(g.MaxSplits, "max-splits", *g.MaxSplits, "most splits; 0 for any number")
	fs.BoolVar(g.Quick, "quick", *g.Quick, "reuse the measured cost of a split as a lower bound instead of measuring it again")
	fs.BoolVar(g.Shrink, "shrink", *g.Shrink, "halve the penalty of an edge when no split pays, until the circuit is nearly full")
	fs.BoolVar(g.Tidy, "tidy", *g.Tidy, "merge equal nodes, sums of sums and products of products as the circuit grows; the published algorithm does not")
	fs.IntVar(g.Restarts, "restarts", *g.Restarts, "number of further searches, each from the best result so far without a few random splits; the validation data choose")
}

// Check returns an error if the options or the data do not fit.
func (g *Growth) Check(job *learner.Job) error {
	if err := job.Train.Check(); err != nil {
		return err
	}
	switch {
	case !(g.Split >= 0) || math.IsInf(g.Split, 0):
		return fmt.Errorf("penalty of a split %v; want 0 or more", g.Split)
	case math.IsNaN(g.Edge) || math.IsInf(g.Edge, 0):
		return fmt.Errorf("penalty of an edge %v; want a finite number", g.Edge)
	case g.Restarts < 0:
		return fmt.Errorf("%d restarts; want 0 or more", g.Restarts)
	case g.Restarts > 0 && job.Valid == nil:
		return fmt.Errorf("%d restarts without validation data to choose by; want validation data or 0 restarts", g.Restarts)
	case g.MaxSplits < 0:
		return fmt.Errorf("at most %d splits; want 0 or more", g.MaxSplits)
	case g.MaxEdges < 1 || g.MaxEdges > math.MaxInt32/8:
		return fmt.Errorf("at most %d edges; want 1 to %d", g.MaxEdges, math.MaxInt32/8)
	}
	return nil
}

// More reports whether another split may follow.
func (g *Growth) More(splits int) bool { return g.MaxSplits == 0 || splits < g.MaxSplits }

// Fits returns an error if the circuit of independent variables is already too large.
func (g *Growth) Fits(edges int) error {
	if edges > g.MaxEdges {
		return fmt.Errorf("the circuit of independent variables has %d edges; want at most %d; allow more edges", edges, g.MaxEdges)
	}
	return nil
}
