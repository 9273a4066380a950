package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/rows"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/table"
	"github.com/pgmc-go/pgmc/codegen"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// verifyFlags are the flags of pgmc verify.
type verifyFlags struct {
	n     int
	given bool // n was asked for
	tol   float64
}

// chainSets is how many sets of evidence there are by default for a package that samples, which takes its time for each.
const chainSets = 5

func (a *app) verifyCommand() *cobra.Command {
	f := &verifyFlags{}
	cmd := &cobra.Command{
		Use:   "verify MODEL [PACKAGE]",
		Short: "Check that a package is what its model compiles to, and that it answers right",
		Long: "Verify makes the package again, in memory and by the flags that its main file names, and compares; then it builds the package as it\n" +
			"is on disk and compares its marginals, log-probabilities and most probable completions on random evidence with those of an\n" +
			"independent computation; a package of a method that iterates or samples, with the same method interpreted. It changes nothing. PACKAGE is a folder; by default the one that pgmc compile MODEL writes to.",
		Example: "  pgmc verify asia.bif\n  pgmc verify asia.bif internal/asia -n 1000 --seed 7",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) < 1 || len(args) > 2 {
				return fmt.Errorf("found %d operands; want a model file and at most one folder", len(args))
			}
			return nil
		},
	}
	cmd.RunE = a.Action(func(ctx context.Context, args []string) error {
		f.given = cmd.Flags().Changed("number")
		return a.runVerify(ctx, args, f)
	})
	cmd.Flags().IntVarP(&f.n, "number", "n", 100, "`number` of random sets of evidence")
	cmd.Flags().Float64Var(&f.tol, "tol", 1e-9, "largest `difference` of a probability, or relative difference of a logarithm beyond 1")
	return cmd
}

// verifyReport is what pgmc verify found.
type verifyReport struct {
	Package     string              `json:"package"`
	Files       *codegen.Difference `json:"files"`
	Reference   string              `json:"reference"` // what the answers were compared with
	Sets        int                 `json:"sets"`
	Impossible  int                 `json:"impossible"` // of the sets, by the reference
	Unsettled   int                 `json:"unsettled"`  // of the sets: a method that iterates did not settle, so that roundings may have grown; numbers are not compared
	Tolerance   float64             `json:"tolerance"`
	Differences map[string]float64  `json:"differences"` // the largest, by kind of query
	Failure     *verifyFailure      `json:"failure"`     // the first set with a difference above the tolerance; null without
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
	c, seed, err := stamped(dir, path)
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
	a.listFiles(dir, v.Files)
	if len(v.Files.Missing) == 0 { // it would not build
		if e := approximateEntry(r.Program); e != nil && e.Chain != nil && !f.given {
			f.n = chainSets
		}
		if err := a.verifyAnswers(ctx, path, r, pkg, c, seed, f.n, v); err != nil {
			return err
		}
	}
	if a.JSON {
		err = a.PrintJSON(v)
	} else if !a.Quiet {
		err = v.print(a.Stdout, len(pkg.Files))
	}
	switch {
	case err != nil:
		return err
	case v.Failure != nil:
		return fmt.Errorf("%s answers wrongly: set %d of %d: %s\npgmc: the right answer: %s", dir, v.Failure.Set, f.n, v.Failure.What, v.Failure.Reproduce)
	case !v.Files.Fresh():
		return fmt.Errorf("%s does not match %s: %d of its files differ", dir, path, v.Files.Len())
	}
	return nil
}

// print writes the report for people.
func (v *verifyReport) print(w io.Writer, files int) error {
	t := &table.Table{}
	differing := v.Files.Len()
	if differing == 0 {
		t.Add("files", fmt.Sprintf("%d, all as they would be written", files))
	} else {
		t.Add("files", fmt.Sprintf("%d, of which %d are stale and %d missing; %d more are left of an earlier run",
			files, len(v.Files.Stale), len(v.Files.Missing), len(v.Files.Extra)))
	}
	if v.Reference == "" {
		t.Add("answers", "not compared")
	} else {
		t.Add("compared with", v.Reference)
		text := fmt.Sprintf("%d random sets, %d of them impossible", v.Sets, v.Impossible)
		if v.Unsettled > 0 {
			text += fmt.Sprintf("; the method has not settled on %d", v.Unsettled)
		}
		t.Add("evidence", text)
	}
	for _, kind := range verifiedKinds {
		if d, ok := v.Differences[kind]; ok {
			t.Add(kind, fmt.Sprintf("differ by at most %.2g", d))
		}
	}
	_, err := io.WriteString(w, t.String())
	return err
}

