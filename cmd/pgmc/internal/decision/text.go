package decision

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/table"
)

// number writes a utility.
func number(x float64) string { return strconv.FormatFloat(x, 'g', 10, 64) }

// text returns the report as tables, one for each decision.
func (r *report) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "maximum expected utility: %s\n", number(r.Utility))
	if r.Remark != "" {
		b.WriteString(r.Remark + "\n")
	}
	if r.limited {
		b.WriteString("no other policy of a single decision is better; several together may be\n")
	}
	for i := range r.Policies {
		b.WriteString("\n" + r.Policies[i].text())
	}
	if r.Information != nil {
		t := table.Table{}
		t.Add("variable", "value of information")
		for _, x := range r.Information {
			t.Add(x.Variable, number(x.Value))
		}
		b.WriteString("\n" + t.String())
	}
	return b.String()
}

// text returns a line for each case, or for each option with its utility.
func (p *policy) text() string {
	t := table.Table{}
	if p.Options != nil {
		t.Add(p.Decision, "utility")
		for _, o := range p.Options {
			mark := ""
			if o.State == p.Choices[0].Choose {
				mark = "chosen"
			}
			t.Add(o.State, number(o.Utility), mark)
		}
		return t.String()
	}
	t.Add(append(append([]string{}, p.Known...), "choose "+p.Decision)...)
	for _, c := range p.Choices {
		t.Add(append(append([]string{}, c.Given...), c.Choose)...)
	}
	return t.String()
}
