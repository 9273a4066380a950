package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/compiled"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/program"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/rows"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/sequence"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/table"
	"github.com/pgmc-go/pgmc/codegen"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/compiler/verify"
	"github.com/pgmc-go/pgmc/ir"
)

// verifyFlags are the flags of pgmc verify.
type verifyFlags struct {
	n     int
	given bool // whether the command line has n
	tol   float64
}

// chainSets is the default number of sets of evidence for a package that samples, which takes long
// to answer.
const chainSets = 5

func (a *app) verifyCommand() *cobra.Command {
	f := &verifyFlags{}
	cmd := &cobra.Command{
		Use:   "verify MODEL [PACKAGE]",
		Short: "Check that a package is up to date with its model and answers correctly",
		Long: "Verify checks a package in two ways and changes nothing. First it makes the\n" +
			"package again in memory, by the flags that the package's main file holds, and\n" +
			"compares the files. If some are stale or missing, it stops with the command that\n" +
			"makes them anew; if an older version of code generation made them, it only says\n" +
			"so. Then it builds the package as it is on disk and compares its\n" +
			"marginals, log-probabilities, most probable completions, joint posteriors and\n" +
			"mixtures on random evidence with an independent computation; the evidence of a\n" +
			"package of compile --measurements has measurements of real variables too. A package of an approximate method is compared with\n" +
			"the same method in the interpreter, and one of a model of sequences on random\n" +
			"sequences with static inference in the network of all slices.\n\n" +
			"PACKAGE is a folder; by default it is the folder that pgmc compile MODEL writes\n" +
			"to. Verify exits with 1 if files or answers differ, and prints a pgmc query\n" +
			"command that gives the right answer. That a package is older is no difference.",
		Example: "  pgmc verify asia.bif\n  pgmc verify asia.bif internal/asia -n 1000 --seed 7",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) < 1 || len(args) > 2 {
				return cli.WrongCount(args, "a model file and at most one folder")
			}
			if _, err := codegen.ReadStamp(args[0]); err == nil && !slices.Contains(cli.BuiltIns(), args[0]) {
				return fmt.Errorf("found the package %s; want its model before it", args[0])
			}
			return nil
		},
	}
	cmd.RunE = a.Action(func(ctx context.Context, args []string) error {
		f.given = cmd.Flags().Changed("number")
		return a.runVerify(ctx, args, f)
	})
	cmd.Flags().IntVarP(&f.n, "number", "n", 100, "`number` of random sets of evidence")
	cmd.Flags().Float64Var(&f.tol, "tol", 1e-9, "the largest `difference` of a probability, or relative difference of a logarithm above 1")
	return cmd
}

// verifyReport is the result of pgmc verify, as --json prints it.
type verifyReport struct {
	Package     string              `json:"package"`
	Older       int                 `json:"older"` // the version of code generation that made the package, if it is older than that of this command; else 0
	Files       *codegen.Difference `json:"files"`
	Reference   string              `json:"reference"` // the computation that answers were compared with
	Sets        int                 `json:"sets"`
	Impossible  int                 `json:"impossible"` // number of sets that are impossible by the reference
	Unsettled   int                 `json:"unsettled"`  // number of sets on which an iterative method did not converge; roundings may have grown there, and numbers are not compared
	Tolerance   float64             `json:"tolerance"`
	Differences map[string]float64  `json:"differences"` // the largest difference by kind of query
	Failure     *verifyFailure      `json:"failure"`     // the first set with a difference above the tolerance; null if there is none

	asked int // number of sets that were to be compared
}

type verifyFailure struct {
	Set       int    `json:"set"`
	What      string `json:"what"`
	Reproduce string `json:"reproduce"` // a command that gives the right answer
}

func (a *app) runVerify(ctx context.Context, args []string, f *verifyFlags) error {
	switch {
	case f.n < 0:
		return cli.Usagef("-n is %d; want 0 or more", f.n)
	case !(f.tol >= 0):
		return cli.Usagef("--tol is %v; want 0 or more", f.tol)
	}
	path, dir := args[0], codegen.PackageName(cli.ModelName(args[0]))
	if len(args) == 2 {
		dir = args[1]
	}
	c, seed, err := a.stamped(dir, path, nil)
	if err != nil {
		return err
	}
	defer a.Progress("verifying "+dir, nil).Stop()
	r, pkg, err := a.makePackage(ctx, path, c, seed, nil)
	if err != nil {
		return err
	}
	v := &verifyReport{Package: dir, Tolerance: f.tol, Differences: map[string]float64{}}
	if v.Files, err = pkg.Compare(dir); err != nil {
		return err
	}
	if 0 < c.version && c.version < codegen.Version {
		v.Older = c.version
	} else {
		a.listFiles(dir, v.Files)
	}
	if !v.stale() {
		if len(r.Program.Entries) > 0 && r.Program.Entries[0].Chain != nil && !f.given {
			f.n = chainSets
		}
		if err := a.verifyParts(ctx, &verification{path, r, pkg, c, seed}, f.n, v); err != nil {
			return err
		}
	}
	v.asked = f.n
	if a.JSON {
		err = a.PrintJSON(v)
	} else if !a.Quiet {
		err = v.print(a.Stdout, len(pkg.Files))
	}
	switch {
	case err != nil:
		return err
	case v.Failure != nil:
		wrong := "answers wrongly"
		if !v.Files.Fresh() {
			wrong = fmt.Sprintf("was made from another model than %s or by another version, or edited, and answers otherwise", path)
		}
		return fmt.Errorf("%s %s: set %d of %d: %s\npgmc: the right answer: %s", dir, wrong, v.Failure.Set, f.n, v.Failure.What, v.Failure.Reproduce)
	case v.stale():
		return fmt.Errorf("%s is stale: made of an earlier %s, by another pgmc, or edited; %s", dir, filepath.Base(path), c.command(path, seed))
	case !v.Files.Fresh() && v.Older == 0:
		return fmt.Errorf("%s does not match %s: %d of its files differ", dir, path, v.Files.Len())
	}
	return nil
}

