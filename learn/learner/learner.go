// Package learner is the contract between package learn and its algorithms: a learner makes models
// from data.
//
// Each learner is in a folder of its own under learn and is listed in learn's suite. It reads data
// sets and returns models. It does not access files, command lines or terminals.
package learner

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
)

// Learner describes a learning algorithm.
type Learner struct {
	Name, Doc string
	Former    []string        // names under which it is found, too: of learners that it replaces
	New       func() Instance // returns a learner with its default options
	Resumes   bool            // it saves checkpoints and resumes from them
	// Takes is the set of features that it supports in data, in an initial model and in a target,
	// besides the features of plain discrete ones. Package learn rejects the others.
	Takes model.Traits
}

// Instance is a learner with its options: a pointer to the exported struct Options of the learner's
// package, as its NewOptions returns it.
type Instance interface {
	// Learn learns from the data of job. If ctx ends, it returns the best result so far, if any,
	// with the context's error. The same job has the same result on any number of cores, unless
	// MaxTime ends it. Learners of structures have the same result for any order of columns and
	// rows, see [Job.Canonical].
	Learn(ctx context.Context, job *Job) (*Result, error)
}

// Sequential is an Instance that learns from the rows of sequences itself. Package learn splits
// sequences into slices and steps for others that take them.
type Sequential interface {
	Instance
	LearnsSequences()
}

// Job is the input of a learner.
type Job struct {
	Train  *data.Set
	Valid  *data.Set    // validation data, to choose between results; may be nil
	Init   *model.Model // initial model of learners that start from one; may be nil
	Target *model.Model // network to approximate, for learners that do; may be nil
	Prior  *model.Model // prior network of the score bde, which is then the default; may be nil
	// Structure is a network near which structures are more probable, see [Scoring.PriorOdds]; may
	// be nil. Learners without Scoring ignore it.
	Structure *model.Model
	Seed      uint64        // of all random numbers
	Cores     int           // number of concurrent goroutines; at least 1
	MaxMem    int64         // maximal bytes of cached counts; 0: a default
	MaxTime   time.Duration // time after which to return the best result so far; 0: no limit
	// Resume is the checkpoint to resume from; may be nil. Save is called with checkpoints at
	// intervals and when a search is stopped; may be nil. Learners that do not resume ignore both.
	Resume *Checkpoint
	Save   func(*Checkpoint) error
	// Progress is called at intervals, by one goroutine at a time; may be nil.
	Progress func(Event)
}

// Event is the progress of a learner.
type Event struct {
	Done, Total int     // steps; Total is 0 if unknown
	Score       float64 // of the best result so far; 0 before there is one
}

// ReportProgress calls Progress unless it is nil.
func (j *Job) ReportProgress(e Event) {
	if j.Progress != nil {
		j.Progress(e)
	}
}

// Throttle reports the progress of quick steps, at most every 100 ms.
type Throttle struct {
	job  *Job
	last time.Time
}

// Throttle returns a Throttle with a first report that is due in 100 ms.
func (j *Job) Throttle() *Throttle { return &Throttle{j, time.Now()} }

// Report reports progress if the last report is old enough.
func (t *Throttle) Report(e Event) {
	if time.Since(t.last) > 100*time.Millisecond {
		t.job.ReportProgress(e)
		t.last = time.Now()
	}
}

// Result is a learned model, and its circuit if the learner makes both.
type Result struct {
	Models []*model.Model
	Report Report
}

// Report describes how a result was found.
type Report struct {
	Score     string     `json:"score"`             // the kind of score
	Total     float64    `json:"total"`             // score of the result, in nats
	Params    int        `json:"parameters"`        // number of free parameters
	Steps     int        `json:"steps"`             // number of steps of the search
	Families  []Family   `json:"families"`          // nil if the score is not a sum over variables
	Stopped   bool       `json:"stopped,omitempty"` // by the time limit or the user
	Remarks   []string   `json:"remarks,omitempty"`
	Strengths []Strength `json:"edges,omitempty"`
	Class     []Edge     `json:"class,omitempty"` // the class graph of the structure, from learners that find equivalence classes
	// Posteriors holds the probabilities of edges given the data, the largest first, from learners
	// that average over structures.
	Posteriors []Posterior `json:"posteriors,omitempty"`
	Paths      []Posterior `json:"paths,omitempty"`    // of directed paths
	Blankets   []Posterior `json:"blankets,omitempty"` // of pairs, each once, in the Markov blanket of each other
	Path       []Point     `json:"path,omitempty"`
	// Hidden is the part of the log-likelihood of incomplete rows that belongs to no family: the
	// entropy of the missing values. The families then have expected log-likelihoods.
	Hidden float64 `json:"hidden,omitempty"`
	Starts []Start `json:"starts,omitempty"`
	// Identified is how far the rows determine the parameters, if that was asked for.
	Identified *Identification `json:"identification,omitempty"`
}

// Identification is how far the rows determine the parameters of a network near the fitted ones. A
// combination of parameters is free if no row's probability depends on it.
type Identification struct {
	Params int       `json:"parameters"`
	Free   int       `json:"free"`           // the number of independent free directions
	Least  float64   `json:"least"`          // the least share of the information of complete rows along any other direction
	Rows   []FreeRow `json:"rows,omitempty"` // of CPDs, with their shares of the free directions, the largest first
}

// FreeRow is a row of a CPD with its share of the free directions; all shares sum to their number.
type FreeRow struct {
	Variable string   `json:"variable"`
	Given    []string `json:"given"` // the states of the parents
	Free     float64  `json:"free"`
}

// String reports the number of free parameters, and the rows of CPDs that have most of them.
func (x *Identification) String() string {
	if x.Free == 0 {
		return fmt.Sprintf("the rows identify all %d parameters near these, but not the names of hidden states; the least determined combination has a share of %.2g of the information of complete rows", x.Params, x.Least)
	}
	const most = 8
	var parts []string
	for _, r := range x.Rows[:min(most, len(x.Rows))] {
		text := r.Variable
		if len(r.Given) > 0 {
			text += " given " + strings.Join(r.Given, ",")
		}
		parts = append(parts, fmt.Sprintf("%s %.2f", text, r.Free))
	}
	if more := len(x.Rows) - most; more > 0 {
		parts = append(parts, fmt.Sprintf("%d more rows", more))
	}
	return fmt.Sprintf("the rows leave %d of %d parameters free, by rows of CPDs: %s", x.Free, x.Params, strings.Join(parts, "; "))
}

// Start is one climb of a learner that climbs from several initial points.
type Start struct {
	Objective float64   `json:"objective"` // the log-likelihood plus the logarithm of the prior
	LogP      float64   `json:"loglik"`
	Steps     int       `json:"steps"`
	Converged bool      `json:"converged"` // false if the limit on steps or the user ended it
	Trace     []float64 `json:"trace"`     // the objective at the start, unless it is -Inf, and after each step
}

// Family is the contribution of a variable and its parents to the score.
type Family struct {
	Variable string   `json:"variable"`
	Parents  []string `json:"parents"`
	Score    float64  `json:"score"`
}

// Edge is an edge of a class graph. It is directed if all structures of the class agree on its
// direction.
type Edge struct {
	From     string `json:"from"`
	To       string `json:"to"`
	Directed bool   `json:"directed"`
}

// Strength is the decrease of the score if an edge is removed.
type Strength struct {
	From     string  `json:"from"`
	To       string  `json:"to"`
	Strength float64 `json:"strength"`
}
