package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/spf13/cobra"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/chart"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/compiled"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/decision"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/process"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/program"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/reply"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/rows"
	"github.com/pgmc-go/pgmc/codegen"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/compiler/method/minibucket"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// queryFlags are the flags of pgmc query.
type queryFlags struct {
	cli.ModelFlags
	cli.MethodFlags
	evidence, soft, targets []string
	jeffrey, do, joint      []string
	mapOf, mixture          []string
	all, logp, mpe, max     bool
	kmpe                    int
	engine, backend         cli.Choice
	batch                   string
	bounds                  bool // --method bound
	exact, certify          bool
	form                    form
	output, strategy        string
	sequence                sequenceFlags
	data                    cli.DataFlags // of a batch or a sequence
}

func (a *app) queryCommand() *cobra.Command {
	f := &queryFlags{}
	cmd := &cobra.Command{
		Use:   "query MODEL",
		Short: "Answer queries about a model",
		Long:  cli.QueryLong,
		Example: "  pgmc query asia.bif --evidence smoke=yes,xray=no\n" +
			"  pgmc query asia.bif --evidence smoke=yes --soft dysp=0.2/0.8 --targets lung,bronc --logp\n" +
			"  pgmc query asia.bif --do bronc=yes --evidence smoke=no --joint lung,dysp\n" +
			"  pgmc query asia.bif --evidence dysp=yes -o asia.svg\n" +
			"  pgmc sample asia.bif -o patients.csv\n" +
			"  pgmc query asia.bif --batch patients.csv --logp\n" +
			"  pgmc query umbrella.json --sequence days.csv --filter --predict 3",
		Args: cli.OneModel,
	}
	cmd.RunE = a.Action(a.Bounded(2, lessMemory, func(ctx context.Context, args []string) error {
		if cmd.Flags().Changed("kmpe") && (f.kmpe < 1 || f.kmpe > compiler.MaxCompletions) {
			return cli.Usagef("--kmpe is %d; want 1 to %d", f.kmpe, compiler.MaxCompletions)
		}
		if err := f.sequence.check(cmd, f, a.JSON); err != nil {
			return err
		}
		if f.sequence.file != "" && f.strategy != "" {
			return cli.Usagef("--strategy does not follow decisions of sequences, of which pgmc decide prints the policies; leave out one of --strategy and --sequence")
		}
		if f.sequence.file != "" {
			return a.runSequence(ctx, args[0], f)
		}
		return a.runQuery(ctx, args[0], f)
	}))
	f.ModelFlags.AddTo(cmd)
	f.MethodFlags.AddTo(cmd, &f.ModelFlags, nil)
	f.AllowBest(cmd)
	f.Brief = cli.QueryBrief()
	f.addTo(cmd)
	a.CompleteStates(cmd, "evidence", "do")
	a.CompleteVariables(cmd, "targets", "map", "joint", "mixture")
	return cmd
}

