package sequence

import (
	"context"
	"errors"
	"math"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/slicing"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/learn/data/rowfile"
)

// Likelihood is the log-likelihood of one sequence.
type Likelihood struct {
	Sequence string // its name; empty if no column names sequences
	Rows     int
	LogP     float64  // ln of its probability or density; -Inf if it is impossible
	First    diag.Pos // the first row that is impossible given those before it
}

// Likelihoods returns the log-likelihood of each sequence of in, in the order of their first rows.
// f opened in. It calls read after each row.
func Likelihoods(ctx context.Context, e *infer.Engine, in *rowfile.Reader, f *slicing.Flags, unseen rowfile.Unseen, read func()) ([]Likelihood, error) {
	s, err := newSource(e, in, f, unseen)
	if err != nil {
		return nil, err
	}
	var list []Likelihood
	var filters []*infer.Filter
	index := map[string]int{}
	err = s.each(func(r *row) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		defer read()
		i, ok := index[r.of]
		if !ok {
			f, err := e.Filter(ctx)
			if err != nil {
				return err
			}
			i = len(list)
			index[r.of], list, filters = i, append(list, Likelihood{Sequence: r.of}), append(filters, f)
		}
		l := &list[i]
		l.Rows++
		if math.IsInf(l.LogP, -1) {
			return nil
		}
		_, err := filters[i].Step(ctx, r.found)
		switch {
		case errors.Is(err, infer.ErrImpossible):
			l.LogP, l.First = math.Inf(-1), r.pos
		case err != nil:
			return r.at(err)
		default:
			l.LogP = filters[i].LogProb()
		}
		return nil
	})
	return list, err
}
