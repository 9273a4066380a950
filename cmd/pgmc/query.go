package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"sync/atomic"

	"github.com/spf13/cobra"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/process"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/rows"
	"github.com/pgmc-go/pgmc/codegen"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/method/edgedel"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/diag"
)

// queryFlags are the flags of pgmc query.
type queryFlags struct {
	cli.ModelFlags
	cli.MethodFlags
	evidence, soft, targets []string
	jeffrey, do, joint      []string
	mapOf                   []string
	all, logp, mpe          bool
	kmpe                    int
	engine, backend         cli.Choice
	batch                   string
}

func (a *app) queryCommand() *cobra.Command {
	f := &queryFlags{}
	cmd := &cobra.Command{
		Use:   "query MODEL",
		Short: "Answer queries about a model",
		Long: "Query answers by itself, without a package: posterior marginals, the log-probability of the evidence (natural logarithm), and\n" +
			"a most probable completion or several, and with --map a most probable joint state of some variables, all others summed out. Names that hold , = | ( or blanks are written in double quotes, as in Go.\n\n" +
			"What was seen of a variable is a state, several states of which it has one, as in A=yes|maybe, or with --soft a likelihood: for\n" +
			"each state how probable what was seen is in it. With --jeffrey the numbers are the posterior itself, all told: the answer is then\n" +
			"of the nearest distribution in which the variable has it (Jeffrey's rule; several are fitted in turn). With --do a variable is\n" +
			"set from outside, which tells nothing of its causes. Of a real variable, which only latent dependency forest models have, a value was\n" +
			"seen, as in X=1.8; its answer is a mean and a variance, and standard errors count in its standard deviations.\n\n" +
			"With --method belief or meanfield, marginals and ln P are approximate and the network may be of any width; the answer says whether the\n" +
			"method settled. --iterations, --tolerance and --damping say when it ends; pgmc show methods lists guarantees.\n" +
			"With --method maxprod, trws or mplp --mpe is a probable completion, which the last two may prove to be a most probable one: the answer says what no\n" +
			"completion exceeds. --all with maxprod are max-marginals. Of Markov networks, logarithms are of the product of the potentials.\n" +
			"With --method gibbs marginals are estimates of Markov chains, with standard errors, of --chains, --burn-in, --iterations and --seed; with --logp\n" +
			"so is the probability of the observed states, one after the other. Methods lw (of Bayesian networks) and ais weigh samples, and estimate ln P\n" +
			"as well. Methods icm, tabu and anneal search for a most probable completion, and prove nothing; of a Markov network its value is not divided by Z.\n\n" +
			"A batch is a file of JSON lines such as\n\n" +
			"  {\"id\": 1, \"evidence\": {\"smoke\": \"yes\", \"tub\": [\"yes\", \"no\"]}, \"soft\": {\"xray\": [0.2, 0.8]}}\n" +
			"  {\"id\": 2, \"jeffrey\": {\"xray\": [0.2, 0.8]}}\n\n" +
			"and gives a line for each, with logp, marginals, joint, map, kmpe, mpe and mpe_logp, or an error; a line with jeffrey has logp, of the evidence\n" +
			"alone, and marginals. A batch that is called .csv, .tsv, .data or .arff\n" +
			"is a data file, where each row is evidence: see pgmc predict. Its answers have the numbers of lines for id.",
		Example: "  pgmc query asia.bif --evidence smoke=yes,xray=no\n" +
			"  pgmc query asia.bif --evidence smoke=yes --method belief --damping 0.2\n" +
			"  pgmc query asia.bif --evidence smoke=yes --soft dysp=0.2/0.8 --targets lung,bronc --logp\n" +
			"  pgmc query asia.bif --do bronc=yes --evidence smoke=no --joint lung,dysp\n" +
			"  pgmc query asia.bif --evidence dysp=yes --map lung,bronc --kmpe 3\n" +
			"  pgmc query asia.bif --jeffrey xray=0.7/0.3 --targets lung\n" +
			"  pgmc query asia.bif --batch rows.jsonl --engine compiled\n" +
			"  pgmc query asia.bif --batch patients.csv --targets lung",
		Args: cli.OneModel,
		RunE: a.Action(func(ctx context.Context, args []string) error { return a.runQuery(ctx, args[0], f) }),
	}
	f.ModelFlags.AddTo(cmd)
	f.MethodFlags.AddTo(cmd)
	fl := cmd.Flags()
	fl.StringArrayVar(&f.evidence, "evidence", nil, "what was observed: `A=yes,B=no|maybe`; repeatable")
	fl.StringArrayVar(&f.soft, "soft", nil, "a likelihood for each state: `C=0.2/0.8`; repeatable")
	fl.StringArrayVar(&f.jeffrey, "jeffrey", nil, "what the posterior of a variable has to be: `C=0.7/0.3`; repeatable")
	fl.StringArrayVar(&f.do, "do", nil, "what is set from outside: `A=yes,B=no`; repeatable")
	fl.StringArrayVar(&f.joint, "joint", nil, "the joint posterior of these variables: `A,B`; repeatable")
	fl.BoolVar(&f.all, "all", false, "the marginals of all variables; the default where nothing else is asked for")
	fl.StringArrayVar(&f.targets, "targets", nil, "the marginals of these variables: `A,B`; repeatable")
	fl.BoolVar(&f.logp, "logp", false, "the log-probability of the evidence")
	fl.BoolVar(&f.mpe, "mpe", false, "a most probable completion of the evidence")
	fl.StringArrayVar(&f.mapOf, "map", nil, "a most probable joint state of these variables: `A,B`; repeatable")
	fl.IntVar(&f.kmpe, "kmpe", 0, "so many most probable completions, best first")
	cli.AddChoice(cmd, &f.engine, "engine", "interpret, or compile a package and run that", "interp", "compiled")
	cli.AddBackend(cmd, &f.backend)
	fl.StringVar(&f.batch, "batch", "", "answer the JSON lines or the data rows of a `file`; - is standard input, of JSON lines")
	return cmd
}

