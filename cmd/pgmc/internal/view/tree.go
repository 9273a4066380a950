package view

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/draw"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/table"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/cluster"
	"github.com/pgmc-go/pgmc/compiler/method/clg"
	"github.com/pgmc-go/pgmc/compiler/method/jointree"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// treeInfo is a clique tree as JSON. Of a network with real variables it is strong: towards a root,
// a clique loses only real variables, or its separator is discrete.
type treeInfo struct {
	Name    string       `json:"name"`
	Width   int          `json:"width"`   // number of variables of the largest clique, less one
	Entries float64      `json:"entries"` // sum over the tables of all cliques
	Cliques []cliqueInfo `json:"cliques"`
}

type cliqueInfo struct {
	Number    int      `json:"number"`
	Variables []string `json:"variables"`
	Reals     []string `json:"reals,omitempty"` // those of the variables that are real
	Entries   int      `json:"entries"`         // joint states of the other variables
	Separator []string `json:"separator"`       // variables shared with the parent
	Parent    int      `json:"parent"`          // 0 at a root
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
	if f.Method.Value == clg.Method.Name || f.Method.Value != jointree.Method.Name && len(m.Reals()) > 0 {
		opt.Method = clg.Options{}
	}
	progress := a.Progress("compiling "+filepath.Base(path), nil)
	r, err := a.Compile(ctx, path, m, opt, nil)
	progress.Stop()
	if err != nil {
		return err
	}
	cliques := cliquesOf(r)
	if err := f.fits(path, "clique tree", len(cliques), 0); err != nil {
		return err
	}
	info := treeOf(r.Model, cliques)
	if f.DOT || f.SVG {
		return drawGraph(ctx, a, path, f, info.drawing())
	}
	return a.Print(info, info.text)
}

// cliquesOf returns the clique tree of a program by methods jointree or clg, which eliminates the
// real variables first.
func cliquesOf(r *compiler.Result) []cluster.Clique {
	order, scopes := clg.Elimination(r.Model)
	for _, factor := range r.Model.Factors {
		scopes = append(scopes, factor.Scope)
	}
	if len(r.Orders) > 0 {
		order = append(order, r.Orders[0].Order...)
	}
	return cluster.New(len(r.Model.Vars), scopes, order).Cliques()
}

func treeOf(m *model.Model, cliques []cluster.Clique) *treeInfo {
	out := &treeInfo{Name: m.Name, Cliques: []cliqueInfo{}}
	for i, c := range cliques {
		discrete, reals := m.SplitReal(c.Vars)
		entries, _ := m.TableSize(discrete) // no overflow: the model has been compiled
		out.Cliques = append(out.Cliques, cliqueInfo{i + 1, varNames(m, c.Vars), varNames(m, reals), entries, varNames(m, c.Separator), c.Parent + 1})
		out.Width = max(out.Width, len(c.Vars)-1)
		out.Entries += float64(entries)
	}
	return out
}

func (t *treeInfo) text() string {
	text := fmt.Sprintf("%s of %q, %d cliques, width %d, %s entries\n", t.kind(), t.Name, len(t.Cliques), t.Width, table.Thousands(int(t.Entries)))
	rows, header := &table.Table{}, []string{"clique", "entries", "parent", "variables", "separator"}
	if t.reals() > 0 {
		text = fmt.Sprintf("%s of %q, %d cliques, %d with real variables, width %d, %s states of discrete variables\n",
			t.kind(), t.Name, len(t.Cliques), t.reals(), t.Width, table.Thousands(int(t.Entries)))
		header = []string{"clique", "states", "parent", "variables", "separator", "real"}
	}
	rows.Add(header...)
	for _, c := range t.Cliques {
		parent := "root"
		if c.Parent > 0 {
			parent = fmt.Sprint(c.Parent)
		}
		row := []string{fmt.Sprint(c.Number), fmt.Sprint(c.Entries), parent, "{" + joinNames(c.Variables) + "}", "{" + joinNames(c.Separator) + "}"}
		if t.reals() > 0 {
			row = append(row, "{"+joinNames(c.Reals)+"}")
		}
		rows.Add(row...)
	}
	return text + rows.String()
}

// reals returns the number of cliques with real variables.
func (t *treeInfo) reals() (n int) {
	for _, c := range t.Cliques {
		n += min(1, len(c.Reals))
	}
	return n
}

// kind returns what the tree is called.
func (t *treeInfo) kind() string {
	if t.reals() > 0 {
		return "strong tree"
	}
	return "clique tree"
}

// drawing returns the tree as a graph. Separators are boxes between cliques, roots have a heavy
// outline, and cliques with real variables are green.
func (t *treeInfo) drawing() *draw.Graph {
	g := &draw.Graph{Name: t.kind() + " of " + t.Name, Kind: draw.Rooted}
	for _, c := range slices.Backward(t.Cliques) { // parents first, roots at the top
		node := draw.Node{Lines: wrap(c.Variables), Note: fmt.Sprintf("clique %d, %s entries", c.Number, table.Thousands(c.Entries)), Shape: draw.Round, Bold: c.Parent == 0}
		if len(c.Reals) > 0 {
			node.Tone, node.Note = draw.Green, fmt.Sprintf("clique %d, %s states of discrete variables; real: %s", c.Number, table.Thousands(c.Entries), joinNames(c.Reals))
		}
		g.Nodes = append(g.Nodes, node)
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
