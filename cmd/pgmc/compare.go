package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/rows"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/compiler/method/jointree"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// compareFlags are the flags of pgmc compare.
type compareFlags struct {
	cli.ModelFlags
	methods      []string
	evidence     []string
	evidenceFile string
	svg          string
	samples      int
}

func (a *app) compareCommand() *cobra.Command {
	f := &compareFlags{}
	cmd := &cobra.Command{
		Use:   "compare MODEL [OTHER]",
		Short: "Several methods on the same evidence: error, time and convergence; or how far two models are apart",
		Long: "Compare answers the same questions by several methods, interpreted, and holds the marginals of the unobserved variables and ln P(evidence)\n" +
			"against exact ones: the largest error of a probability, the mean divergence KL(exact, approximate) of a variable in nats, the share of\n" +
			"variables whose most probable state is another one, the rounds of methods that iterate, how many settled, and the time of an answer.\n\n" +
			"A method is a name, with options behind it as in edgedel:max-cluster=100:parameters=posterior. Evidence files are those of pgmc query\n" +
			"--batch. Where no exact method fits the model, errors are left out.\n" +
			"Methods that give a completion, such as trws and tabu, are held against a most probable one: how far ln P is below that, and what was proven.\n\n" +
			"With another model, compare estimates the Kullback-Leibler divergence of each from the other, by rows that the one draws and both rate:\n" +
			"the mean of ln of the ratio of their probabilities, in nats. Both have the same variables, by name, of the same states.",
		Example: "  pgmc compare asia.bif --evidence smoke=yes,xray=no\n" +
			"  pgmc compare alarm.bif --evidence-file rows.jsonl --methods belief,edgedel:max-cluster=16,edgedel:max-cluster=1 --svg alarm.svg\n" +
			"  pgmc compare alarm.bif learned.bif --samples 100000",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 && len(args) != 2 {
				return fmt.Errorf("found %d operands; want a model, or two", len(args))
			}
			return nil
		},
		RunE: a.Action(func(ctx context.Context, args []string) error {
			if len(args) == 2 {
				return a.compareModels(ctx, args[0], args[1], f)
			}
			return a.runCompare(ctx, args[0], f)
		}),
	}
	f.AddFormat(cmd, "format")
	f.AddRows(cmd)
	fl := cmd.Flags()
	fl.StringVar(&f.Order, "order", "auto", "elimination order: auto, min-fill, min-weight, weighted-min-fill, or a `file` with a variable a line")
	fl.StringSliceVar(&f.methods, "methods", []string{"belief", "meanfield", "edgedel"}, "the methods, each with its options behind colons: `M,M:option=value`")
	fl.StringArrayVar(&f.evidence, "evidence", nil, "what was observed: `A=yes,B=no|maybe`; repeatable")
	fl.StringVar(&f.evidenceFile, "evidence-file", "", "the JSON lines or the data rows of a `file`, a question each; - is standard input, of JSON lines")
	fl.IntVar(&f.samples, "samples", 10000, "of two models: how many `rows` each draws")
	fl.StringVar(&f.svg, "svg", "", "draw error against time into a `file`")
	return cmd
}

func (a *app) runCompare(ctx context.Context, path string, f *compareFlags) error {
	if f.evidenceFile != "" && f.evidence != nil {
		return cli.Usagef("--evidence-file brings its own evidence; leave out --evidence")
	}
	row, err := rows.EvidenceRow(f.evidence, nil, nil)
	if err != nil {
		return err
	}
	m, opt, err := a.LoadWithOptions(ctx, path, &f.ModelFlags)
	if err != nil {
		return err
	}
	questions, err := a.questions(ctx, f.evidenceFile, row, m)
	if err != nil {
		return err
	}
	c := &comparison{app: a, path: path, model: m, opt: opt, questions: questions}
	c.report = compareReport{Model: path, Questions: len(questions), Methods: []methodReport{}}
	if err := c.all(ctx, f.methods); err != nil {
		return err
	}
	if err := a.writePlot(&c.report, f.svg); err != nil {
		return err
	}
	if a.JSON {
		return a.PrintJSON(&c.report)
	}
	_, err = io.WriteString(a.Stdout, c.report.text())
	return err
}