func (a *app) runQuery(ctx context.Context, path string, f *queryFlags) error {
	row, err := rows.EvidenceRow(f.evidence, f.soft, f.jeffrey)
	if err != nil {
		return err
	}
	if f.batch != "" && len(f.evidence)+len(f.soft)+len(f.jeffrey) > 0 {
		return cli.Usagef("--batch brings its own evidence; leave out --evidence, --soft and --jeffrey")
	}
	if f.jeffrey != nil && (f.mpe || f.joint != nil || f.mapOf != nil || f.kmpe != 0) {
		return cli.Usagef("--jeffrey is answered by marginals; leave out --mpe, --joint, --map and --kmpe")
	}
	if f.kmpe < 0 || f.kmpe > compiler.MaxCompletions {
		return cli.Usagef("--kmpe is %d; want 1 to %d", f.kmpe, compiler.MaxCompletions)
	}
	m, err := a.Load(ctx, path, f.Format.Value)
	if err == nil {
		m, err = intervene(m, f.do)
	}
	if err != nil {
		return err
	}
	vars := rows.Variables(m)
	want, err := f.wanted(vars)
	if err != nil {
		return err
	}
	opt, err := a.Options(m, &f.ModelFlags)
	if err != nil {
		return err
	}
	settings := f.MethodFlags.Settings()
	if opt.MethodName() == edgedel.Method.Name && f.batch == "" {
		settings = append(settings, observedOption(row, m, f.MethodFlags.Value("edges") == "recovery")...)
	}
	opt.Method = compiler.Named(opt.MethodName(), settings...)
	opt.Queries = want.Queries(vars)
	if loop, err := want.Iterate(opt.MethodName(), m, f.logp, f.logp || f.targets != nil || f.MethodFlags.Changed("all")); err != nil {
		return err
	} else if loop != "" {
		opt.Queries = []string{loop}
		if f.jeffrey != nil {
			return fmt.Errorf("--jeffrey wants exact marginals; try --method jointree or circuit")
		}
	}
	if f.engine.Value == "compiled" && want.Marginals != nil && want.Loop == "" && (f.batch != "" || f.jeffrey != nil) {
		opt.Queries = append(opt.Queries, "jeffrey")
	}
	input, closeInput, err := rows.Open(ctx, f.batch, a.Stdin, row, m)
	if err != nil {
		return err
	}
	defer closeInput()
	var done atomic.Int64
	defer a.Progress("answering "+filepath.Base(path), done.Load).Stop()
	r, err := a.Compile(ctx, path, m, opt, nil)
	if err != nil {
		return err
	}
	var single bytes.Buffer
	out := a.Stdout
	if f.batch == "" {
		out = &single
	}
	if f.engine.Value == "compiled" {
		opt := codegen.Options{Package: "compiled", Source: filepath.Base(path), Backend: f.backend.Value}
		err = a.serveCompiled(ctx, r, opt, vars, want, input, out)
	} else {
		rows := rows.NewServer(vars, want, rows.NewBatchInterpreter(ctx, r, &want))
		rows.Done = func() { done.Add(1) }
		err = rows.Serve(ctx, input, out)
	}
	if err != nil || f.batch != "" {
		return err
	}
	return a.showAnswer(withNote(single.Bytes(), r.Note), path, vars)
}

