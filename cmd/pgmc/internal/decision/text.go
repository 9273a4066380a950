package decision

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/table"
	"github.com/pgmc-go/pgmc/compiler/decide"
)

// number writes a utility.
func number(x float64) string { return strconv.FormatFloat(x, 'g', 10, 64) }

// brief writes a number for a picture.
func brief(x float64) string { return strconv.FormatFloat(x, 'g', 5, 64) }

// text returns the report as tables, one for each decision.
func (r *report) text() string {
	if r.plane != nil {
		return r.plane.text()
	}
	var b strings.Builder
	switch {
	case r.imposed && r.Certain != nil:
		fmt.Fprintf(&b, "certainty equivalent of the strategy: %s\nexpected utility: %s\n", number(*r.Certain), number(r.Utility))
	case r.imposed:
		fmt.Fprintf(&b, "expected utility of the strategy: %s\n", number(r.Utility))
	case r.Certain != nil:
		fmt.Fprintf(&b, "maximum certainty equivalent: %s\nexpected utility: %s\n", number(*r.Certain), number(r.Utility))
	default:
		fmt.Fprintf(&b, "maximum expected utility: %s\n", number(r.Utility))
	}
	if r.Remark != "" {
		b.WriteString(r.Remark + "\n")
	}
	switch {
	case !r.limited || r.imposed:
	case r.Exact:
		b.WriteString("no other strategy with limited memory is better\n")
	case r.Bound != nil:
		fmt.Fprintf(&b, "no strategy with limited memory is better than %s, a gap of %s\n", number(*r.Bound), number(*r.Bound-r.value()))
	default:
		b.WriteString("no other policy of a single decision is better; several together may be\n")
	}
	if r.Plan != nil {
		b.WriteString("\n" + planText(r.Plan))
	}
	b.WriteString(policiesText(r.Policies))
	b.WriteString(r.momentsText())
	if r.Information != nil {
		b.WriteString("\n" + informationText(r.Information))
	}
	return b.String()
}

// value returns what the strategy maximises.
func (r *report) value() float64 {
	if r.Certain != nil {
		return *r.Certain
	}
	return r.Utility
}

// informationText returns a line for each variable, and for each set of several.
func informationText(list []information) string {
	t := table.Table{}
	for i, x := range list {
		priced := x.Price != nil
		if i == 0 && priced {
			t.Add("variable", "value of information", "price", "net")
		} else if i == 0 {
			t.Add("variable", "value of information")
		}
		name := cmp.Or(x.Variable, strings.Join(x.Variables, ", "))
		if priced {
			t.Add(name, number(x.Value), number(*x.Price), number(*x.Net))
		} else {
			t.Add(name, number(x.Value))
		}
	}
	return t.String()
}

// momentsText returns a line for each utility, and for each value of their sum.
func (r *report) momentsText() string {
	if r.Moments == nil {
		return ""
	}
	each, total := table.Table{}, table.Table{}
	each.Add("utility", "mean", "variance")
	for _, m := range r.Moments {
		each.Add(m.Utility, number(m.Mean), number(m.Variance))
	}
	if r.Total == nil {
		return "\n" + each.String() + fmt.Sprintf("the total has more than %d values\n", decide.MaxValues)
	}
	total.Add("total", "probability")
	for _, m := range r.Total {
		total.Add(number(m.Utility), number(m.Probability))
	}
	return "\n" + each.String() + "\n" + total.String()
}

// text returns a line for each case, or for each option with its utility.
func (p *policy) text() string {
	t := table.Table{}
	if p.Cases != nil {
		return p.Cases.text(p.Decision)
	}
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

// text returns a line for each case of a decision, with a column for each option.
func (c *cases) text(decision string) string {
	t, head := table.Table{}, append(slices.Clone(c.Known), "probability")
	column := func(o option) string { return cmp.Or(o.Decision, decision) + "=" + o.State }
	for _, x := range c.List {
		for _, o := range x.Options {
			if !slices.Contains(head[len(c.Known):], column(o)) {
				head = append(head, column(o))
			}
		}
	}
	t.Add(append(head, "choose")...)
	for _, x := range c.List {
		line := append(slices.Clone(x.Given), number(x.Probability))
		line = append(line, slices.Repeat([]string{""}, len(head)-len(line))...)
		for _, o := range x.Options {
			line[len(c.Known)+slices.Index(head[len(c.Known):], column(o))] = number(o.Utility)
		}
		t.Add(append(line, x.Choose)...)
	}
	return t.String()
}
