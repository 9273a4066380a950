package reply

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/rows"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/table"
	"github.com/pgmc-go/pgmc/compiler/infer"
)

// Rounding bounds the rounding errors of an answer; nil is no bound.
type Rounding struct {
	LogP      *float64        `json:"logp"`
	Largest   *float64        `json:"largest"`             // of all marginals that were asked for
	Marginals json.RawMessage `json:"marginals,omitempty"` // in the form of the answer's
}

// Certified returns x, an exact answer to what w wants, with bounds of its rounding errors.
func Certified(ctx context.Context, e *infer.Engine, vars []rows.Variable, w *rows.Wanted, known *infer.Findings, x *rows.Answer) (*BoundedReply, error) {
	answer := &infer.Marginals{LogProb: x.LogP}
	for i := range x.Marginals {
		answer.List = append(answer.List, infer.Distribution{Var: vars[i].Name, States: vars[i].States, P: x.Marginals[i]})
		if !w.Marginals[i] {
			answer.List[i].P = nil
		}
	}
	c, err := e.Certify(ctx, known, answer)
	if err != nil {
		return nil, err
	}
	out := &BoundedReply{Reply: New(x, vars, w, false)}
	out.Certificate.Rounding = &Rounding{LogP: table.FiniteOnly(c.LogProb), Largest: table.FiniteOnly(c.Largest())}
	if w.Marginals != nil {
		if out.Certificate.Rounding.Marginals, err = out.form(c.Marginals); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// text describes the proof about rounding errors, with its reason.
func (r *Rounding) text() string {
	text := fmt.Sprintf("the log-probability is off by at most %s", table.Optional("%.2g", r.LogP))
	if r.Marginals != nil {
		text += fmt.Sprintf(", and no marginal by more than %s", table.Optional("%.2g", r.Largest))
	}
	return text + ", by interval arithmetic\n"
}
