package rows

import (
	"context"
	"fmt"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/compiler/method"
)

// Maximise makes w ask for max-marginals in place of marginals and joint posteriors.
func (w *Wanted) Maximise() {
	w.MaxMarginals, w.Marginals = w.Marginals, nil
	w.MaxJoint, w.Joint = w.Joint, nil
}

// asksMax reports whether w asks for max-marginals.
func (w *Wanted) asksMax() bool { return w.MaxMarginals != nil || w.MaxJoint != nil }

// MaxText describes the max-marginals that w asks for.
func (w *Wanted) MaxText() string {
	of := "the log-probability of a best completion with each state"
	switch {
	case w.Pseudo:
		of = "the pseudo-log-likelihood of a best completion with each state"
	case w.Unnormalised:
		of = "the logarithm of the product of the potentials, without the partition function, of a best completion with each state"
	}
	switch {
	case w.Loop == "":
		return "max-marginals, " + of
	case w.bounds:
		return "pseudo-max-marginals, upper bounds of " + of
	}
	return "pseudo-max-marginals, estimates of " + of
}

// refuseMax returns an error if w asks for max-marginals that the approximate method m does not
// have.
func (w *Wanted) refuseMax(m *method.Method) error {
	has := func(m *method.Method) bool { return m.Answers != nil && (m.Answers.MaxMarginals || m.Answers.Pseudo) }
	switch {
	case !w.asksMax():
	case !has(m):
		return fmt.Errorf("method %s has no max-marginals; try --method %s, or for pseudo-max-marginals %s", m.Name, cli.ExactMethods(), cli.Methods("or", has))
	case w.MaxJoint != nil:
		return fmt.Errorf("method %s has pseudo-max-marginals of single variables; for --joint try --method %s", m.Name, cli.ExactMethods())
	}
	return nil
}

// maxMarginals computes the wanted max-marginals, exactly.
func (in *interpreter) maxMarginals(ctx context.Context, want *Wanted, a *Answer) error {
	if want.MaxMarginals != nil {
		x, err := in.engine.MaxMarginals(ctx, in.known)
		if err != nil {
			return err
		}
		a.TakeMax(x)
	}
	for _, j := range want.MaxJoint {
		x, err := in.engine.MaxMarginals(ctx, in.known, in.names(j.Vars))
		if err != nil {
			return err
		}
		a.MaxJoint = append(a.MaxJoint, x.List[0].LogProb)
	}
	return nil
}

// TakeMax sets the max-marginals of all variables.
func (a *Answer) TakeMax(x *infer.MaxMarginals) {
	for _, one := range x.List {
		a.MaxMarginals = append(a.MaxMarginals, one.LogProb)
	}
}

// appendMax appends the max-marginals.
func (r *Server) appendMax(b []byte, want *Wanted, a *Answer) []byte {
	if want.MaxMarginals != nil {
		key := `"maxmarginals":`
		if want.Loop != "" {
			key = `"pseudo_maxmarginals":`
		}
		b = r.appendByState(append(b, key...), want.MaxMarginals, a.MaxMarginals)
	}
	if want.MaxJoint != nil {
		b = r.appendTables(append(b, `"maxjoint":[`...), `,"logp":`, want.MaxJoint, a.MaxJoint)
	}
	return b
}
