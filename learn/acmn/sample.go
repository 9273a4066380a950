package acmn

import (
	"github.com/pgmc-go/pgmc/learn/internal/rowset"
	"github.com/pgmc-go/pgmc/learn/learner"
)

// sample is the rows to learn from.
type sample struct {
	rows, valid       *rowset.Data // valid is nil without validation data
	total, validTotal float64      // total weights of the rows
}

// newSample returns the rows of a job, with missing values filled in.
func newSample(job *learner.Job) (s sample, err error) {
	train, err := job.Train.Filled(job.Seed)
	if err != nil {
		return s, err
	}
	s.rows = rowset.New(train)
	s.total = s.rows.Weight(s.rows.All())
	if job.Valid != nil {
		valid, err := job.Valid.Filled(job.Seed)
		if err != nil {
			return s, err
		}
		s.valid = rowset.New(valid)
		s.validTotal = s.valid.Weight(s.valid.All())
	}
	return s, nil
}

// feature returns a feature with the weights of the rows in which it holds.
func (s *sample) feature(tests []rowset.Test) feature {
	f := feature{tests: tests, seen: s.rows.Weight(s.rows.Where(tests))}
	if s.valid != nil {
		f.valid = s.valid.Weight(s.valid.Where(tests))
	}
	return f
}