// questions reads the evidence: the one row, or those of a file.
func (a *app) questions(ctx context.Context, file string, row []byte, m *model.Model) ([]*rows.Question, error) {
	in, closeInput, err := rows.Open(ctx, file, a.Stdin, row, m)
	if err != nil {
		return nil, err
	}
	defer closeInput()
	stop := make(chan struct{})
	defer close(stop)
	r := rows.NewServer(rows.Variables(m), rows.Wanted{}, nil)
	lines := rows.ReadLines(in, stop)
	var out []*rows.Question
	for l := range lines {
		if l.Err != nil {
			return nil, l.Err
		}
		q, _, err := r.Parse(&l)
		if err != nil {
			return nil, fmt.Errorf("line %d of the evidence: %w", l.Number, err)
		}
		if q.Jeffrey != nil {
			return nil, fmt.Errorf("line %d of the evidence: jeffrey is not compared; use pgmc query", l.Number)
		}
		q.Ctx = ctx
		out = append(out, q)
	}
	return out, nil
}

// comparison is a run of pgmc compare.
type comparison struct {
	*app
	path      string
	model     *model.Model
	opt       compiler.Options
	questions []*rows.Question
	want      []*rows.Answer // by question: the exact answer; nil where the evidence is impossible; empty where there are none
	best      []*rows.Answer // likewise, most probable completions
	report    compareReport
	done      atomic.Int64
}

// all answers by the exact method, then by the others.
func (c *comparison) all(ctx context.Context, methods []string) error {
	defer c.Progress("comparing "+filepath.Base(c.path), c.done.Load).Stop()
	if err := c.exact(ctx); err != nil {
		return err
	}
	for _, spec := range methods {
		if err := c.run(ctx, spec); err != nil {
			return err
		}
	}
	return nil
}

// exact answers exactly, where the model is not too wide for that.
func (c *comparison) exact(ctx context.Context) error {
	c.report.Exact = "exact"
	if c.model.Kind == model.Dependency {
		c.report.Exact = "none: a dependency network has no joint distribution"
		return nil
	}
	opt := c.opt
	opt.Method, opt.Queries = nil, []string{"marginals"}
	start := time.Now()
	r, err := c.Compile(ctx, c.path, c.model, opt, nil)
	var internal *cli.InternalError
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &internal):
		return err
	case err != nil:
		c.report.Exact = "none: " + err.Error()
		return nil
	}
	compiling := time.Since(start)
	answers, seconds, err := c.answers(r, rows.Wanted{Marginals: make([]bool, len(c.model.Vars)), LogP: true})
	if err != nil {
		return err
	}
	c.want = answers
	for _, a := range answers {
		if a == nil {
			c.report.Impossible++
		}
	}
	c.report.Methods = append(c.report.Methods, c.judge(jointree.Method.Name, method.Exact.String(), compiling, seconds, answers))
	return nil
}

// answers asks all questions, and takes the time of an answer in seconds.
func (c *comparison) answers(r *compiler.Result, want rows.Wanted) (out []*rows.Answer, seconds float64, err error) {
	engine := rows.NewInterpreter(r)
	for _, q := range c.questions {
		a := &rows.Answer{}
		start := time.Now()
		err := engine.Answer(q, &want, a)
		seconds += time.Since(start).Seconds() / float64(len(c.questions))
		switch {
		case errors.Is(err, rows.ErrImpossible):
			a = nil
		case err != nil:
			return nil, 0, fmt.Errorf("%s: %w", c.path, err)
		}
		out = append(out, a)
		c.done.Add(1)
	}
	return out, seconds, nil
}

// run answers by a method. One that can't is listed with its reason.
func (c *comparison) run(ctx context.Context, spec string) error {
	words := strings.Split(spec, ":")
	opt := c.opt
	opt.Method = compiler.Named(words[0], words[1:]...)
	if _, err := compiler.FindMethod(words[0]); err != nil {
		return cli.Usagef("--methods: %w", err)
	}
	want := rows.Wanted{Marginals: make([]bool, len(c.model.Vars)), LogP: true}
	if by := cli.Approximate(words[0]); by != nil && by.Answers.Kind.Answer() == ir.AnswerStates {
		want = rows.Wanted{MPE: true}
	}
	query, err := want.Iterate(words[0], c.model, false, false)
	if err != nil {
		return err
	}
	if query == "" {
		query = "marginals"
	}
	opt.Queries = []string{query}
	start := time.Now()
	r, err := c.Compile(ctx, c.path, c.model, opt, nil)
	var internal *cli.InternalError
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &internal):
		return err
	case err != nil:
		c.report.Methods = append(c.report.Methods, methodReport{Method: spec, Refused: err.Error()})
		return nil
	}
	compiling := time.Since(start)
	answers, seconds, err := c.answers(r, want)
	if err != nil {
		return err
	}
	if want.MPE {
		return c.judgeBest(ctx, spec, r.Claim.String(), compiling, seconds, answers)
	}
	m := c.judge(spec, r.Claim.String(), compiling, seconds, answers)
	if !want.LogP {
		m.LogP = nil
	}
	c.report.Methods = append(c.report.Methods, m)
	return nil
}