// stale reports whether the package is another one than its model's, so that its answers are not
// compared.
func (v *verifyReport) stale() bool {
	return v.Older == 0 && len(v.Files.Stale)+len(v.Files.Missing) > 0
}

// print writes the report as text.
func (v *verifyReport) print(w io.Writer, files int) error {
	t := &table.Table{}
	switch {
	case v.Older > 0:
		t.Add("files", fmt.Sprintf("made by codegen/%d, and this is codegen/%d; pgmc compile makes them anew", v.Older, codegen.Version))
	case v.Files.Len() == 0:
		t.Add("files", fmt.Sprintf("%d, all as they would be written", files))
	default:
		t.Add("files", fmt.Sprintf("%d, of which %d are stale and %d missing; %d more are left of an earlier run",
			files, len(v.Files.Stale), len(v.Files.Missing), len(v.Files.Extra)))
	}
	switch {
	case v.stale():
		t.Add("answers", "not compared, since the package is stale")
	case v.Reference == "" && v.asked == 0:
		t.Add("answers", "not compared, for want of evidence: -n is 0")
	case v.Reference == "":
		t.Add("answers", "not compared: the package has none of the queries that verify compares")
	default:
		t.Add("compared with", v.Reference)
		text := fmt.Sprintf("%d random sets, %d of them impossible", v.Sets, v.Impossible)
		if v.Unsettled > 0 {
			text += fmt.Sprintf("; the method did not converge on %d", v.Unsettled)
		}
		t.Add("evidence", text)
	}
	for _, kind := range verify.Kinds {
		if d, ok := v.Differences[kind]; ok {
			t.Add(kind, fmt.Sprintf("differ by at most %.2g", d))
		}
	}
	_, err := io.WriteString(w, t.String())
	return err
}

// verification is a package that is compiled again, to be compared with the one on disk.
type verification struct {
	path string // of the model
	r    *compiler.Result
	pkg  *codegen.Package
	c    *compileFlags // by which the package was compiled
	seed uint64
}

// verifyParts compares the answers of each approximate query of a package, or those of one without.
func (a *app) verifyParts(ctx context.Context, x *verification, n int, v *verifyReport) error {
	for _, part := range verify.Parts(x.r) {
		one := *x
		one.r = part
		if err := a.verifyAnswers(ctx, &one, n, v); err != nil || v.Failure != nil {
			return err
		}
	}
	return nil
}

// verifyAnswers compares the answers of the package on disk with a reference's, for n sets of
// evidence.
func (a *app) verifyAnswers(ctx context.Context, x *verification, n int, v *verifyReport) error {
	opt, err := a.Options(x.r.Model, &x.c.ModelFlags)
	if err != nil {
		return err
	}
	if x.r.Model.Transition != nil {
		return a.verifySequences(ctx, x, n, v)
	}
	want := verify.WantedOf(x.r)
	answers := func(ctx context.Context, sets []*infer.Findings) ([]verify.Answer, error) {
		return packageAnswers(ctx, x, &want, sets)
	}
	report, err := cli.Await(ctx, func() (*verify.Report, error) {
		return verify.Check(ctx, x.r, answers, verify.Options{Compile: opt, Sets: n, Tolerance: v.Tolerance, Seed: a.Seed})
	})
	switch {
	case errors.Is(err, verify.ErrNoOrder):
		return fmt.Errorf("%w; raise --max-mem or --max-table", err)
	case err != nil:
		return a.CompileError(x.path, err)
	}
	v.take(report)
	if f := report.Failure; f != nil {
		words := append([]string{"pgmc", "query", x.path}, x.reproducing(&want, f.Evidence)...)
		v.Failure = &verifyFailure{f.Set, f.What, cli.ShellQuoteAll(words)}
	}
	return nil
}