// addTo adds the flags of questions and answers.
func (f *queryFlags) addTo(cmd *cobra.Command) {
	fl := cmd.Flags()
	fl.StringArrayVarP(&f.evidence, "evidence", "e", nil, "states that were observed: `A=yes,B=no|maybe`; repeatable")
	fl.StringArrayVar(&f.soft, "soft", nil, "a likelihood for each state, or of a real variable a measurement and its standard deviation: `C=0.2/0.8,X=1.8±0.1`; repeatable")
	fl.StringArrayVar(&f.jeffrey, "jeffrey", nil, "the posterior that a variable must have: `C=0.7/0.3`; repeatable")
	fl.StringArrayVar(&f.do, "do", nil, "variables that are set by intervention, to a state or a distribution: `A=yes,B=0.3/0.7`; repeatable")
	fl.StringArrayVar(&f.joint, "joint", nil, "the joint posterior of these variables: `A,B`; repeatable")
	fl.StringArrayVar(&f.mixture, "mixture", nil, "the posterior of a real variable as a mixture of normal distributions: `X`; repeatable")
	fl.BoolVar(&f.all, "all", false, "the marginals of all variables; the default if no other flag asks for anything")
	fl.StringArrayVarP(&f.targets, "targets", "t", nil, "the marginals of these variables: `A,B`; repeatable")
	fl.BoolVar(&f.logp, "logp", false, "the log-probability of the evidence, and of potentials over real variables the logarithm of their integral")
	fl.BoolVar(&f.mpe, "mpe", false, "a most probable completion of the evidence")
	fl.BoolVar(&f.max, "maxmarginals", false, "in place of marginals and joint posteriors max-marginals: the log-probability of a best completion with each state of the variables of --targets, or of all, and with each joint state of those of --joint")
	fl.StringArrayVar(&f.mapOf, "map", nil, "a most probable joint state of these variables: `A,B`; repeatable")
	fl.BoolVar(&f.exact, "exact", false, "refuse what does not fit exactly, instead of answering by a search with bounds")
	fl.IntVar(&f.kmpe, "kmpe", 0, "this `number` of most probable completions, best first")
	cli.AddChoice(cmd, &f.engine, "engine", "answer by the interpreter, or by a package that is compiled and run", "interp", "compiled")
	cli.AddBackend(cmd, &f.backend)
	fl.BoolVar(&f.certify, "certify", false, "bound the rounding errors of exact answers")
	f.form.addTo(cmd)
	fl.BoolVar(&f.form.svg, "svg", false, "draw the network with the marginals as a picture; of a sequence the posteriors over time")
	fl.StringVarP(&f.output, "output", "o", "", "`file` to write to instead of standard output; .svg, .png, .pdf, .html and .csv choose the form")
	fl.StringVar(&f.batch, "batch", "", "answer the JSON lines or the data rows of a `file`; - is JSON lines from standard input; the exit code is 1 if a line failed")
	decision.AddStrategy(fl, &f.strategy)
	cli.AddSlices(cmd, &f.Slices)
	f.sequence.addTo(cmd)
	f.data.AddTwoSlices(fl)
	f.data.AddTo(cmd)
}

func (a *app) runQuery(ctx context.Context, path string, f *queryFlags) error {
	// One question is answered by more than the method's program.
	if f.Method.Value == minibucket.Bound.Name && f.engine.Value != "compiled" {
		f.bounds, f.Method.Value = true, f.Method.Words[0]
	}
	flags, err := cli.ParseEvidence(f.evidence, f.soft, f.jeffrey)
	if err == nil {
		f.form.byName(f.output)
		err = f.check(a.JSON)
	}
	if err != nil {
		return err
	}
	m, err := a.Load(ctx, path, f.Format.Value)
	if err == nil {
		m, err = intervene(m, f.do)
	}
	if err != nil {
		return err
	}
	if m.Transition != nil {
		return fmt.Errorf("%s: the network is a template of a sequence; ask about the rows of a file with --sequence FILE", path)
	}
	q := &query{path: path, output: f.output, vars: rows.Variables(m), backend: f.backend.Value}
	chosen := f.all || f.targets != nil
	if q.want, err = f.wanted(q.vars); err != nil {
		return err
	}
	if q.known, err = f.findings(path, m, flags); err != nil {
		return err
	}
	if m, err = a.decided(ctx, m, q, f); err != nil {
		return err
	}
	opt, err := a.Options(m, &f.ModelFlags)
	if err == nil && f.tabuMAP() {
		return a.answerTabu(ctx, m, q, opt.Rows, f)
	}
	if err == nil {
		err = a.decide(ctx, m, q, &opt, f)
	}
	if err == nil {
		err = f.complete(&opt, m, q, chosen)
	}
	if err != nil {
		return err
	}
	q.method = opt.Method
	a.Bounds = "--method " + minibucket.Bound.Name
	if f.bounds {
		return a.answerBounds(ctx, m, q, opt.Rows)
	}
	if f.form.svg {
		return a.drawAnswer(ctx, m, q, opt, f.output)
	}
	if f.batch == "" {
		return a.answerOrBound(ctx, m, q, opt, f)
	}
	return a.answerBatch(ctx, m, q, opt, f)
}

