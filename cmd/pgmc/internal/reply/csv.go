package reply

import (
	"slices"
	"strconv"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/rows"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/table"
)

// CSV returns the reply as comma-separated values with twelve significant digits. It returns a usage
// error unless the reply is one table: the marginals, a joint posterior, a mixture or the most
// probable completion.
func (r *Reply) CSV() ([]byte, error) {
	var tables []*table.Table
	if r.want.Marginals != nil {
		t := &table.Table{}
		t.Add(r.MarginalHeads()...)
		t.Rows = append(t.Rows, r.MarginalRows()...)
		tables = append(tables, t)
	}
	for i, j := range r.want.Joint {
		tables = append(tables, jointTable(r.vars, &j, r.Joint[i], digits))
	}
	for i := range r.want.Mixture {
		t := &table.Table{}
		t.Add("P", "mean", "var")
		for c := range slices.Chunk(r.Mixture[i], 3) {
			t.Add(digits(c[0]), digits(c[1]), digits(c[2]))
		}
		tables = append(tables, t)
	}
	if r.want.MPE {
		t := &table.Table{}
		t.Add("variable", "value")
		for i, v := range r.vars {
			t.Add(v.Name, v.Chosen(r.Mpe[i], r.MpeReal[i]))
		}
		tables = append(tables, t)
	}
	if len(tables) != 1 || r.want.MAP != nil || r.want.KMPE > 0 || r.want.MaxMarginals != nil {
		return nil, cli.Usagef("a CSV file holds one table: the marginals, a joint posterior, a mixture or the most probable completion; want --json for other answers, or another ending for text")
	}
	return tables[0].CSV(), nil
}

// MarginalHeads returns the headings of [Reply.MarginalRows].
func (r *Reply) MarginalHeads() []string {
	heads := []string{"variable", "state", "probability"}
	if slices.ContainsFunc(r.vars, func(v rows.Variable) bool { return v.Real }) {
		heads = []string{"variable", "part", "value"}
	}
	if r.least != nil {
		heads = append(heads, "at least", "at most")
	}
	return heads
}

// MarginalRows returns the wanted marginals, with a row for each state, or for the mean and the
// variance, and the bounds if they are not exact.
func (r *Reply) MarginalRows() (list [][]string) {
	for i, v := range r.vars {
		if !r.want.Marginals[i] {
			continue
		}
		for k, s := range v.Parts() {
			cells := []string{v.Name, s, digits(r.Marginals[i][k])}
			if r.least != nil {
				cells = append(cells, digits(r.least[i][k]), digits(r.most[i][k]))
			}
			list = append(list, cells)
		}
	}
	return list
}

// digits writes a number with twelve significant digits.
func digits(x float64) string { return strconv.FormatFloat(x+0, 'g', 12, 64) }