// verifySequences compares the answers of the package on disk about n sequences.
func (a *app) verifySequences(ctx context.Context, x *verification, n int, v *verifyReport) error {
	answers := func(ctx context.Context, sequences [][]*infer.Findings) ([]verify.SequenceAnswer, error) {
		c, end, err := x.start(ctx)
		if err != nil {
			return nil, err
		}
		defer end()
		var list []verify.SequenceAnswer
		for _, s := range sequences {
			questions := make([]*rows.Question, len(s))
			for t, f := range s {
				questions[t] = rows.QuestionOf(f, x.r.Model)
			}
			answer, err := c.Sequence(questions)
			if err != nil {
				return nil, err
			}
			list = append(list, answer)
		}
		return list, nil
	}
	report, err := cli.Await(ctx, func() (*verify.Report, error) {
		return verify.CheckSequences(ctx, x.r, answers, verify.Options{Sets: n, Tolerance: v.Tolerance, Seed: a.Seed})
	})
	if err != nil {
		return a.CompileError(x.path, err)
	}
	v.take(report)
	if f := report.Failure; f != nil {
		v.Failure = &verifyFailure{f.Set, f.What, sequence.Reproduce(x.path, x.r.Model, f.Sequence, x.c.MethodFlags.Stamp())}
	}
	return nil
}

// take sets the results of a check.
func (v *verifyReport) take(r *verify.Report) {
	if v.Reference != "" && v.Reference != r.Reference {
		r.Reference = v.Reference + ", and" + strings.TrimPrefix(" "+r.Reference, " the interpreter,")
	}
	for kind, d := range v.Differences {
		r.Differences[kind] = max(r.Differences[kind], d)
	}
	v.Reference, v.Sets, v.Impossible, v.Unsettled, v.Differences = r.Reference, r.Sets, r.Impossible, v.Unsettled+r.Unsettled, r.Differences
}

// packageAnswers builds the program that runs the package on disk, and returns its answers.
func packageAnswers(ctx context.Context, x *verification, w *verify.Wanted, sets []*infer.Findings) ([]verify.Answer, error) {
	vars, in, want := rows.Variables(x.r.Model), rows.Observable(x.r.Model), rows.Wanted{LogP: w.LogProb, MPE: w.MPE}
	want.Joint, want.Mixture = rows.JointsOf(x.r.Program, ir.Joint, in), rows.JointsOf(x.r.Program, ir.Mixture, in)
	if w.Marginals {
		want.Marginals = slices.Repeat([]bool{true}, len(vars))
	}
	if w.MaxMarginals {
		want.MaxMarginals = slices.Repeat([]bool{true}, len(vars))
	}
	if w.Approximate != nil {
		want.By(w.Approximate.By)
	}
	if w.Follow != nil {
		want.Loop, want.Kind = "Follow", ir.Follow
	}
	want.JointMethods(x.pkg, x.r.Program, in)
	if err := want.CheckMethods(x.c.dir); err != nil {
		return nil, err
	}
	c, end, err := x.start(ctx)
	if err != nil {
		return nil, err
	}
	defer end()
	questions := make([]*rows.Question, len(sets))
	for i, f := range sets {
		questions[i] = rows.QuestionOf(f, x.r.Model)
	}
	var list []verify.Answer
	err = rows.NewServer(vars, want, c).Ask(ctx, questions, func(got *rows.Answer, err error) {
		if err != nil {
			list = append(list, verify.Answer{Err: err})
			return
		}
		list = append(list, verify.Answer{LogProb: got.LogP, Marginals: got.Marginals, MaxMarginals: got.MaxMarginals, Upper: got.Most, UpperLogProb: got.MostLogP, Joint: got.Joint, Mixture: got.Mixture,
			MPE: got.Mpe, MPEReal: got.MpeReal, MPELogProb: got.MpeLogP, Status: got.Status})
	})
	return list, err
}

// start builds a program around the package on disk, and starts it. end ends and removes it.
func (x *verification) start(ctx context.Context) (c *compiled.Engine, end func(), err error) {
	p, err := x.c.program(ctx)
	if err != nil {
		return nil, nil, err
	}
	if c, err = compiled.Start(ctx, p, rows.Variables(x.r.Model)); err != nil {
		p.Close()
		return nil, nil, err
	}
	return c, func() { c.Close(); p.Close() }, nil
}

// program builds the program around the package in c.dir. A package that imports the runtime is
// built in its own module, with the program as an overlay over its folder. Other packages are
// copied to a module of their own.
func (c *compileFlags) program(ctx context.Context) (*program.Program, error) {
	if c.runtime.Value == codegen.RuntimeImport {
		return program.NewInPlace(ctx, c.dir, compiled.DriverSource)
	}
	onDisk, err := codegen.ReadDir(c.dir)
	if err != nil {
		return nil, err
	}
	return program.New(ctx, onDisk, compiled.DriverSource)
}
