package treecpd

import (
	"fmt"
	"strings"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/learner"
)

// Point is the result for one kappa: a tree for each variable, and which of its splits are kept.
type Point struct {
	Kappa float64
	Trees []*Tree
	Keep  Keep
}

// Network is the result of a learner for one or several kappas, the smallest first.
type Network struct {
	Name  string
	Kind  model.Kind
	Score string
	Vars  []data.Var
	Path  []Point
	Steps int
}

// mean returns the mean over rows of the sum of all trees' log-probabilities. A tree adds nothing
// for a row in which it needs a missing value.
func (p *Point) mean(s *data.Set) float64 {
	total, weight := 0.0, 0.0
	row := make([]int, len(s.Vars))
	for i := range s.Len() {
		s.Row(i, row)
		sum := 0.0
		for _, t := range p.Trees {
			if log, ok := t.LogProb(p.Keep, row); ok {
				sum += log
			}
		}
		total += s.Weight(i) * sum
		weight += s.Weight(i)
	}
	if weight == 0 {
		return 0
	}
	return total / weight
}

// Result chooses the kappa by the validation data, of ties the smallest, and returns the model and
// the report.
func (w *Network) Result(job *learner.Job) (*learner.Result, error) {
	points := make([]learner.Point, len(w.Path))
	learner.Each(job.Cores, len(points), func(i int) {
		p := &w.Path[i]
		points[i].Kappa = p.Kappa
		for _, t := range p.Trees {
			size := t.Size(p.Keep)
			points[i].Splits += size.Splits
			points[i].Params += size.Params
		}
		if job.Valid != nil {
			mean := p.mean(job.Valid)
			points[i].Valid = &mean
		}
	})
	best, remarks := learner.Choose(points)
	chosen := &w.Path[best]
	r := w.report(chosen)
	r.Path, r.Remarks = points, remarks
	m := &model.Model{Name: w.Name, Kind: w.Kind}
	for _, v := range w.Vars {
		m.NewVar(v.Name, v.States...)
	}
	for _, t := range chosen.Trees {
		m.Factors = append(m.Factors, t.Factor(chosen.Keep, w.Vars))
	}
	if list := m.Check(); list.HasErrors() {
		return nil, list.Err()
	}
	return &learner.Result{Models: []*model.Model{m}, Report: r}, nil
}

// report returns the report of a point.
func (w *Network) report(p *Point) learner.Report {
	r := learner.Report{Score: w.Score, Steps: w.Steps}
	for x, t := range p.Trees {
		size := t.Size(p.Keep)
		f := learner.Family{Variable: w.Vars[x].Name, Parents: []string{}, Score: size.Penalised(p.Kappa)}
		for i, u := range size.Parents {
			f.Parents = append(f.Parents, w.Vars[u].Name)
			r.Strengths = append(r.Strengths, learner.Strength{From: w.Vars[u].Name, To: f.Variable, Strength: size.Gains[i]})
		}
		r.Total += f.Score
		r.Params += size.Params
		r.Families = append(r.Families, f)
	}
	return r
}

// Points returns the values of kappa. It returns an error if there are several and no validation
// data to choose by.
func (o *Options) Points(job *learner.Job) ([]float64, error) {
	kappas, err := o.Kappas()
	if err != nil {
		return nil, err
	}
	if len(kappas) > 1 && job.Valid == nil {
		return nil, fmt.Errorf("%d values of kappa, %s, without validation data to choose by; want validation data or one kappa", len(kappas), strings.TrimSpace(o.Kappa))
	}
	return kappas, nil
}
