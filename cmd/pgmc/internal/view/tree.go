package view

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/draw"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/table"
	"github.com/pgmc-go/pgmc/compiler/cluster"
	"github.com/pgmc-go/pgmc/compiler/method/jointree"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// treeInfo is a clique tree as JSON.
type treeInfo struct {
	Name    string       `json:"name"`
	Width   int          `json:"width"`   // number of variables of the largest clique, less one
	Entries float64      `json:"entries"` // sum over the tables of all cliques
	Cliques []cliqueInfo `json:"cliques"`
}

type cliqueInfo struct {
	Number    int      `json:"number"`
	Variables []string `json:"variables"`
	Entries   int      `json:"entries"`
	Separator []string `json:"separator"` // variables shared with the parent
	Parent    int      `json:"parent"`    // 0 at a root
}

// showTree shows the clique tree. Messages go from the cliques to their roots.
func showTree(ctx context.Context, a *cli.App, path string, f *Options) error {
	m, err := loadNamed(ctx, a, path, f)
	if err != nil {
		return err
	}
	opt, err := a.Options(m, &f.ModelFlags)
	if err != nil {
		return err
	}
	opt.Method, opt.Queries = jointree.Options{}, []string{ir.LogProb.String()}
	progress := a.Progress("compiling "+filepath.Base(path), nil)
	r, err := a.Compile(ctx, path, m, opt, nil)
	progress.Stop()
	if err != nil {
		return err
	}
	scopes := make([][]model.VarID, len(r.Model.Factors))
	for i, factor := range r.Model.Factors {
		scopes[i] = factor.Scope
	}
	cliques := cluster.New(len(r.Model.Vars), scopes, r.Orders[0].Order).Cliques()
	if err := f.fits(path, "clique tree", len(cliques), 0); err != nil {
		return err
	}
	info := treeOf(r.Model, cliques)
	switch {
	case f.DOT || f.SVG:
		return drawGraph(ctx, a, path, f, info.drawing())
	case a.JSON:
		return a.PrintJSON(info)
	}
	_, err = io.WriteString(a.Stdout, info.text())
	return err
}

func treeOf(m *model.Model, cliques []cluster.Clique) *treeInfo {
	out := &treeInfo{Name: m.Name, Cliques: []cliqueInfo{}}
	for i, c := range cliques {
		entries, _ := m.TableSize(c.Vars) // no overflow: the model has been compiled
		out.Cliques = append(out.Cliques, cliqueInfo{i + 1, varNames(m, c.Vars), entries, varNames(m, c.Separator), c.Parent + 1})
		out.Width = max(out.Width, len(c.Vars)-1)
		out.Entries += float64(entries)
	}
	return out
}

func (t *treeInfo) text() string {
	text := fmt.Sprintf("clique tree of %q, %d cliques, width %d, %s entries\n", t.Name, len(t.Cliques), t.Width, table.Thousands(int(t.Entries)))
	rows := &table.Table{}
	rows.Add("clique", "entries", "parent", "variables", "separator")
	for _, c := range t.Cliques {
		parent := "root"
		if c.Parent > 0 {
			parent = fmt.Sprint(c.Parent)
		}
		rows.Add(fmt.Sprint(c.Number), fmt.Sprint(c.Entries), parent, "{"+joinNames(c.Variables)+"}", "{"+joinNames(c.Separator)+"}")
	}
	return text + rows.String()
}

// drawing returns the tree as a graph. Separators are boxes between cliques, and roots have a heavy
// outline.
func (t *treeInfo) drawing() *draw.Graph {
	g := &draw.Graph{Name: "clique tree of " + t.Name, Kind: draw.Rooted}
	for _, c := range slices.Backward(t.Cliques) { // parents first, roots at the top
		note := fmt.Sprintf("clique %d, %s entries", c.Number, table.Thousands(c.Entries))
		g.Nodes = append(g.Nodes, draw.Node{Lines: wrap(c.Variables), Note: note, Shape: draw.Round, Bold: c.Parent == 0})
	}
	node := func(number int) int { return len(t.Cliques) - number }
	for _, c := range slices.Backward(t.Cliques) {
		if c.Parent > 0 {
			separator := draw.Node{Lines: wrap(c.Separator), Note: fmt.Sprintf("between cliques %d and %d", c.Number, c.Parent), Shape: draw.Box, Tone: draw.Grey}
			g.Nodes = append(g.Nodes, separator)
			g.Edges = append(g.Edges, draw.Edge{From: node(c.Parent), To: len(g.Nodes) - 1}, draw.Edge{From: len(g.Nodes) - 1, To: node(c.Number)})
		}
	}
	return g
}

// wrapAt is the length of a line of names, in characters, at which the next line begins.
const wrapAt = 18

// wrap returns names separated by commas, in lines.
func wrap(names []string) []string {
	var lines []string
	line := ""
	for i, name := range names {
		if i > 0 {
			line += ", "
		}
		if utf8.RuneCountInString(line) > wrapAt {
			lines, line = append(lines, strings.TrimSuffix(line, " ")), ""
		}
		line += name
	}
	return append(lines, line)
}
