package compare

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/chart"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/rows"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/compiler/method/jointree"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Options are the flags of pgmc compare.
type Options struct {
	cli.ModelFlags
	Methods      []string // each with its options after colons
	Evidence     []string // as diag.SplitNames reads it
	EvidenceFile string   // a question a row, in place of Evidence
	SVG          string   // the file of the plot; empty for none
	Samples      int      // the rows that each of two models draws
}

// Run compares methods on the model at path and prints the report.
func Run(ctx context.Context, a *cli.App, path string, f *Options) error {
	if err := cli.CheckEnding(f.SVG, "", chart.Endings...); err != nil {
		return err
	}
	if f.EvidenceFile != "" && f.Evidence != nil {
		return cli.Usagef("--evidence-file brings its own evidence; leave out --evidence")
	}
	flags, err := cli.ParseEvidence(f.Evidence, nil, nil)
	if err != nil {
		return err
	}
	m, opt, err := a.LoadWithOptions(ctx, path, &f.ModelFlags)
	if err != nil {
		return err
	}
	questions, err := readQuestions(ctx, a, f.EvidenceFile, flags, m)
	if err != nil {
		return err
	}
	c := &comparison{App: a, path: path, model: m, opt: opt, questions: questions}
	c.report = report{Model: path, Questions: len(questions), Methods: []methodReport{}}
	if err := c.all(ctx, f.Methods); err != nil {
		return err
	}
	if err := writePlot(a, &c.report, f.SVG); err != nil {
		return err
	}
	return a.Print(&c.report, c.report.text)
}

// readQuestions returns a question with the evidence of the flags, or one for each row of file if
// file is not empty.
func readQuestions(ctx context.Context, a *cli.App, file string, flags cli.Evidence, m *model.Model) ([]*rows.Question, error) {
	if file == "" {
		known, err := flags.Findings(m)
		if err != nil {
			return nil, err
		}
		q := rows.QuestionOf(known, m)
		q.Ctx = ctx
		return []*rows.Question{q}, nil
	}
	list, err := rows.ReadFile(ctx, a, file, m)
	if err != nil {
		return nil, err
	}
	for _, q := range list {
		if q.Jeffrey != nil {
			return nil, fmt.Errorf("line %d of the evidence: jeffrey is not compared; use pgmc query", q.Line)
		}
	}
	return list, nil
}

// comparison is one run of pgmc compare.
type comparison struct {
	*cli.App
	path      string
	model     *model.Model
	opt       compiler.Options
	questions []*rows.Question
	// want holds the exact answer of each question, nil if its evidence is impossible. It is empty
	// if no exact method fits the model.
	want   []*rows.Answer
	best   []*rows.Answer // for each question a most probable completion
	report report
	done   atomic.Int64
}

// all answers the questions by the exact method, then by the others.
func (c *comparison) all(ctx context.Context, methods []string) error {
	defer c.Progress("comparing "+filepath.Base(c.path), c.done.Load).Stop()
	if err := c.exact(ctx); err != nil {
		return err
	}
	for _, spec := range methods {
		if c.listed(spec) {
			continue
		}
		if err := c.run(ctx, spec); err != nil {
			return err
		}
	}
	return nil
}

// listed reports whether the report has a method, with the options of spec, already. The first one
// is the exact answers'.
func (c *comparison) listed(spec string) bool {
	return slices.ContainsFunc(c.report.Methods, func(m methodReport) bool { return m.Method == spec }) ||
		slices.ContainsFunc(c.report.Best, func(m bestReport) bool { return m.Method == spec })
}

// exact answers the questions exactly, unless no exact method takes the model.
func (c *comparison) exact(ctx context.Context) error {
	c.report.Exact = "exact"
	opt := c.opt
	opt.Method, opt.Queries = nil, []string{"marginals"}
	start := time.Now()
	r, refused, err := c.compile(ctx, opt)
	switch {
	case err != nil:
		return err
	case refused != nil:
		c.report.Exact = "none: " + cli.Text(refused)
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
	c.report.Methods = append(c.report.Methods, c.summarise(exactName(c.model), method.Exact.String(), compiling, seconds, answers))
	return nil
}

// exactName returns the name of the method by which a model is answered if none is chosen.
func exactName(m *model.Model) string {
	if x := compiler.Preferred(m); x != nil {
		return x.Name
	}
	return jointree.Method.Name
}

// compile compiles a query. refused is the error if the method does not take the model; err ends
// the run.
func (c *comparison) compile(ctx context.Context, opt compiler.Options) (r *compiler.Result, refused, err error) {
	r, err = c.Compile(ctx, c.path, c.model, opt, nil)
	var internal *cli.InternalError
	var usage cli.UsageError
	switch {
	case ctx.Err() != nil:
		return nil, nil, ctx.Err()
	case errors.As(err, &internal), errors.As(err, &usage):
		return nil, nil, err
	}
	return r, err, nil
}

// answers answers all questions and returns the mean time of an answer in seconds.
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

// run answers the questions by a method. A method that refuses the model is listed with its reason.
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
	r, refused, err := c.compile(ctx, opt)
	switch {
	case err != nil:
		return err
	case refused != nil:
		c.report.Methods = append(c.report.Methods, methodReport{Method: spec, Refused: cli.Text(refused)})
		return nil
	}
	compiling := time.Since(start)
	answers, seconds, err := c.answers(r, want)
	if err != nil {
		return err
	}
	if want.MPE {
		return c.summariseBest(ctx, spec, r.Claim.String(), compiling, seconds, answers)
	}
	m := c.summarise(spec, r.Claim.String(), compiling, seconds, answers)
	if !want.LogP {
		m.LogP = nil
	}
	c.report.Methods = append(c.report.Methods, m)
	return nil
}
