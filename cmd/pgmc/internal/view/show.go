package view

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/chart"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/draw"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/grid"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/table"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/method/clg"
	"github.com/pgmc-go/pgmc/compiler/method/jointree"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/folder"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Options are the flags of pgmc show.
type Options struct {
	cli.ModelFlags
	Queries  []string
	Stage    string
	DOT, SVG bool
	Output   string
	MaxNodes int
	Vars     []string
	DSep     []string
	Adjust   []string
	Bars     bool     // posteriors in the nodes of a drawing
	Evidence []string // as diag.SplitNames reads it; implies Bars
	Strategy string   // of decisions; implies Bars
	Strength string   // the widths of edges: byInformation, or the report of a learner in a file
}

// The subjects that show has without a model, and of a model, first the ones that can be drawn.
var (
	Lists   = []string{"methods", "formats", "passes", "algos"}
	drawn   = []string{"model", "tree", "circuit"}
	OfModel = append(drawn[:3:3], "problem", "plan", "program", "vectors")
	All     = append(append(Lists[:4:4], OfModel...), states)
)

// states is the subject of the answers of models of images.
const states = "states"

// check refuses combinations of flags that do not fit the subject.
func (f *Options) check(what string, json bool) error {
	canDraw := slices.Contains(drawn, what)
	for _, c := range []struct {
		flag  string
		given bool
		fits  bool
		want  string
	}{
		{"--dot", f.DOT, canDraw, strings.Join(drawn, ", ")},
		{"--svg", f.SVG, canDraw, strings.Join(drawn, ", ")},
		{"--max-nodes", f.MaxNodes != 0, canDraw, strings.Join(drawn, ", ")},
		{"--var", f.Vars != nil, what == "model", "model"},
		{"--dsep", f.DSep != nil, what == "model", "model"},
		{"--adjust", f.Adjust != nil, what == "model", "model"},
		{"--bars", f.Bars, what == "model", "model"},
		{"--evidence", f.Evidence != nil, what == "model", "model"},
		{"--strength", f.Strength != "", what == "model", "model"},
		{"--strategy", f.Strategy != "", what == "model", "model"},
		{"--query", f.Queries != nil, what != "model" && what != "tree" && what != states, "circuit, problem, plan, program, vectors"},
		{"--stage", f.Stage != "", (!canDraw || what == "model") && what != "vectors" && what != states, "model, problem, plan, program"},
	} {
		if c.given && !c.fits {
			return cli.Usagef("%s is not for show %s; it is for %s", c.flag, what, c.want)
		}
	}
	switch {
	case f.DOT && f.SVG:
		return cli.Usagef("found both --dot and --svg; want one of them")
	case json && (f.DOT || f.SVG):
		return cli.Usagef("a drawing cannot be JSON; leave out --json, or --dot and --svg")
	case (f.Vars != nil || f.Adjust != nil) && (f.DOT || f.SVG):
		return cli.Usagef("--var and --adjust answer as text or JSON; leave out --dot and --svg")
	case (f.Bars || f.Evidence != nil || f.Strength != "" || f.Strategy != "") && !f.DOT && !f.SVG:
		return cli.Usagef("--bars, --evidence, --strength and --strategy are for drawings; add --svg or --dot")
	case f.MaxNodes < 0:
		return cli.Usagef("--max-nodes is %d; want 0 or more", f.MaxNodes)
	case what == "tree" && !slices.Contains([]string{"auto", jointree.Method.Name, clg.Method.Name}, f.Method.Value):
		return cli.Usagef("show tree shows the clique tree of method %s, or of real variables the strong tree of %s; leave out --method %s", jointree.Method.Name, clg.Method.Name, f.Method.Value)
	case json && (slices.Contains(OfModel, what) && !canDraw || what == states):
		return cli.Usagef("show %s prints text alone; leave out --json", what)
	}
	return nil
}

// CheckOperands reports whether args name something to show.
func CheckOperands(args []string) error {
	for _, what := range Lists {
		if args[0] == what && len(args) > 1 {
			return fmt.Errorf("show %s takes no further operand; found %q", what, args[1])
		} else if args[0] == what {
			return nil
		}
	}
	for _, what := range OfModel {
		if args[0] == what && len(args) != 2 {
			return fmt.Errorf("show %s takes one model; found %d", what, len(args)-1)
		} else if args[0] == what {
			return nil
		}
	}
	if args[0] == states && len(args) == 2 {
		return nil
	} else if args[0] == states {
		return fmt.Errorf("show %s takes one answer of pgmc query --mpe --json; found %d", states, len(args)-1)
	}
	return fmt.Errorf("found %q; want one of %s%s", args[0], strings.Join(All, ", "), diag.DidYouMean(args[0], All))
}

// Show checks the options and shows what args name.
func Show(ctx context.Context, a *cli.App, args []string, f *Options) error {
	if isCSV(f.Output) {
		return writeCPD(ctx, a, args, f)
	}
	if err := f.drawByName(args[0]); err != nil {
		return err
	}
	if err := f.check(args[0], a.JSON); err != nil {
		return err
	}
	return toFile(ctx, a, f.Output, func() error { return showOne(ctx, a, args, f) })
}

// drawByName chooses a drawing by the extension of the output, unless a flag has chosen.
func (f *Options) drawByName(what string) error {
	if what == states {
		return cli.CheckEnding(f.Output, "", grid.Endings...)
	}
	if !slices.Contains(drawn, what) {
		return cli.CheckEnding(f.Output, "text")
	}
	graphs := []string{".dot", ".gv"}
	pictures := append(slices.Clone(chart.Endings), graphs...)
	switch {
	case f.SVG:
		return cli.CheckEnding(f.Output, "", pictures...)
	case f.DOT:
		return cli.CheckEnding(f.Output, "", append([]string{".svg"}, graphs...)...)
	}
	f.SVG, f.DOT = chart.IsPicture(f.Output), slices.Contains(graphs, chart.Ending(f.Output))
	return cli.CheckEnding(f.Output, "text or --json", pictures...)
}

