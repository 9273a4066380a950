package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/draw"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/table"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/compiler/method/jointree"
	"github.com/pgmc-go/pgmc/ir/folder"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn"
	"github.com/pgmc-go/pgmc/learn/learner"
)

// showFlags are the flags of pgmc show.
type showFlags struct {
	cli.ModelFlags
	queries  []string
	stage    string
	dot, svg bool
	output   string
	maxNodes int
	vars     []string
	dsep     []string
}

// The things to show without a model, and with one: first those that can be drawn.
var (
	showPlain = []string{"methods", "formats", "passes", "algos"}
	showDrawn = []string{"model", "tree", "circuit"}
	showModel = append(showDrawn[:3:3], "problem", "plan", "program")
	showAll   = append(showPlain[:4:4], showModel...)
)

func (a *app) showCommand() *cobra.Command {
	f := &showFlags{}
	cmd := &cobra.Command{
		Use:   "show WHAT [MODEL]",
		Short: "Show a model, what the compiler makes of it, or what pgmc knows",
		Long: "Show prints a list (" + strings.Join(showPlain, ", ") + "), or of a model:\n\n" +
			"  model     its variables; with --var one of them and its Markov blanket; with --dsep whether two are separated;\n" +
			"            of a dependency network also whether its CPDs fit together\n" +
			"  tree      the clique tree of method jointree\n" +
			"  circuit   the arithmetic circuit of the probability of evidence, or of the best completion (--query mpe)\n" +
			"  problem, plan, program\n" +
			"            a stage of its compilation, in its last form or as the pass --stage made it\n\n" +
			"Model, tree and circuit are text or JSON, or are drawn: --dot for Graphviz, --svg as a picture.",
		Example: "  pgmc show passes\n" +
			"  pgmc show model asia.bif --var lung\n" +
			"  pgmc show model asia.bif --dsep 'smoke, xray | either'\n" +
			"  pgmc show model asia.bif --svg -o asia.svg\n" +
			"  pgmc show tree asia.bif --dot | dot -Tpdf -o tree.pdf\n" +
			"  pgmc show circuit sprinkler.bif\n" +
			"  pgmc show program asia.bif --stage lower",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return fmt.Errorf("found no operand; want %s", strings.Join(showAll, ", "))
			}
			return checkShow(args)
		},
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			switch {
			case len(args) == 0:
				return showAll, cobra.ShellCompDirectiveNoFileComp
			case len(args) == 1 && slices.Contains(showModel, args[0]):
				return nil, cobra.ShellCompDirectiveDefault
			}
			return nil, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: a.Action(func(ctx context.Context, args []string) error {
			if err := f.check(args[0], a.JSON); err != nil {
				return err
			}
			return a.toFile(ctx, f.output, func() error { return a.runShow(ctx, args, f) })
		}),
	}
	f.AddTo(cmd)
	fl := cmd.Flags()
	fl.StringVar(&f.stage, "stage", "", "show what this `pass` made")
	fl.StringArrayVar(&f.queries, "query", nil, "what to compile, as for pgmc compile; repeatable; of a circuit logprob or mpe")
	fl.BoolVar(&f.dot, "dot", false, "draw for Graphviz")
	fl.BoolVar(&f.svg, "svg", false, "draw as an SVG picture")
	fl.StringVarP(&f.output, "output", "o", "", "`file` to write to instead of standard output")
	fl.IntVar(&f.maxNodes, "max-nodes", 0, "most `nodes` of a drawing or circuit; 0 for "+fmt.Sprintf("%d with --svg, %d with --dot, %d as text", maxSVGNodes, maxDOTNodes, maxTextNodes))
	fl.StringArrayVar(&f.vars, "var", nil, "describe this `variable` of a model; repeatable")
	fl.StringArrayVar(&f.dsep, "dsep", nil, "whether two variables are d-separated given others: a `question` such as 'A, B | C, D'; repeatable")
	return cmd
}

