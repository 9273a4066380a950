package verify

import (
	"context"
	"errors"
	"math"

	"github.com/pgmc-go/pgmc/compiler/infer"
)

// interpreter is the reference that interprets a program.
type interpreter struct{ engine *infer.Engine }

func (in interpreter) answer(ctx context.Context, f *infer.Findings, want *Wanted) Answer {
	var a Answer
	a.Err = in.fill(ctx, f, want, &a)
	if a.Err == nil && (math.IsNaN(a.LogProb) || math.IsNaN(a.MPELogProb)) {
		a.Err = errors.New("the answer is not a number")
	}
	return a
}

// fill sets the wanted answers in a.
func (in interpreter) fill(ctx context.Context, f *infer.Findings, want *Wanted, a *Answer) error {
	if want.bounds() {
		x, err := in.engine.Intervals(ctx, f)
		if err != nil {
			return err
		}
		a.LogProb, a.UpperLogProb, a.Marginals, a.Upper = x.Lower, x.Upper, x.Least, x.Most
		return nil
	}
	if err := in.marginals(ctx, f, want, a); err != nil {
		return err
	}
	if err := in.joints(ctx, f, want, a); err != nil {
		return err
	}
	if want.MaxMarginals {
		if err := in.maxMarginals(ctx, f, a); err != nil {
			return err
		}
	}
	if !want.MPE {
		return nil
	}
	c, err := in.engine.MPE(ctx, f)
	if err != nil {
		return err
	}
	a.MPELogProb = c.LogProb
	for _, s := range c.States {
		a.MPE, a.MPEReal = append(a.MPE, s.Index), append(a.MPEReal, s.Value)
	}
	a.note(c.Report)
	return nil
}

// marginals sets the wanted posteriors and logarithms of probabilities in a.
func (in interpreter) marginals(ctx context.Context, f *infer.Findings, want *Wanted, a *Answer) error {
	if want.Marginals {
		m, err := in.engine.Marginals(ctx, f)
		if err != nil {
			return err
		}
		if want.LogProb {
			a.LogProb = m.LogProb
		}
		for i := range m.List {
			a.Marginals = append(a.Marginals, m.List[i].Numbers())
		}
		a.note(m.Report)
		return nil
	}
	if !want.LogProb {
		return nil
	}
	logp, err := in.engine.LogProb(ctx, f)
	if err == nil && math.IsInf(logp, -1) {
		err = infer.ErrImpossible
	}
	a.LogProb = logp
	return err
}

// maxMarginals sets the max-marginals in a.
func (in interpreter) maxMarginals(ctx context.Context, f *infer.Findings, a *Answer) error {
	x, err := in.engine.MaxMarginals(ctx, f)
	if err != nil {
		return err
	}
	for _, one := range x.List {
		a.MaxMarginals = append(a.MaxMarginals, one.LogProb)
	}
	return nil
}

// joints sets the wanted joint posteriors and mixtures in a.
func (in interpreter) joints(ctx context.Context, f *infer.Findings, want *Wanted, a *Answer) error {
	for _, targets := range want.Joint {
		var names []string
		for _, v := range targets {
			names = append(names, in.engine.Model().Vars[v].Name)
		}
		t, err := in.engine.Joint(ctx, f, names...)
		if err != nil {
			return err
		}
		a.Joint = append(a.Joint, t.Numbers())
	}
	for _, v := range want.Mixture {
		mixture, err := in.engine.Mixture(ctx, f, in.engine.Model().Vars[v].Name)
		if err != nil {
			return err
		}
		var numbers []float64
		for _, c := range mixture {
			numbers = append(numbers, c.P, c.Mean, c.Var)
		}
		a.Mixture = append(a.Mixture, numbers)
	}
	return nil
}

// note notes how an approximate method ended; r is nil for an exact one.
func (a *Answer) note(r *infer.Report) {
	if r != nil {
		a.Status = r.Status
	}
}
