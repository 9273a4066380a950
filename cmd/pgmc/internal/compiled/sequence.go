package compiled

import (
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/rows"
	"github.com/pgmc-go/pgmc/compiler/verify"
)

// Sequence answers about the slices of a sequence: it filters them, and smooths them and finds a
// most probable path if the package does. The answer holds the first error of the package.
func (c *Engine) Sequence(slices []*rows.Question) (a verify.SequenceAnswer, err error) {
	filtered := func(r *result) {
		for range r.Out {
			logP, list := r.marginals(c)
			a.LogProb, a.Filtered = append(a.LogProb, logP), append(a.Filtered, list)
		}
	}
	for _, x := range []struct {
		needs, without, method string
		read                   func(r *result)
	}{
		{"NewFilter", "", "NewFilter.Step", filtered},
		{"NewParticles", "NewFilter", "NewParticles.Step", filtered},
		{"Smooth", "", "Smooth", func(r *result) {
			r.logP()
			var all []posteriors
			r.next(&all)
			for i := range all {
				a.Smoothed = append(a.Smoothed, all[i].list(c))
			}
		}},
		{"Viterbi", "", "Viterbi", func(r *result) {
			a.PathLogProb = r.logP()
			a.Path = r.path(c)
		}},
	} {
		_, has := c.about.Methods[x.needs]
		if _, other := c.about.Methods[x.without]; !has || other {
			continue
		}
		r, failed := c.call(x.method, 0, slices...)
		if r == nil {
			return a, failed
		}
		if failed == nil || x.method != x.needs { // the steps before one that failed have answers
			x.read(r)
		}
		if err := r.failed(nil); err != nil {
			return a, err
		}
		if failed != nil {
			a.Err = failed
			break
		}
	}
	return a, nil
}
