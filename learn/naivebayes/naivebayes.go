// Package naivebayes learns the parameters of the classifier in which all variables depend on a class, and on nothing else.
//
// Data: rows of discrete variables; a row that misses a value is left out of the counts of that variable. Guarantee: the structure is
// given, so that nothing is searched. Cost: the counts of each variable and the class.
//
// Posteriors of the class tend to be too sure of themselves where variables depend on each other, though the most probable class
// may be right; package tan lets each of them have one parent more.
//
// Source: Koller and Friedman, section 17.2 and box 17.A.
package naivebayes

import (
	"context"
	"flag"

	"github.com/pgmc-go/pgmc/learn/internal/network"
	"github.com/pgmc-go/pgmc/learn/learner"
)

// Learner is the learner of naive Bayes classifiers.
var Learner = learner.Learner{
	Name: "naivebayes",
	Doc:  "naive Bayes: all variables depend on a class alone",
	New:  func() learner.Instance { return &instance{} },
}

type instance struct {
	network.Common
	class string
}

func (l *instance) Options(fs *flag.FlagSet) {
	l.Bind(fs, "bdeu")
	fs.StringVar(&l.class, "class", "", "the variable to classify by; the last one unless given")
}

func (l *instance) Learn(ctx context.Context, job *learner.Job) (*learner.Result, error) {
	s, err := l.Scorer(job)
	if err != nil {
		return nil, err
	}
	class, err := network.Class(job.Train.Vars, l.class)
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	parents := make([][]int, len(job.Train.Vars))
	for x := range parents {
		if x != class {
			parents[x] = []int{class}
		}
	}
	return l.Result("naivebayes", s, parents)
}