// check returns a usage error if flags contradict each other.
func (f *queryFlags) check(json bool) error {
	if err := f.form.check(json, f.output, append(slices.Clone(chart.Endings), ".html", ".htm")...); err != nil {
		return err
	}
	if err := f.checkCertify(); err != nil {
		return err
	}
	switch {
	case (f.form.any() || f.output != "") && f.batch != "":
		return cli.Usagef("the answers to --batch are JSON lines on standard output; leave out --svg, --html, --vega and --output")
	case (f.form.svg || f.form.vega) && (f.logp || f.mpe || f.joint != nil || f.mixture != nil || f.mapOf != nil || f.kmpe != 0 || f.engine.Value == "compiled"):
		return cli.Usagef("--svg and --vega show marginals; leave out --logp, --mpe, --joint, --mixture, --map, --kmpe and --engine")
	case f.batch != "" && len(f.evidence)+len(f.soft)+len(f.jeffrey) > 0:
		return cli.Usagef("--batch has the evidence in its file; leave out --evidence, --soft and --jeffrey")
	case f.jeffrey != nil && (f.mpe || f.joint != nil || f.mixture != nil || f.mapOf != nil || f.kmpe != 0):
		return cli.Usagef("--jeffrey is answered by marginals; leave out --mpe, --joint, --mixture, --map and --kmpe")
	case f.max && (f.form.svg || f.form.vega || f.jeffrey != nil || f.mixture != nil || f.bounds):
		return cli.Usagef("--maxmarginals takes the place of marginals; leave out --svg, --vega, --jeffrey, --mixture and --method %s", minibucket.Bound.Name)
	case f.bounds && f.MethodFlags.Stamp() != nil:
		return cli.Usagef("--%s is for packages of method %s, or --engine compiled; a single answer chooses its mini-buckets by --timeout and --max-mem", strings.Trim(f.MethodFlags.Stamp()[0], "-"), minibucket.Bound.Name)
	case f.bounds && !f.boundable():
		return cli.Usagef("--method %s answers --logp, --mpe, --map, --kmpe and marginals; leave out --engine, --batch, --svg, --html, --vega, --output, --jeffrey, --joint and --mixture", minibucket.Bound.Name)
	}
	return nil
}

// complete sets the method, its options and the queries of opt for q. marginals reports whether
// flags ask for them by name.
func (f *queryFlags) complete(opt *compiler.Options, m *model.Model, q *query, marginals bool) error {
	opt.Method = f.MethodFlags.Options(opt)
	if f.batch == "" {
		opt.Observed = observed(q.known, m)
	}
	opt.Queries = q.want.Queries(q.vars)
	opt.Measurements = f.measures(m, q.known)
	word, err := q.want.Iterate(opt.MethodName(), m, f.logp, f.logp || marginals)
	switch {
	case err != nil:
		return err
	case word != "" && f.jeffrey != nil:
		return fmt.Errorf("--jeffrey wants exact marginals; try --method %s", cli.ExactMethods())
	case word != "":
		opt.Queries = []string{word}
	case f.jeffrey != nil && q.want.Marginals == nil:
		return fmt.Errorf("%s: jeffrey is answered by marginals, and no flag asks for them", q.path)
	case f.engine.Value == "compiled" && q.want.Marginals != nil && (f.batch != "" || f.jeffrey != nil):
		opt.Queries = append(opt.Queries, "jeffrey")
	}
	return nil
}

// measures reports whether a program has to take measurements of real variables: the evidence has
// some, or a batch of JSON may. The interpreter compiles another program when it meets one.
func (f *queryFlags) measures(m *model.Model, known *infer.Findings) bool {
	chosen := f.engine.Value == "compiled" && f.Method.Value == f.Method.Words[0]
	if x := compiler.Preferred(m); x == nil || !x.Measures || f.Method.Value != x.Name && !chosen {
		return false
	}
	if f.batch != "" {
		return !rows.IsTable(f.batch)
	}
	return slices.ContainsFunc(m.Reals(), func(v model.VarID) bool { return known.Soft[v] != nil })
}

// answerBatch answers the questions of a file.
func (a *app) answerBatch(ctx context.Context, m *model.Model, q *query, opt compiler.Options, f *queryFlags) (err error) {
	var done atomic.Int64
	q.done = func() { done.Add(1) }
	defer a.Progress("answering "+filepath.Base(q.path), done.Load).Stop()
	if q.r, err = a.Compile(ctx, q.path, m, opt, nil); err != nil {
		return err
	}
	var engine rows.Engine
	if f.engine.Value == "compiled" {
		c, end, err := a.startCompiled(ctx, q)
		if err != nil {
			return err
		}
		defer end()
		engine = c
	} else {
		engine = rows.NewBatchInterpreter(ctx, q.r, &q.want)
	}
	s := rows.NewServer(q.vars, q.want, engine)
	s.Done = q.done
	return s.ServeFile(ctx, a.App, f.batch, &f.data, q.r.Model)
}

