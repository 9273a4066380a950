package spn

import (
	"context"
	"fmt"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/learner"
)

// Result returns the network as a model, and a report with its likelihoods. ctx is the caller's
// own; if the learner was stopped, its error is returned with the result.
func (n *Network) Result(ctx context.Context, job *learner.Job, name string, steps int, stopped bool) (*learner.Result, error) {
	m, err := n.Model(name)
	if err != nil {
		return nil, err
	}
	r := &learner.Result{Models: []*model.Model{m}}
	r.Report = learner.Report{Score: "loglik", Params: n.Parameters(), Steps: steps, Families: []learner.Family{}, Stopped: stopped}
	loglik := func(s *data.Set) float64 { return NewEngine(n, s.Merged(), job.Cores, job.MaxMem).LogLik() }
	train := loglik(job.Train)
	for row := range job.Train.Len() {
		r.Report.Total += job.Train.Weight(row) * train
	}
	r.Report.Remarks = append(r.Report.Remarks, fmt.Sprintf("%.6f a row of the data", train))
	if job.Valid != nil && job.Valid.Len() > 0 {
		r.Report.Remarks = append(r.Report.Remarks, fmt.Sprintf("%.6f a row of the validation data", loglik(job.Valid)))
	}
	if stopped {
		return r, ctx.Err()
	}
	return r, nil
}
