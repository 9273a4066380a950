package reply

import (
	"encoding/json"
	"fmt"
	"html"
	"maps"
	"math"
	"strings"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/table"
)

// HTML returns the reply as a fragment of HTML for a page or a notebook: one element with its
// style, without scripts and without references to other files. Probabilities are bars.
func (r *Reply) HTML() []byte {
	var b strings.Builder
	b.WriteString("<div class=\"pgmc\" style=\"font-family:sans-serif;font-size:14px\">\n")
	if r.want.LogP {
		fmt.Fprintf(&b, "<p>log-probability of the evidence: %.10g</p>\n", r.LogP+0)
	}
	if r.LogZ != nil && r.LogWeight == nil {
		fmt.Fprintf(&b, "<p>logarithm of the integral of the potentials: %.10g</p>\n", *r.LogZ)
	}
	if report := r.report(); report != nil {
		fmt.Fprintf(&b, "<p>%s</p>\n", html.EscapeString(strings.TrimSpace(report.Text())))
	}
	if r.want.Marginals != nil {
		r.statesHTML(&b)
		r.realsHTML(&b)
	}
	for _, text := range r.maxText() {
		fmt.Fprintf(&b, "<pre>%s</pre>\n", html.EscapeString(text))
	}
	for i, j := range r.want.Joint {
		fmt.Fprintf(&b, "<pre>%s</pre>\n", html.EscapeString(jointTable(r.vars, &j, r.Joint[i], decimals).String()))
	}
	for i, j := range r.want.Mixture {
		fmt.Fprintf(&b, "<pre>%s</pre>\n", html.EscapeString(mixtureText(r.vars[j.Vars[0]].Name, r.Mixture[i])))
	}
	if r.want.MPE {
		fmt.Fprintf(&b, "<pre>%s</pre>\n", html.EscapeString(r.mpeText()))
	}
	if r.want.MAP != nil {
		fmt.Fprintf(&b, "<pre>%s</pre>\n", html.EscapeString(r.mapText()))
	}
	if r.want.KMPE > 0 {
		fmt.Fprintf(&b, "<pre>%s</pre>\n", html.EscapeString(r.completionsText()))
	}
	b.WriteString("</div>\n")
	return []byte(b.String())
}

// statesHTML writes a table of the wanted marginals of variables with states, as bars.
func (r *Reply) statesHTML(b *strings.Builder) {
	const head = `<th scope="rowgroup" rowspan="%d" style="padding-right:1em;vertical-align:top">%s</th>`
	const bar = `<div style="background:#e7effb;width:160px"><div style="background:#4472b0;height:10px;width:%.2f%%"></div></div>`
	list := r.wantedMarginals(false)
	if list == nil {
		return
	}
	headHTML(b, "variable", "state", "probability", "")
	for _, i := range list {
		v := &r.vars[i]
		for k, s := range v.States {
			b.WriteString("<tr>")
			if k == 0 {
				fmt.Fprintf(b, head, len(v.States), html.EscapeString(table.Printable(v.Name)))
			}
			p := r.Marginals[i][k] + 0
			cellHTML(b, html.EscapeString(table.Printable(s)))
			cellHTML(b, fmt.Sprintf("%.6f", p))
			fmt.Fprintf(b, "<td>"+bar+"</td></tr>\n", 100*min(max(p, 0), 1))
		}
	}
	b.WriteString("</tbody></table>\n")
}

// realsHTML writes a table of the wanted marginals of real variables.
func (r *Reply) realsHTML(b *strings.Builder) {
	list := r.wantedMarginals(true)
	if list == nil {
		return
	}
	headHTML(b, "variable", "mean", "variance")
	for _, i := range list {
		fmt.Fprintf(b, `<tr><th scope="row" style="padding-right:1em">%s</th>`, html.EscapeString(table.Printable(r.vars[i].Name)))
		for _, x := range r.Marginals[i] {
			cellHTML(b, fmt.Sprintf("%.6f", x+0))
		}
		b.WriteString("</tr>\n")
	}
	b.WriteString("</tbody></table>\n")
}

// wantedMarginals returns the variables, real or with states, whose marginals are wanted.
func (r *Reply) wantedMarginals(real bool) []int {
	var list []int
	for i, v := range r.vars {
		if v.Real == real && r.want.Marginals[i] {
			list = append(list, i)
		}
	}
	return list
}

// headHTML writes the start of a table with the given headings.
func headHTML(b *strings.Builder, heads ...string) {
	b.WriteString("<table style=\"border-collapse:collapse;text-align:left\">\n<thead><tr>")
	for _, head := range heads {
		fmt.Fprintf(b, "<th scope=\"col\" style=\"padding-right:1em\">%s</th>", head)
	}
	b.WriteString("</tr></thead>\n<tbody>\n")
}

// cellHTML writes a cell that holds text.
func cellHTML(b *strings.Builder, text string) {
	fmt.Fprintf(b, "<td style=\"padding-right:1em\">%s</td>", text)
}

// Vega returns the wanted marginals of discrete variables as a Vega-Lite specification of a bar
// chart, with its data.
func (r *Reply) Vega() ([]byte, error) {
	type point struct {
		Variable    string  `json:"variable"`
		State       string  `json:"state"`
		Probability float64 `json:"probability"`
	}
	values := []point{}
	for i, v := range r.vars {
		for k, s := range v.States {
			if r.want.Marginals != nil && r.want.Marginals[i] && !math.IsNaN(r.Marginals[i][k]) {
				values = append(values, point{v.Name, s, r.Marginals[i][k] + 0})
			}
		}
	}
	return VegaLite(values, "bar", map[string]any{
		"row": map[string]any{"field": "variable", "type": "nominal", "sort": nil, "title": nil, "header": map[string]any{"labelAngle": 0, "labelAlign": "left"}},
		"y":   map[string]any{"field": "state", "type": "nominal", "sort": nil, "title": nil},
		"x":   map[string]any{"field": "probability", "type": "quantitative", "scale": map[string]any{"domain": []int{0, 1}}},
	}, map[string]any{"resolve": map[string]any{"scale": map[string]any{"y": "independent"}}})
}

// VegaLite returns a specification in Vega-Lite, version 5, of marks with their data. further holds
// further members of the specification.
func VegaLite(values any, mark string, encoding, further map[string]any) ([]byte, error) {
	spec := map[string]any{
		"$schema":  "https://vega.github.io/schema/vega-lite/v5.json",
		"data":     map[string]any{"values": values},
		"mark":     map[string]any{"type": mark, "tooltip": true},
		"encoding": encoding,
	}
	maps.Copy(spec, further)
	text, err := json.MarshalIndent(spec, "", "  ")
	return append(text, '\n'), err
}