// query is a question, or a batch of them, with the program that answers it.
type query struct {
	r       *compiler.Result
	path    string
	output  string // the file for the answer; empty for standard output
	vars    []rows.Variable
	want    rows.Wanted
	known   *infer.Findings
	backend string
	done    func() // called after each answer of the interpreter
	method  method.Options
}

// answerOne answers the question of the flags and prints the answer.
func (a *app) answerOne(ctx context.Context, q *query, compiled bool, f *queryFlags) error {
	var x *rows.Answer
	var err error
	if compiled {
		asked := *q
		asked.want.LogP = q.want.LogP || f.certify // what is certified is computed
		x, err = a.askCompiled(ctx, &asked)
	} else {
		x, err = q.interpret(ctx)
	}
	if err != nil {
		return err
	}
	switch {
	case f.certify:
		return a.certify(ctx, q, x)
	case x.Most != nil:
		bounded, err := reply.BoundedBy(x, q.r.Model, q.vars, &q.want)
		return errors.Join(err, a.writeBounded(bounded, q.output))
	}
	if f.logp && q.r.Model.Traits()&model.Canonicals != 0 {
		x.LogZ = &q.r.Program.LogZ
	}
	if q.want.LogP {
		x.Weigh(q.r.Model, q.known)
	}
	answer := reply.New(x, q.vars, &q.want, q.known.Jeffrey != nil)
	if w := answer.Warning(); w != "" {
		var list diag.List
		list.Warnf(diag.Pos{File: q.path}, "%s", w)
		a.Warn(list.Warnings())
	}
	return a.writeReply(answer, f)
}

// interpret answers the question in process.
func (q *query) interpret(ctx context.Context) (*rows.Answer, error) {
	x, err := cli.Await(cli.EndsItself(ctx, q.r.Program), func() (*rows.Answer, error) { return rows.Interpret(ctx, q.r, &q.want, q.known) })
	var internal *cli.InternalError
	if err != nil && ctx.Err() == nil && !errors.As(err, &internal) {
		return nil, fmt.Errorf("%s: %w", q.path, err)
	}
	return x, err
}

// askCompiled answers the question by a package that is emitted and built for it.
func (a *app) askCompiled(ctx context.Context, q *query) (x *rows.Answer, err error) {
	c, end, err := a.startCompiled(ctx, q)
	if err != nil {
		return nil, err
	}
	defer end()
	var failed error
	err = rows.NewServer(q.vars, q.want, c).Ask(ctx, []*rows.Question{rows.QuestionOf(q.known, q.r.Model)}, func(answer *rows.Answer, err error) { x, failed = answer, err })
	switch {
	case err != nil:
		return nil, err
	case errors.Is(failed, rows.ErrImpossible):
		failed = rows.Impossible(ctx, q.r, q.known) // unlike failed, it names sets of states
	}
	if failed != nil {
		return nil, fmt.Errorf("%s: %w", q.path, failed)
	}
	return x, nil
}

// startCompiled emits a package for q, builds the program that runs it, and starts it. end ends and
// removes the program.
func (a *app) startCompiled(ctx context.Context, q *query) (c *compiled.Engine, end func(), err error) {
	if process.NeedGo() != nil {
		return nil, nil, errors.New("--engine compiled needs the go command, which is not in PATH; use --engine interp")
	}
	pkg, err := a.Emit(ctx, q.r, codegen.Options{Package: "compiled", Source: filepath.Base(q.path), Backend: q.backend})
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", filepath.Base(q.path), err)
	}
	q.want.JointMethods(pkg, q.r.Program, rows.Observable(q.r.Model))
	p, err := program.New(ctx, pkg, compiled.DriverSource)
	if err != nil {
		return nil, nil, err
	}
	if c, err = compiled.Start(ctx, p, q.vars); err != nil {
		p.Close()
		return nil, nil, err
	}
	return c, func() { c.Close(); p.Close() }, nil
}