func showOne(ctx context.Context, a *cli.App, args []string, f *Options) error {
	if slices.Contains(Lists, args[0]) {
		return showLists(a, args[0])
	}
	switch args[0] {
	case "model":
		return showModel(ctx, a, args[1], f)
	case "tree":
		return showTree(ctx, a, args[1], f)
	case "circuit":
		return showCircuit(ctx, a, args[1], f)
	case states:
		return showStates(a, args[1], f)
	case "vectors":
		return showVectors(ctx, a, args[1], f)
	}
	return showStage(ctx, a, compiler.Stage(args[0]), args[1], f)
}

// showStates draws the states of the pixels of an image.
func showStates(a *cli.App, path string, f *Options) error {
	m, err := grid.ReadStates(path)
	if err != nil {
		return err
	}
	text, err := m.Encode(chart.Ending(f.Output))
	if err == nil {
		_, err = a.Stdout.Write(text)
	}
	return err
}

// showStage prints a stage of the compilation of a model.
func showStage(ctx context.Context, a *cli.App, stage compiler.Stage, path string, f *Options) error {
	pass, err := f.pass(stage)
	if err != nil {
		return err
	}
	m, opt, err := a.LoadWithOptions(ctx, path, &f.ModelFlags)
	if err != nil {
		return err
	}
	opt.Queries, opt.Interpreted = f.Queries, false // as compile makes it
	var text passText
	_, err = a.Compile(ctx, path, m, opt, func(_ int, name string) io.WriteCloser {
		if name != pass {
			return nil
		}
		return &text
	})
	if err != nil {
		return err
	}
	_, err = a.Stdout.Write(text.Bytes())
	return err
}

// passText receives the dump of a pass.
type passText struct{ bytes.Buffer }

// Close does nothing; a dump is an io.WriteCloser.
func (*passText) Close() error { return nil }

// pass returns the name of the pass with the result that is shown: --stage's, or the last pass that
// makes the stage.
func (f *Options) pass(stage compiler.Stage) (string, error) {
	last := ""
	for _, p := range compiler.Pipeline {
		if p.Out == stage {
			last = p.Name
		}
		if p.Name == f.Stage && p.Out != stage {
			return "", cli.Usagef("--stage: pass %q makes a %s, not a %s", p.Name, p.Out, stage)
		}
		if p.Name == f.Stage {
			return p.Name, nil
		}
	}
	if f.Stage != "" {
		return "", cli.Usagef("--stage: unknown pass %q; pgmc show passes lists them", f.Stage)
	}
	return last, nil
}

// toFile calls f. With a path, it collects what f prints and writes it to that file when f has
// succeeded.
func toFile(ctx context.Context, a *cli.App, path string, f func() error) error {
	if path == "" || path == cli.Standard {
		return f()
	}
	var text bytes.Buffer
	stdout := a.Stdout
	a.Stdout = &text
	err := f()
	a.Stdout = stdout
	if err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	out := &folder.Writer{Dir: filepath.Dir(path), Files: []folder.File{{Name: filepath.Base(path), Data: text.Bytes()}}}
	return cli.AdviseFolder(out.Write())
}

// loadNamed loads a model. It names the model after its file if the model has no name.
func loadNamed(ctx context.Context, a *cli.App, path string, f *Options) (*model.Model, error) {
	m, err := a.Load(ctx, path, f.Format.Value)
	if err == nil && !m.Named() {
		m.Name = cli.ModelName(path)
	}
	return m, err
}

// The default limits of the nodes of a drawing or list, without --max-nodes: about as many as a
// reader, Graphviz and an editor can handle.
const (
	MaxSVGNodes  = 2_000
	MaxDOTNodes  = 100_000
	MaxTextNodes = 1_000_000
)

// maxDegree is the largest number of edges of a drawing for each node of its limit.
const maxDegree = 8

// limit returns the largest number of nodes.
func (f *Options) limit() int {
	switch {
	case f.MaxNodes > 0:
		return f.MaxNodes
	case f.SVG:
		return MaxSVGNodes
	case f.DOT:
		return MaxDOTNodes
	}
	return MaxTextNodes
}

// fits returns an error if something is too large to show.
func (f *Options) fits(path, what string, nodes, edges int) error {
	advice := "; raise --max-nodes"
	if f.SVG {
		advice = " for a drawing; raise --max-nodes, or write --dot"
	} else if f.DOT {
		advice = " for a drawing; raise --max-nodes"
	}
	most := f.limit()
	if nodes > most {
		return fmt.Errorf("%s: the %s has %s nodes; want at most %s%s", path, what, table.Thousands(nodes), table.Thousands(most), advice)
	}
	if most *= maxDegree; edges > most {
		return fmt.Errorf("%s: the %s has %s edges; want at most %s%s", path, what, table.Thousands(edges), table.Thousands(most), advice)
	}
	return nil
}

// drawGraph writes g as a drawing. path is the model's file, for errors.
func drawGraph(ctx context.Context, a *cli.App, path string, f *Options, g *draw.Graph) error {
	text, err := cli.Await(ctx, func() ([]byte, error) {
		var b bytes.Buffer
		write := g.WriteSVG
		if f.DOT {
			write = g.WriteDOT
		}
		err := write(&b)
		return b.Bytes(), err
	})
	if err != nil {
		return a.CompileError(path, err)
	}
	if text, err = chart.Encode(f.Output, text); err != nil {
		return err
	}
	_, err = a.Stdout.Write(text)
	return err
}
