package rows

import (
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/model"
)

// FlagsOf returns q as flags of pgmc query.
func FlagsOf(q *Question, vars []Variable) []string {
	var words []string
	for i, v := range vars {
		if q.Hard[i] > 0 {
			words = append(words, "--evidence", cli.QuoteName(v.Name)+"="+v.port().text(&v, q, i))
		}
	}
	for i, v := range vars {
		if q.Soft[i] == nil {
			continue
		}
		words = append(words, "--soft", v.port().softFlag(cli.QuoteName(v.Name), q.Soft[i]))
	}
	return words
}

// QuestionOf returns findings about m as a question.
func QuestionOf(f *infer.Findings, m *model.Model) *Question {
	in, vars := Observable(m), Variables(m)
	q := NewQuestion(len(in))
	if f.Jeffrey != nil {
		q.Jeffrey = make([][]float64, len(in))
	}
	for i, v := range in {
		if x, known := f.Observed(m.Vars[v]); known {
			vars[i].port().set(&q, i, x.State, x.Real)
		}
		q.Soft[i] = f.Soft[v]
		if f.Jeffrey != nil {
			q.Jeffrey[i] = f.Jeffrey[v]
		}
	}
	return &q
}
