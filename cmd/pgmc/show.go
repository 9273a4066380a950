package main

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/ir/model"
)

// showFlags are the flags of pgmc show.
type showFlags struct {
	modelFlags
	queries []string
	stage   string
}

// The things to show without a model, and with one.
var (
	showPlain = []string{"methods", "formats", "passes"}
	showModel = []string{"model", "problem", "schedule", "program"}
)

func (a *app) showCommand() *cobra.Command {
	f := &showFlags{}
	cmd := &cobra.Command{
		Use:   "show WHAT [MODEL]",
		Short: "Show a model, what the compiler makes of it, or what pgmc knows",
		Long: "Show prints a list (" + strings.Join(showPlain, ", ") + ") or a stage of a model's compilation (" + strings.Join(showModel, ", ") +
			"),\nthe last form of it or that after the pass --stage.",
		Example: "  pgmc show passes\n  pgmc show model asia.bif\n  pgmc show program asia.bif --stage lower",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return fmt.Errorf("found no operand; want %s", strings.Join(append(showPlain[:3:3], showModel...), ", "))
			}
			return checkShow(args)
		},
		ValidArgs: append(showPlain[:3:3], showModel...),
		RunE:      a.action(func(ctx context.Context, args []string) error { return a.runShow(ctx, args, f) }),
	}
	f.addTo(cmd)
	cmd.Flags().StringVar(&f.stage, "stage", "", "show what this `pass` made")
	cmd.Flags().StringArrayVar(&f.queries, "query", nil, "what to compile, as for pgmc compile; repeatable")
	return cmd
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
	return fmt.Errorf("nothing to show is called %q; want %s", args[0], strings.Join(append(showPlain[:3:3], showModel...), ", "))
}

// methodInfo, formatInfo and passInfo are what show prints of the lists.
type methodInfo struct {
	Name string `json:"name"`
	Doc  string `json:"doc"`
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
			return methodInfo{m.Name, m.Doc}, []string{m.Name, m.Doc}
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
	}
	if a.json {
		return usagef("show %s prints text alone; leave out --json", args[0])
	}
	return a.showStage(ctx, compiler.Stage(args[0]), args[1], f)
}

// showList prints a list, of which each element is a JSON value and the cells of a row.
func showList[T any](a *app, list []T, show func(i int, x T) (any, []string)) error {
	t := &table{}
	var values []any
	for i, x := range list {
		value, cells := show(i, x)
		values = append(values, value)
		t.add(cells...)
	}
	if a.json {
		return a.printJSON(values)
	}
	_, err := io.WriteString(a.stdout, t.String())
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
	m, err := a.load(ctx, path, f.format.value)
	if err != nil {
		return err
	}
	if stage == compiler.StageModel {
		_, err := io.WriteString(a.stdout, modelText(m))
		return err
	}
	opt, err := a.options(m, &f.modelFlags)
	if err != nil {
		return err
	}
	opt.Queries = f.queries
	var text dumpFile
	_, err = a.compile(ctx, path, m, opt, func(_ int, name string) io.WriteCloser {
		if name != pass {
			return nil
		}
		return &text
	})
	if err != nil {
		return err
	}
	_, err = a.stdout.Write(text.Bytes())
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
			return "", usagef("--stage: pass %q makes a %s, not a %s", p.Name, p.Out, stage)
		}
		if p.Name == f.stage {
			return p.Name, nil
		}
	}
	if f.stage != "" {
		return "", usagef("--stage: unknown pass %q; pgmc show passes lists them", f.stage)
	}
	return last, nil
}

// modelText lists the variables of a model with their states and parents, and the scopes of potentials.
func modelText(m *model.Model) string {
	head := fmt.Sprintf("%s model %q, %d variables, %d factors\n", m.Kind, m.Name, len(m.Vars), len(m.Factors))
	t := &table{}
	for _, v := range m.Vars {
		states := "{" + joinNames(m.States(v.ID)) + "}"
		parents := ""
		if cpd := m.CPD(v.ID); cpd != nil && len(cpd.Parents()) > 0 {
			parents = "| " + joinNames(varNames(m, cpd.Parents()))
		}
		t.add(quoteName(v.Name), parents, states)
	}
	text := head + t.String()
	for _, f := range m.Factors {
		if f.Child < 0 {
			text += "potential " + joinNames(varNames(m, f.Scope)) + "\n"
		}
	}
	return text
}

func varNames(m *model.Model, vars []model.VarID) []string {
	names := make([]string, len(vars))
	for i, v := range vars {
		names[i] = m.Vars[v].Name
	}
	return names
}

func joinNames(names []string) string {
	quoted := make([]string, len(names))
	for i, n := range names {
		quoted[i] = quoteName(n)
	}
	return strings.Join(quoted, ", ")
}
