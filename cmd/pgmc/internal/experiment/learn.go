package experiment

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/ir/options"
	"github.com/pgmc-go/pgmc/learn"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/learner"
)

// Learned is the result of a learner.
type Learned struct {
	*model.Model // the last model, which is the circuit of a learner of a network and its circuit
	Report       learner.Report
	Seconds      float64
}

// Learn runs a learner with options, as NAME=VALUE separated by spaces, and sets the seed and the
// cores of the job.
func (r *Run) Learn(ctx context.Context, algo, set string, job *learner.Job) (*Learned, error) {
	l, err := learn.Find(algo)
	if err != nil {
		return nil, err
	}
	in := l.New()
	var args []string
	for _, option := range strings.Fields(set) {
		args = append(args, "-"+option)
	}
	if err := options.Flags(in).Parse(args); err != nil {
		return nil, err
	}
	job.Seed, job.Cores = r.Seed, r.Cores()
	begin := time.Now()
	found, err := in.Learn(ctx, job)
	if err == nil && len(found.Models) == 0 {
		err = fmt.Errorf("%s made no model", algo)
	}
	if err != nil {
		return nil, err
	}
	return &Learned{found.Models[len(found.Models)-1], found.Report, time.Since(begin).Seconds()}, nil
}

// RowsOf returns the first n rows of a set.
func RowsOf(s *data.Set, n int) [][]int {
	rows := make([][]int, n)
	for i := range rows {
		rows[i] = make([]int, len(s.Vars))
		s.Row(i, rows[i])
	}
	return rows
}