// wanted is what the flags ask for; without any, all marginals for one question and everything for a batch.
func (f *queryFlags) wanted(vars []rows.Variable) (rows.Wanted, error) {
	w := rows.Wanted{LogP: f.logp, MPE: f.mpe, Batch: f.batch != ""}
	var err error
	if w.Joint, err = joints(f.joint, vars); err != nil {
		return w, err
	}
	if !f.all && !f.logp && !f.mpe && f.targets == nil && f.joint == nil && f.mapOf == nil && f.kmpe == 0 {
		if by := cli.Approximate(f.Method.Value); by != nil && by.Answers.Kind == ir.Decoding {
			w.MPE = true
			return w, nil
		}
		f.all = true
		w.LogP, w.MPE = true, f.batch != ""
	}
	if f.all || f.targets != nil {
		w.Marginals = make([]bool, len(vars))
	}
	index := map[string]int{}
	for i, v := range vars {
		w.Marginals = setIf(w.Marginals, i, f.all)
		index[v.Name] = i
	}
	w.KMPE = f.kmpe
	if w.MAP, err = namedVariables("--map", f.mapOf, index); err != nil {
		return w, err
	}
	targets, err := namedVariables("--targets", f.targets, index)
	for _, i := range targets {
		w.Marginals[i] = true
	}
	return w, err
}

// namedVariables are the numbers of the variables that a flag names; nil where there are none.
func namedVariables(flag string, lists []string, index map[string]int) ([]int, error) {
	names, err := cli.NamesOf(flag, lists...)
	if err != nil {
		return nil, err
	}
	var vars []int
	for _, name := range names {
		i, ok := index[name]
		if !ok {
			return nil, fmt.Errorf("%s: unknown variable %q", flag, name)
		}
		vars = append(vars, i)
	}
	return vars, nil
}

// setIf sets an element of a list that may be nil.
func setIf(list []bool, i int, set bool) []bool {
	if set {
		list[i] = true
	}
	return list
}

// withNote puts what the method decided into the report of an answer.
func withNote(line []byte, note string) []byte {
	const report = `"report":{`
	if note == "" {
		return line
	}
	return bytes.Replace(line, []byte(report), append([]byte(report+`"method":`), append(rows.JsonString(note), ',')...), 1)
}

// showAnswer prints the answer to one question, which is a line of a batch with the identifier 0.
func (a *app) showAnswer(line []byte, path string, vars []rows.Variable) error {
	var got rows.AnswerJSON
	if err := json.Unmarshal(line, &got); err != nil {
		return &cli.InternalError{Cause: fmt.Sprintf("the answer is not JSON: %v: %s", err, rows.Shorten(line))}
	}
	if got.Error != "" {
		return errors.New(path + ": " + got.Error)
	}
	if got.Report != nil && got.Report.Warning != "" {
		var list diag.List
		list.Warnf(diag.Pos{File: path}, "%s", got.Report.Warning)
		a.Warn(list.Warnings())
	}
	if a.JSON {
		_, err := a.Stdout.Write(append([]byte{'{'}, bytes.TrimPrefix(line, []byte(`{"id":0,`))...))
		return err
	}
	return got.Print(a.Stdout, vars)
}

// serveCompiled answers the lines of in by a package that is emitted and built for that.
func (a *app) serveCompiled(ctx context.Context, r *compiler.Result, opt codegen.Options, vars []rows.Variable, want rows.Wanted, in io.Reader, out io.Writer) error {
	if process.NeedGo() != nil {
		return errors.New("--engine compiled needs the go command, which is not in PATH; use --engine interp")
	}
	pkg, err := a.Emit(ctx, r, opt)
	if err != nil {
		return fmt.Errorf("%s: %w", opt.Source, err)
	}
	want.JointMethods(pkg, r.Program, rows.Observable(r.Model))
	d, err := rows.NewDriver(ctx, pkg, vars, want)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Serve(ctx, in, out)
}