// verifiedKinds are the kinds of query whose answers are compared, in the order of reports.
var verifiedKinds = []string{ir.Marginals.String(), ir.LogProb.String(), ir.MPE.String(), ir.Joint.String()}

// verifiable is what a package can be asked for.
func verifiable(r *compiler.Result, vars []rows.Variable) rows.Wanted {
	if want, ok := verifiableApproximately(r, vars); ok {
		return want
	}
	want := rows.Wanted{LogP: r.Program.Entry(ir.LogProb.String()) != nil, MPE: r.Program.Entry(ir.MPE.String()) != nil}
	if r.Program.Entry(ir.Marginals.String()) != nil {
		want.LogP, want.Marginals = true, make([]bool, len(vars))
		for i := range want.Marginals {
			want.Marginals[i] = true
		}
	}
	want.Joint = rows.JointsOf(r.Program, rows.Observable(r.Model))
	return want
}

// verifyAnswers compares the answers of the package on disk with a reference's.
func (a *app) verifyAnswers(ctx context.Context, path string, r *compiler.Result, pkg *codegen.Package, c *compileFlags, seed uint64, n int, v *verifyReport) error {
	vars := rows.Variables(r.Model)
	want := verifiable(r, vars)
	if n == 0 || want.Loop == "" && !want.LogP && !want.MPE && want.Joint == nil {
		return nil
	}
	want.JointMethods(pkg, r.Program, rows.Observable(r.Model))
	opt, err := a.Options(r.Model, &c.ModelFlags)
	if err != nil {
		return err
	}
	var ref *referee
	if e := approximateEntry(r.Program); e != nil {
		ref = &referee{rows.NewInterpreter(r), "the interpreter, by method " + e.Query.Method + " as well"}
	} else if ref, err = a.newReferee(ctx, path, r, opt, &want); err != nil {
		return err
	}
	v.Reference = ref.what
	questions, err := a.drawQuestions(ctx, path, r, opt, n, want.Loop != "")
	if err != nil {
		return err
	}
	expected := rows.NewServer(vars, want, ref.engine)
	var lines []byte
	for i, q := range questions {
		lines = expected.AppendQuestion(lines, q, i+1)
	}
	var right, got bytes.Buffer
	if err := expected.Serve(ctx, bytes.NewReader(lines), &right); err != nil {
		return err
	}
	d, err := a.packageDriver(ctx, pkg, c, vars, want)
	if err != nil {
		return err
	}
	defer d.Close()
	if err := d.Serve(ctx, bytes.NewReader(lines), &got); err != nil {
		return err
	}
	v.Sets = n
	return v.compare(path, c, seed, r, vars, &want, questions, &right, &got)
}

