package growing

import (
	"fmt"

	"github.com/pgmc-go/pgmc/ir/options"
	"github.com/pgmc-go/pgmc/learn/learner"
)

// Growth holds the options that learners share if they grow a network and its circuit by splits.
type Growth struct {
	SplitPenalty float64 `opt:"split-penalty" range:"[0,inf)" wrong:"penalty of a split {split-penalty}; want 0 or more"`
	EdgePenalty  float64 `opt:"edge-penalty" range:"(-inf,inf)" wrong:"penalty of an edge {edge-penalty}; want a finite number"` // negative is the default, see StartEdge
	MaxEdges     int     `opt:"max-edges" range:"[1,268435455]" wrong:"at most {max-edges} edges; want 1 to 268435455"`
	MaxSplits    int     `opt:"max-splits" range:"[0,inf)" wrong:"at most {max-splits} splits; want 0 or more"`
	Quick        bool    // a cost that has been measured is reused as a lower bound
	Shrink       bool    // the price of an edge falls if no split is worth it
	Tidy         bool    // the circuit is tidied as it grows
	Restarts     int     `opt:"restarts" range:"[0,inf)" wrong:"{restarts} restarts; want 0 or more"`
}

// Of returns the options of a learner that are shared.
func Of(own any) *Growth {
	g := &Growth{}
	options.Copy(g, own)
	return g
}

// Check returns an error if the options or the data do not fit.
func (g *Growth) Check(job *learner.Job) error {
	if err := job.Train.Check(); err != nil {
		return err
	}
	if err := options.Check(g); err != nil {
		return err
	}
	if g.Restarts > 0 && job.Valid == nil {
		return fmt.Errorf("%d restarts without validation data to choose by; want validation data or 0 restarts", g.Restarts)
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
