package decision

import (
	"bytes"
	"context"
	"fmt"
	"html/template"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/chart"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/draw"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/picture"
	"github.com/pgmc-go/pgmc/compiler/decide"
)

// tree draws a strategy in the format of a path: what is seen as rounded boxes with probabilities,
// and choices as boxes. Leaves have their utilities.
func (s *solver) tree(ctx context.Context, x *decide.Solution, path string) ([]byte, error) {
	root, err := x.Tree(ctx)
	if err != nil {
		return nil, err
	}
	g := &draw.Graph{Name: s.m.Name, Kind: draw.Rooted}
	var add func(b *decide.Branch) int
	add = func(b *decide.Branch) int {
		at := len(g.Nodes)
		g.Nodes = append(g.Nodes, s.drawn(b))
		for _, c := range b.Branches {
			g.Edges = append(g.Edges, draw.Edge{From: at, To: add(c)})
		}
		return at
	}
	add(root)
	svg, err := picture.SVG(ctx, g)
	if err != nil {
		return nil, err
	}
	return chart.Encode(path, svg)
}

// drawn returns the node of a branch.
func (s *solver) drawn(b *decide.Branch) draw.Node {
	worth := brief(b.Utility)
	if b.Var < 0 {
		return draw.Node{Lines: []string{worth}, Note: "utility " + number(b.Utility), Shape: draw.Oval, Tone: draw.Grey}
	}
	name := "no " + s.m.Vars[b.Var].Name
	if b.State >= 0 {
		name = s.m.Vars[b.Var].Name + " = " + s.m.States(b.Var)[b.State]
	}
	n := draw.Node{Lines: []string{name}, Shape: draw.Box, Tone: draw.Amber,
		Note: fmt.Sprintf("%s: probability %s, utility %s", name, number(b.Probability), number(b.Utility))}
	if s.m.Decides(b.Var) == nil {
		n.Shape, n.Tone = draw.Round, draw.Blue
		n.Lines = append(n.Lines, fmt.Sprintf("%.4g", b.Probability))
	}
	if len(b.Branches) == 0 {
		n.Lines = append(n.Lines, "utility "+worth)
	}
	return n
}

// page is an HTML page with the tree and the text of the report.
var page = template.Must(template.New("page").Parse(`<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>{{.Name}}</title></head>
<body>
{{.Picture}}
<pre>{{.Text}}</pre>
</body>
</html>
`))

// html returns a page with a picture and the text of the report.
func (r *report) html() ([]byte, error) {
	title := r.name + ": a strategy"
	if r.plane != nil {
		title = r.name + ": costs and effects"
	}
	var b bytes.Buffer
	err := page.Execute(&b, struct {
		Name    string
		Picture template.HTML
		Text    string
	}{title, template.HTML(r.picture), r.text()})
	return b.Bytes(), err
}