// check refuses flags that do not belong together.
func (f *showFlags) check(what string, json bool) error {
	drawn := slices.Contains(showDrawn, what)
	for _, c := range []struct {
		flag  string
		given bool
		fits  bool
		want  string
	}{
		{"--dot", f.dot, drawn, strings.Join(showDrawn, ", ")},
		{"--svg", f.svg, drawn, strings.Join(showDrawn, ", ")},
		{"--max-nodes", f.maxNodes != 0, drawn, strings.Join(showDrawn, ", ")},
		{"--var", f.vars != nil, what == "model", "model"},
		{"--dsep", f.dsep != nil, what == "model", "model"},
		{"--query", f.queries != nil, what != "model" && what != "tree", "circuit, problem, plan, program"},
		{"--stage", f.stage != "", !drawn || what == "model", "model, problem, plan, program"},
	} {
		if c.given && !c.fits {
			return cli.Usagef("%s is not for show %s; it is for %s", c.flag, what, c.want)
		}
	}
	switch {
	case f.dot && f.svg:
		return cli.Usagef("found both --dot and --svg; want one of them")
	case json && (f.dot || f.svg):
		return cli.Usagef("a drawing is no JSON; leave out --json, or --dot and --svg")
	case f.vars != nil && (f.dot || f.svg):
		return cli.Usagef("--var describes variables as text or JSON; leave out --dot and --svg")
	case f.maxNodes < 0:
		return cli.Usagef("--max-nodes is %d; want 0 or more", f.maxNodes)
	case what == "tree" && f.Method.Value != "auto" && f.Method.Value != jointree.Method.Name:
		return cli.Usagef("a clique tree is what method %s works on; leave out --method %s", jointree.Method.Name, f.Method.Value)
	case json && slices.Contains(showModel, what) && !drawn:
		return cli.Usagef("show %s prints text alone; leave out --json", what)
	}
	return nil
}

// checkShow checks operands.
func checkShow(args []string) error {
	for _, what := range showPlain {
		if args[0] == what && len(args) > 1 {
			return fmt.Errorf("show %s takes no further operand; found %q", what, args[1])
		} else if args[0] == what {
			return nil
		}
	}
	for _, what := range showModel {
		if args[0] == what && len(args) != 2 {
			return fmt.Errorf("show %s takes one model; found %d", what, len(args)-1)
		} else if args[0] == what {
			return nil
		}
	}
	return fmt.Errorf("nothing to show is called %q; want %s", args[0], strings.Join(showAll, ", "))
}

// methodInfo, formatInfo and passInfo are what show prints of the lists.
type methodInfo struct {
	Name string `json:"name"`
	Doc  string `json:"doc"`
}

type inferenceInfo struct {
	methodInfo
	Kinds     string `json:"kinds"`
	Guarantee string `json:"guarantee"`
	Cost      string `json:"cost"`
}

type formatInfo struct {
	Name       string   `json:"name"`
	Extensions []string `json:"extensions"`
	Doc        string   `json:"doc"`
}

type passInfo struct {
	Number   int            `json:"number"`
	Name     string         `json:"name"`
	In       compiler.Stage `json:"in"`
	Out      compiler.Stage `json:"out"`
	Required bool           `json:"required"`
	Why      string         `json:"why"`
}

func (a *app) runShow(ctx context.Context, args []string, f *showFlags) error {
	switch args[0] {
	case "methods":
		return showList(a, compiler.Methods, func(_ int, m method.Method) (any, []string) {
			return inferenceInfo{methodInfo{m.Name, m.Doc}, m.Kinds, m.Guarantee, m.Cost}, []string{m.Name, m.Kinds, m.Guarantee, m.Cost, m.Doc}
		})
	case "algos":
		return showList(a, learn.Learners, func(_ int, l learner.Learner) (any, []string) {
			return methodInfo{l.Name, l.Doc}, []string{l.Name, l.Doc}
		})
	case "formats":
		return showList(a, compiler.Formats, func(_ int, x format.Format) (any, []string) {
			return formatInfo{x.Name, x.Exts, x.Doc}, []string{x.Name, strings.Join(x.Exts, " "), x.Doc}
		})
	case "passes":
		return showList(a, compiler.Pipeline, func(i int, p compiler.Pass) (any, []string) {
			cells := []string{strconv.Itoa(i + 1), p.Name, string(p.In) + " to " + string(p.Out), need(p.Required), p.Why}
			return passInfo{i + 1, p.Name, p.In, p.Out, p.Required, p.Why}, cells
		})
	case "model":
		return a.showModel(ctx, args[1], f)
	case "tree":
		return a.showTree(ctx, args[1], f)
	case "circuit":
		return a.showCircuit(ctx, args[1], f)
	}
	return a.showStage(ctx, compiler.Stage(args[0]), args[1], f)
}

