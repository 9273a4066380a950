package picture

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/chart"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/draw"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/structure"
	"github.com/pgmc-go/pgmc/ir/model"
)

// SVG draws the model with the posteriors of the variables for which only is true, or of all if it
// is nil.
func (b *Beliefs) SVG(ctx context.Context, only []bool) ([]byte, error) {
	g := structure.Graph(b.Model, model.NewGraph(b.Model))
	plain := append([]draw.Node(nil), g.Nodes...)
	b.Fill(g)
	for v := range b.Model.Vars {
		if only != nil && !only[v] {
			plain[v].Tone = g.Nodes[v].Tone
			g.Nodes[v] = plain[v]
		}
	}
	return SVG(ctx, g)
}

// SVG returns g as an SVG picture.
func SVG(ctx context.Context, g *draw.Graph) ([]byte, error) {
	return cli.Await(ctx, func() ([]byte, error) {
		var out bytes.Buffer
		err := g.WriteSVG(&out)
		return out.Bytes(), err
	})
}

// WriteFile writes text to the file at path, or to standard output. If path is the name of a PNG or
// PDF, text is an SVG picture, which becomes one.
func WriteFile(a *cli.App, path string, text []byte) error {
	text, err := chart.Encode(path, text)
	if err != nil {
		return err
	}
	return a.WriteResult(path, text)
}

// WriteDrawing writes g to the file at path: for Graphviz if its extension is that of DOT, and
// otherwise as a picture.
func WriteDrawing(ctx context.Context, a *cli.App, path string, g *draw.Graph) error {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".dot", ".gv":
		var text bytes.Buffer
		if err := g.WriteDOT(&text); err != nil {
			return err
		}
		return WriteFile(a, path, text.Bytes())
	}
	text, err := SVG(ctx, g)
	if err != nil {
		return err
	}
	return WriteFile(a, path, text)
}