// drawQuestions draws n random questions. Where a method is approximate, the model may be too wide for exact samples, or have no joint
// distribution; states are then drawn by themselves.
func (a *app) drawQuestions(ctx context.Context, path string, r *compiler.Result, opt compiler.Options, n int, approximate bool) ([]*rows.Question, error) {
	opt.Queries, opt.Params, opt.Rows, opt.Steps = []string{ir.Sample.String()}, ir.Const, model.RowsAsIs, -1
	if approximate {
		opt.Method = nil
	}
	sampler, err := a.Compile(ctx, path, r.Model, opt, nil)
	var internal *cli.InternalError
	var program *ir.Program
	switch {
	case err == nil:
		program = sampler.Program
	case !approximate || ctx.Err() != nil || errors.As(err, &internal):
		return nil, err
	}
	sets := newEvidenceSets(r.Model, program, a.Seed)
	list := make([]*rows.Question, n)
	for i := range list {
		if list[i], err = sets.next(i); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// packageDriver builds the program that runs the package in c.dir. One that imports the runtime is built where it is, in
// its module, the program being laid over the folder; others are copied to a module of their own.
func (a *app) packageDriver(ctx context.Context, pkg *codegen.Package, c *compileFlags, vars []rows.Variable, want rows.Wanted) (*rows.Driver, error) {
	if c.runtime.Value != codegen.RuntimeImport {
		onDisk := &codegen.Package{}
		for _, f := range pkg.Files {
			data, err := os.ReadFile(filepath.Join(c.dir, f.Name))
			if err != nil {
				return nil, err
			}
			onDisk.Files = append(onDisk.Files, codegen.File{Name: f.Name, Data: data})
		}
		return rows.NewDriver(ctx, onDisk, vars, want)
	}
	return rows.NewDriverInPlace(ctx, c.dir, vars, want)
}

// compare reads the answers to questions line by line.
func (v *verifyReport) compare(path string, c *compileFlags, seed uint64, r *compiler.Result, vars []rows.Variable, want *rows.Wanted, questions []*rows.Question, right, got io.Reader) error {
	rightLines, gotLines := json.NewDecoder(right), json.NewDecoder(got)
	for i, q := range questions {
		var x, y rows.AnswerJSON
		if err := rightLines.Decode(&x); err != nil {
			return fmt.Errorf("the reference, set %d: %w", i+1, err)
		}
		if err := gotLines.Decode(&y); err != nil {
			return fmt.Errorf("the package, set %d: %w", i+1, err)
		}
		if x.Error != "" {
			v.Impossible++
		}
		what, compare := compareReports(want, &x, &y)
		if what == "" && !compare {
			v.Unsettled++
		} else if what == "" {
			what = v.compareSet(r.Model, vars, want, q, &x, &y)
		}
		if what == "" || v.Failure != nil {
			continue
		}
		words := append([]string{"pgmc", "query", path}, reproducing(want, c, seed, approximateEntry(r.Program))...)
		words = append(words, rows.FlagsOf(q, vars)...)
		for i := range want.Joint {
			words = append(words, "--joint", rows.JointFlag(&want.Joint[i], vars))
		}
		if c.Rows.Value != c.Rows.Words[0] {
			words = append(words, "--rows", c.Rows.Value)
		}
		for k := range words {
			words[k] = cli.ShellQuote(words[k])
		}
		v.Failure = &verifyFailure{i + 1, what, strings.Join(words, " ")}
	}
	return nil
}

// compareSet notes the differences of an answer, and describes the first that is above the tolerance; empty where none is.
func (v *verifyReport) compareSet(m *model.Model, vars []rows.Variable, want *rows.Wanted, q *rows.Question, right, got *rows.AnswerJSON) (what string) {
	if right.Error != "" || got.Error != "" {
		if right.Error == "" || got.Error == "" {
			return fmt.Sprintf("the error is %q; want %q", got.Error, right.Error)
		}
		return ""
	}
	number := func(kind, name string, got, want, scale float64) {
		d := math.Abs(got-want) / scale
		if math.IsNaN(d) {
			d = math.MaxFloat64
		}
		v.Differences[kind] = max(v.Differences[kind], d)
		if d > v.Tolerance && what == "" {
			what = fmt.Sprintf("%s is %v; want %v", name, got, want)
		}
	}
	logarithm := func(kind, name string, got, want float64) { number(kind, name, got, want, max(1, math.Abs(want))) }
	if want.LogP {
		logarithm(ir.LogProb.String(), "the log-probability", *got.LogP, *right.LogP)
	}
	for _, x := range vars {
		for _, s := range x.Parts() {
			switch a, b := got.Marginals[x.Name][s], right.Marginals[x.Name][s]; {
			case want.Marginals == nil:
			case x.Real:
				number(ir.Marginals.String(), "the "+s+" of "+cli.QuoteName(x.Name), a, b, max(1, math.Abs(b)))
			default:
				number(ir.Marginals.String(), "P("+cli.QuoteName(x.Name)+"="+cli.QuoteName(s)+")", a, b, 1)
			}
		}
	}
	for i := range want.Joint {
		if err := rows.CompareJoint(&got.Joint[i], &right.Joint[i], vars, func(name string, got, want float64) {
			number(ir.Joint.String(), name, got, want, 1)
		}); err != nil {
			return err.Error()
		}
	}
	if want.MPE && (got.MPELogP == nil || right.MPELogP == nil) { // of a method that may find none
		if (got.MPELogP == nil) != (right.MPELogP == nil) {
			return "one of them knows the log-probability of its completion, and the other does not"
		}
	} else if want.MPE {
		logarithm(ir.MPE.String(), "the log-probability of the best completion", *got.MPELogP, *right.MPELogP)
		if own, ok := completion(m, vars, q, got.MPE); ok {
			logarithm(ir.MPE.String(), "the log-probability of the completion that was given", own, *right.MPELogP)
		}
	}
	return what
}

// completion is the log-probability of a completion together with the evidence of q, by the factors of a Bayesian network
// without latent variables; ok is false for other models.
func completion(m *model.Model, vars []rows.Variable, q *rows.Question, states map[string]string) (logp float64, ok bool) {
	if m.Kind != model.Bayes || len(vars) != len(m.Vars) {
		return 0, false
	}
	state := make([]int, len(m.Vars))
	for i := range vars {
		s, known := m.StateByName(model.VarID(i), states[vars[i].Name])
		if !known || q.Hard[i] > 0 && q.Hard[i]-1 != s {
			return math.Inf(-1), true
		}
		if state[i] = s; q.Soft[i] != nil {
			logp += math.Log(q.Soft[i][s])
		}
	}
	for _, f := range m.Factors {
		logp += math.Log(m.Value(f, state))
	}
	return logp, true
}