// showList prints a list, of which each element is a JSON value and the cells of a row.
func showList[T any](a *app, list []T, show func(i int, x T) (any, []string)) error {
	t := &table.Table{}
	var values []any
	for i, x := range list {
		value, cells := show(i, x)
		values = append(values, value)
		t.Add(cells...)
	}
	if a.JSON {
		return a.PrintJSON(values)
	}
	_, err := io.WriteString(a.Stdout, t.String())
	return err
}

func need(required bool) string {
	if required {
		return "required"
	}
	return "optional"
}

// showStage prints a stage of the compilation of a model.
func (a *app) showStage(ctx context.Context, stage compiler.Stage, path string, f *showFlags) error {
	pass, err := f.pass(stage)
	if err != nil {
		return err
	}
	m, opt, err := a.LoadWithOptions(ctx, path, &f.ModelFlags)
	if err != nil {
		return err
	}
	opt.Queries = f.queries
	var text dumpFile
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

// pass is the pass whose result to show: that of --stage, or the last that made the stage.
func (f *showFlags) pass(stage compiler.Stage) (string, error) {
	last := ""
	for _, p := range compiler.Pipeline {
		if p.Out == stage {
			last = p.Name
		}
		if p.Name == f.stage && p.Out != stage {
			return "", cli.Usagef("--stage: pass %q makes a %s, not a %s", p.Name, p.Out, stage)
		}
		if p.Name == f.stage {
			return p.Name, nil
		}
	}
	if f.stage != "" {
		return "", cli.Usagef("--stage: unknown pass %q; pgmc show passes lists them", f.stage)
	}
	return last, nil
}

// toFile runs f, which prints, and puts what it printed into a file once it is done; without a path it prints.
func (a *app) toFile(ctx context.Context, path string, f func() error) error {
	if path == "" {
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

// loadNamed loads a model, and names it after its file where it has no name of its own.
func (a *app) loadNamed(ctx context.Context, path string, f *showFlags) (*model.Model, error) {
	m, err := a.Load(ctx, path, f.Format.Value)
	if err == nil && m.Name == "" {
		m.Name = cli.ModelName(path)
	}
	return m, err
}

// The most nodes of what show draws or lists, where --max-nodes does not say: what a reader, Graphviz and an editor can
// still take.
const (
	maxSVGNodes  = 2_000
	maxDOTNodes  = 100_000
	maxTextNodes = 1_000_000
)

// maxDegree is the most edges of a drawing for each node that it may have.
const maxDegree = 8

// limit is the most nodes.
func (f *showFlags) limit() int {
	switch {
	case f.maxNodes > 0:
		return f.maxNodes
	case f.svg:
		return maxSVGNodes
	case f.dot:
		return maxDOTNodes
	}
	return maxTextNodes
}

// fits refuses what is too large to show.
func (f *showFlags) fits(path, what string, nodes, edges int) error {
	advice := "; raise --max-nodes"
	if f.svg {
		advice = " for a drawing; raise --max-nodes, or write --dot"
	} else if f.dot {
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

// drawGraph writes a drawing of g, which shows something of the model at path.
func (a *app) drawGraph(ctx context.Context, path string, f *showFlags, g *draw.Graph) error {
	text, err := cli.Await(ctx, func() ([]byte, error) {
		var b bytes.Buffer
		write := g.WriteSVG
		if f.dot {
			write = g.WriteDOT
		}
		err := write(&b)
		return b.Bytes(), err
	})
	if err != nil {
		return a.CompileError(path, err)
	}
	_, err = a.Stdout.Write(text)
	return err
}
