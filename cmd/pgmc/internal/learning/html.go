package learning

import (
	"fmt"
	"html"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/reply"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/table"
	"github.com/pgmc-go/pgmc/ir/model"
)

// link is an edge with a number: its probability, or the decrease of the score without it.
type link struct {
	From  string  `json:"from"`
	To    string  `json:"to"`
	Value float64 `json:"value"`
}

// links returns the edges of the report with their numbers, and what those are.
func (r *report) links() (list []link, what string) {
	for _, x := range r.Posteriors {
		list = append(list, link{x.From, x.To, x.Probability})
	}
	if list != nil {
		return list, "probability of the edge"
	}
	for _, x := range r.Strengths {
		list = append(list, link{x.From, x.To, x.Strength})
	}
	return list, "decrease of the score without the edge"
}

// html returns the report on m as a fragment of HTML for a page or a notebook, without scripts and
// without references to other files. path names the model.
func (r *report) html(path string, m *model.Model) []byte {
	var b strings.Builder
	b.WriteString("<div class=\"pgmc\" style=\"font-family:sans-serif;font-size:14px\">\n")
	for _, line := range strings.Split(strings.TrimSpace(r.text(path, m)), "\n") {
		fmt.Fprintf(&b, "<p>%s</p>\n", html.EscapeString(line))
	}
	if r.Families != nil {
		t := &table.Table{}
		t.Add("variable", "parents", r.Score)
		for _, f := range r.Families {
			t.Add(f.Variable, strings.Join(f.Parents, ", "), fmt.Sprintf("%.4f", f.Score))
		}
		b.WriteString(t.HTML())
	}
	if list, what := r.links(); list != nil {
		t := &table.Table{}
		t.Add("from", "to", what)
		for _, x := range list {
			t.Add(x.From, x.To, strconv.FormatFloat(x.Value, 'g', 5, 64))
		}
		b.WriteString(t.HTML())
	}
	b.WriteString("</div>\n")
	return []byte(b.String())
}

// vega returns a chart of the report in Vega-Lite: the numbers of edges if it has any, and
// otherwise the scores of families.
func (r *report) vega() ([]byte, error) {
	field := func(name, kind string, title any) map[string]any {
		return map[string]any{"field": name, "type": kind, "sort": nil, "title": title}
	}
	if list, what := r.links(); list != nil {
		return reply.VegaLite(list, "rect", map[string]any{
			"y": field("from", "nominal", "from"), "x": field("to", "nominal", "to"), "color": field("value", "quantitative", what)}, nil)
	}
	return reply.VegaLite(r.Families, "bar", map[string]any{
		"y": field("variable", "nominal", nil), "x": field("score", "quantitative", r.Score)}, nil)
}
