package rows

import (
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
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
