// Package learner is the contract between learning and its algorithms: a learner makes models from data.
//
// A learner lives in a folder of its own under learn and is listed in learn's suite. It reads data sets and writes models; it never sees
// files, flags of the command line or a terminal.
package learner

import (
	"context"
	"time"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/ir/options"
	"github.com/pgmc-go/pgmc/learn/data"
)

// Learner is one way to learn.
type Learner struct {
	Name, Doc string
	New       func() Instance // with its default options
	Resumes   bool            // it keeps checkpoints, and goes on from them
	// Takes is the traits of data that it takes besides states. Package learn refuses the others.
	Takes model.Traits
}

// Instance is a learner with its options: a pointer to the exported struct Options of the learner's
// package, as its NewOptions returns it.
type Instance interface {
	options.Options
	// Learn learns. If ctx ends it returns the best so far, if there is something, with the context's
	// error. The same job gives the same result on any number of cores, unless MaxTime cut it short.
	Learn(ctx context.Context, job *Job) (*Result, error)
}

// Job is what to learn from.
type Job struct {
	Train   *data.Set
	Valid   *data.Set     // for choosing between results; may be nil
	Init    *model.Model  // where to begin, for learners that begin somewhere; may be nil
	Target  *model.Model  // a network to come close to, for learners that do that; may be nil
	Seed    uint64        // of all that is random
	Cores   int           // goroutines at work at once; at least 1
	MaxMem  int64         // most bytes of counts that are kept; 0: a default
	MaxTime time.Duration // after which to stop with the best so far; 0: never
	// Resume is where a search stood that goes on; may be nil. Save is called with checkpoints, now and then and where a search is
	// stopped; may be nil. Learners that do not resume know neither.
	Resume *Checkpoint
	Save   func(*Checkpoint) error
	// Progress is called now and then, by one goroutine at a time; may be nil.
	Progress func(Event)
}

// Event says how far a learner is.
type Event struct {
	Done, Total int     // steps; Total is 0 where it is not known
	Score       float64 // of the best so far; 0 before there is one
}

// Tell reports progress, if somebody wants to know.
func (j *Job) Tell(e Event) {
	if j.Progress != nil {
		j.Progress(e)
	}
}

// Teller reports the progress of quick steps, no more often than somebody can see.
type Teller struct {
	job  *Job
	last time.Time
}

// Teller gives one that is silent at first.
func (j *Job) Teller() *Teller { return &Teller{j, time.Now()} }

// Tell reports progress, where the last report is old.
func (t *Teller) Tell(e Event) {
	if time.Since(t.last) > 100*time.Millisecond {
		t.job.Tell(e)
		t.last = time.Now()
	}
}

// Result is what was learned: a model, and its circuit where the learner makes both.
type Result struct {
	Models []*model.Model
	Report Report
}

// Report says how a result came about.
type Report struct {
	Score     string     `json:"score"`             // the kind of score
	Total     float64    `json:"total"`             // of the result, in nats
	Params    int        `json:"parameters"`        // free ones
	Steps     int        `json:"steps"`             // that a search took
	Families  []Family   `json:"families"`          // nil where the score is no sum over variables
	Stopped   bool       `json:"stopped,omitempty"` // before the end, by time or by the user
	Remarks   []string   `json:"remarks,omitempty"`
	Strengths []Strength `json:"edges,omitempty"`
	Class     []Edge     `json:"class,omitempty"` // the class graph of the structure, of learners that find classes
	// Posteriors are the probabilities of edges given the data, the largest first, of learners that average over structures.
	Posteriors []Posterior `json:"posteriors,omitempty"`
	Path       []Point     `json:"path,omitempty"`
	// Hidden is the part of a log-likelihood of incomplete rows that no family has: the entropy of what the rows leave open. The families
	// then have expected log-likelihoods.
	Hidden float64 `json:"hidden,omitempty"`
	Starts []Start `json:"starts,omitempty"`
}

// Start is one way up of a learner that climbs from several numbers to begin with.
type Start struct {
	Objective float64   `json:"objective"` // the log-likelihood and the penalty of the prior
	LogP      float64   `json:"loglik"`
	Steps     int       `json:"steps"`
	Converged bool      `json:"converged"` // else it ended by the number of steps, or was stopped
	Trace     []float64 `json:"trace"`     // the objective at the beginning, unless it is -Inf, and after each step
}

// Family is the part of a variable in the score.
type Family struct {
	Variable string   `json:"variable"`
	Parents  []string `json:"parents"`
	Score    float64  `json:"score"`
}

// Edge is an edge of a class graph: directed where all structures of the class agree.
type Edge struct {
	From     string `json:"from"`
	To       string `json:"to"`
	Directed bool   `json:"directed"`
}

// Posterior is the probability of an edge.
type Posterior struct {
	From        string  `json:"from"`
	To          string  `json:"to"`
	Probability float64 `json:"probability"`
}

// Strength is how much worse the score would be without an edge.
type Strength struct {
	From     string  `json:"from"`
	To       string  `json:"to"`
	Strength float64 `json:"strength"`
}
