package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/token"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cost"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/table"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/view"
	"github.com/pgmc-go/pgmc/codegen"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/diag"
)

// compileFlags are the flags of pgmc compile.
type compileFlags struct {
	cli.ModelFlags
	cli.MethodFlags
	dir, pkg, names         string
	queries, do, dump       []string
	backend, types, runtime cli.Choice
	params                  cli.Choice
	measurements            bool
	arrays, http            bool
	maxTable                int // the limits within which a method is chosen
	maxMem                  cli.ByteSize
	check, force            bool
	given                   *pflag.FlagSet // the flags of the command line
	version                 int            // the version of code generation that made the package on disk; 0 if unknown
}

func (a *app) compileCommand() *cobra.Command {
	f := &compileFlags{}
	cmd := &cobra.Command{
		Use:   "compile MODEL",
		Short: "Emit a Go package that answers queries about a model",
		Long: "Compile reads a model and writes a Go package whose functions answer queries about\n" +
			"it. By default the package has all marginals, the log-probability of the evidence,\n" +
			"a most probable completion, samples and batches, and a posterior for each variable\n" +
			"of a small model; --query chooses. The package goes to a folder of its name, or to\n" +
			"the folder of -o.\n\n" +
			"All files appear together or none does. Compile removes generated files of an\n" +
			"earlier run that are no longer needed, and touches no other file. The main file\n" +
			"holds the flags of the command, by which pgmc verify makes the package again. With\n" +
			"--check, compile writes nothing and fails if the files on disk differ from those\n" +
			"it would write with the flags that they hold, and those of the command line.\n\n" +
			"With equal probabilities, as in --do A=0.5/0.5, soft evidence on A is an intervention\n" +
			"that sets A to that distribution, so that callers of the package choose it. LogP is\n" +
			"then less by the logarithm of the number of states.\n\n" +
			"An approximate method answers one query of its own, such as bp, and is chosen by\n" +
			"that word or by --method.",
		Example: "  pgmc compile asia.bif\n" +
			"  pgmc compile asia.bif --check\n" +
			"  pgmc compile asia.bif -o internal/asia --query 'marginals, logprob' --query 'lung | smoke, xray'\n" +
			"  pgmc compile asia.bif -o asiabp --query bp --tolerance 1e-6",
		Args: cli.OneModel,
		RunE: a.Action(a.Bounded(1, "fewer --query, or pgmc query --engine interp, which makes no package",
			func(ctx context.Context, args []string) error { return a.runCompile(ctx, args[0], f) })),
	}
	f.addAll(cmd)
	fl := cmd.Flags()
	f.given = fl
	fl.StringVarP(&f.dir, "output", "o", "", "`folder` to write to (default: the package's name)")
	fl.StringArrayVar(&f.dump, "dump", nil, "write the result of a `pass`, or of all, to the folder DIR.dump; repeatable")
	fl.BoolVar(&f.force, "force", false, "write to a folder that has Go files of another package, with which it does not build, or which pgmc made and it replaces")
	fl.BoolVar(&f.check, "check", false, "write nothing; fail if files on disk differ from those that would be written")
	a.CompleteQueries(cmd)
	return cmd
}

// addAll adds the flags that determine the package.
func (f *compileFlags) addAll(cmd *cobra.Command) {
	f.ModelFlags.AddTo(cmd)
	f.AllowBest(cmd)
	f.MethodFlags.AddTo(cmd, &f.ModelFlags, &f.queries)
	fl := cmd.Flags()
	fl.StringVar(&f.pkg, "pkg", "", "`name` of the package (default: from the model's file name)")
	fl.StringArrayVar(&f.queries, "query", nil, "what to answer: "+cli.QueryWords()+", joint(A, B), map(A, B), kmpe=5, a variable, or a `signature` such as 'A | B, do(C)'; repeatable")
	fl.StringArrayVar(&f.do, "do", nil, "answer about the network in which variables are set by intervention, to a state or a distribution: `A=yes,B=0.3/0.7`; repeatable")
	cli.AddBackend(cmd, &f.backend)
	cli.AddChoice(cmd, &f.types, "types", "a type for each variable, or one for all with the same states; auto shares types in models of more than 200 variables", codegen.TypesAuto, codegen.TypesOwn, codegen.TypesShared)
	fl.StringVar(&f.names, "names", "", "`file` of identifiers: lines 'variable = Identifier' and 'variable.state = Identifier'")
	cmd.Flags().BoolVar(&f.measurements, "measurements", false, "take measurements of real variables as soft evidence, which costs some speed")
	cmd.Flags().BoolVar(&f.arrays, "arrays", false, "let JSON have posteriors as arrays, not as objects with the names of states")
	cmd.Flags().BoolVar(&f.http, "http", false, "add a handler of HTTP requests for all marginals, ln P, most probable completions and decisions, with its OpenAPI description")
	cli.AddChoice(cmd, &f.params, "params", "whether the package has the model's parameters as constants, or lets them change", "const", "var")
	cli.AddChoice(cmd, &f.runtime, "runtime", "copy the runtime files that the package needs into it, or import the runtime", codegen.RuntimeCopy, codegen.RuntimeImport)
}

func (a *app) runCompile(ctx context.Context, path string, f *compileFlags) error {
	if err := f.complete(path); err != nil {
		return err
	}
	f.maxTable, f.maxMem = a.MaxTable, a.MaxMem
	if f.check {
		return a.runCheck(ctx, path, f)
	}
	a.Best = f.Method.Value != compiler.Best
	main := filepath.Join(f.dir, f.pkg+".go")
	before, _ := os.ReadFile(main) // without the file, nothing
	defer a.Progress("compiling "+filepath.Base(path), nil).Stop()
	dump := &dump{passes: f.dump, dir: filepath.Clean(f.dir) + ".dump"}
	r, pkg, err := a.makePackage(ctx, path, f, a.Seed, dump.file)
	if err != nil {
		return err
	}
	if d := r.Model.Diagram; d != nil && !slices.ContainsFunc(r.Program.Entries, aboutDecisions) {
		var list diag.List
		list.Warnf(diag.Pos{File: path}, "the package has no decisions (%d) and no utilities (%d), only the probabilities of the diagram; --query policy, best, information and follow add them, and pgmc decide solves it", len(d.Decisions), len(d.Utilities))
		a.Warn(list.Warnings())
	}
	dumped := dump.output()
	if err := errors.Join(ctx.Err(), dumped.Check()); err != nil {
		return cli.AdviseFolder(err)
	}
	if !f.force {
		if err := pkg.CheckNeighbours(f.dir); err != nil {
			return fmt.Errorf("%w; choose another -o, or --force", err)
		}
		if now, _ := os.ReadFile(main); !bytes.Equal(now, before) && !bytes.Equal(now, pkg.Files[0].Data) {
			return fmt.Errorf("%s was changed while pgmc compiled, perhaps by another run; run it again to replace the package, or choose another -o", main)
		}
	}
	renamed := pkg.Renamed(f.dir)
	if other := pkg.Replaces(f.dir); other != "" {
		var list diag.List
		list.Warnf(diag.Pos{File: f.dir}, "the package made from %s is replaced by that of %s", other, filepath.Base(path))
		a.Warn(list.Warnings())
	}
	if err := pkg.WriteDir(f.dir); err != nil {
		return cli.AdviseFolder(err)
	}
	a.warnOfNames(filepath.Join(f.dir, pkg.Files[0].Name), renamed)
	a.warnOfModule(f.dir)
	if err := dumped.Write(); err != nil {
		return cli.AdviseFolder(err)
	}
	if err := a.warnOfGrowth(ctx, path, r, pkg); err != nil {
		return err
	}
	return a.summary(f, r, pkg)
}

// aboutDecisions reports whether an entry answers about decisions and utilities.
func aboutDecisions(e ir.Entry) bool {
	return slices.Contains([]ir.QueryKind{ir.Policy, ir.Best, ir.Information, ir.Follow}, e.Query.Kind)
}

// warnOfNames warns that the package at path gives other identifiers than the one before it.
func (a *app) warnOfNames(path string, renamed []codegen.Renaming) {
	var list diag.List
	for _, x := range renamed {
		list.Warnf(diag.Pos{File: path}, "%s is now called %s and no longer %s; %v can choose another", x.What, x.New, x.Old, diag.Option{Name: "names"})
	}
	a.Warn(list.Warnings())
}

// warnOfGrowth warns of filters with a belief that may outgrow the histories that they have room
// for.
func (a *app) warnOfGrowth(ctx context.Context, path string, r *compiler.Result, pkg *codegen.Package) error {
	g, err := compiler.GrowthOf(ctx, r.Model, r.Program, pkg.Report.Histories)
	if g == nil || err != nil {
		return err
	}
	if text := g.Warning(); text != nil {
		var list diag.List
		list.Warnf(diag.Pos{File: path}, "%v", text)
		a.Warn(list.Warnings())
	}
	return nil
}

// makePackage compiles the model at path and emits the package of f. Unless dump is nil, it returns
// the file that a pass writes its result to.
func (a *app) makePackage(ctx context.Context, path string, f *compileFlags, seed uint64, dump func(int, string) io.WriteCloser) (*compiler.Result, *codegen.Package, error) {
	m, err := a.Load(ctx, path, f.Format.Value)
	if err == nil && m.Diagram != nil && m.Diagram.Asymmetry != nil {
		err = fmt.Errorf("%s: the model is a decision analysis network, which has no package; pgmc decide solves it", path)
	}
	if err == nil && m.Unread != "" {
		err = fmt.Errorf("%s: %s; want a file without them, as pgmc convert writes", path, m.Unread)
	}
	if err == nil {
		m, err = intervene(m, f.do)
	}
	if err != nil {
		return nil, nil, err
	}
	emit := codegen.Options{
		Package: f.pkg, Source: filepath.Base(path), Backend: f.backend.Value, Runtime: f.runtime.Value, Types: f.types.Value, Arrays: f.arrays, HTTP: f.http, Flags: f.stamp(path, seed),
	}
	chosen, err := codegen.ReadNames(f.names, m)
	if err != nil {
		return nil, nil, err
	}
	emit.Names = chosen.Names
	f.Lasting, f.Asked = true, len(f.queries) > 0
	opt, err := a.Options(m, &f.ModelFlags)
	if err != nil {
		return nil, nil, err
	}
	opt.MaxTable, opt.MaxMem = f.maxTable, int64(f.maxMem)
	opt.Queries, opt.Seed, opt.Method = f.queries, seed, f.MethodFlags.Options(&opt)
	opt.Accept = cost.Accept(a.ProcessLimit())
	opt.Measurements = f.measurements
	if f.params.Value == "var" {
		opt.Params = ir.Var
	}
	r, err := a.Compile(ctx, path, m, opt, dump)
	if err != nil {
		return nil, nil, err
	}
	pkg, err := a.Emit(ctx, r, emit)
	if err != nil {
		return nil, nil, chosen.Locate(fmt.Errorf("%s: %w", path, err))
	}
	return r, pkg, nil
}

// complete sets the package's name and folder if flags do not, and returns a usage error for a name
// that cannot be one.
func (f *compileFlags) complete(path string) error {
	if f.pkg == "" {
		f.pkg = codegen.PackageName(cli.ModelName(path))
	} else if !token.IsIdentifier(f.pkg) || f.pkg == "_" || f.pkg == "main" {
		return cli.Usagef("--pkg: %q can't be the name of a package", f.pkg)
	}
	if f.dir == "" {
		f.dir = f.pkg
	}
	for _, d := range f.dump {
		known := func(p compiler.Pass) bool { return p.Name == d }
		if d != "all" && !slices.ContainsFunc(compiler.Pipeline, known) {
			return cli.Usagef("--dump: unknown pass %q; pgmc show passes lists them", d)
		}
	}
	return nil
}

// compileReport is the summary of a compilation, as --json prints it.
type compileReport struct {
	Package     string           `json:"package"`
	Method      view.MethodStats `json:"method"`
	Dir         string           `json:"dir"`
	Files       []string         `json:"files"`
	EngineBytes int              `json:"engine_bytes"`
	DataBytes   int              `json:"data_bytes"`
	PeakBytes   int64            `json:"peak_bytes"` // of memory that pgmc itself has taken so far; 0 if not known
	Backends    map[string]int   `json:"backends"`   // number of blocks by back-end
	Batches     []batchReport    `json:"batches"`
}

// batchReport describes how a batch is answered: "asm", "lanes" or "rows".
type batchReport struct {
	Method     string `json:"method"`
	By         string `json:"by"`
	Operations int    `json:"operations"` // of a row, if in lanes
	Bytes      int    `json:"bytes"`      // of memory that the first call allocates
}

func (a *app) summary(f *compileFlags, made *compiler.Result, pkg *codegen.Package) error {
	r := compileReport{
		Method:  view.StatsOfMethod(f.Method.Value, made.Choice),
		Package: f.pkg, Dir: f.dir, Backends: map[string]int{},
		PeakBytes: cli.PeakMemory(), EngineBytes: 8*pkg.Report.Work + 4*pkg.Report.State, DataBytes: 8*pkg.Report.Data + 4*pkg.Report.Code,
	}
	r.Method.Note = made.Note
	for _, file := range pkg.Files {
		r.Files = append(r.Files, file.Name)
	}
	for _, b := range pkg.Report.Blocks {
		r.Backends[b.Backend]++
	}
	for _, b := range pkg.Report.Batches {
		r.Batches = append(r.Batches, batchReport{b.Method, b.By, b.Ops, 64 * b.Slots})
	}
	if a.JSON {
		return a.PrintJSON(r)
	}
	if a.Quiet {
		return nil
	}
	var used []string
	for _, b := range codegen.Backends {
		if n := r.Backends[b.Name]; n > 0 {
			used = append(used, fmt.Sprintf("%s %d", b.Name, n))
		}
	}
	if used == nil {
		used = []string{"none"}
	}
	text := "blocks: " + strings.Join(used, ", ")
	if batches := r.batches(); batches != "" {
		text += "; batches: " + batches
	}
	if made.Choice != nil || made.Note != "" {
		text += "\nmethod: " + r.Method.String()
	}
	if r.PeakBytes > 0 {
		text = fmt.Sprintf("peak memory of pgmc %s, %s", compiler.Bytes(float64(r.PeakBytes)), text)
	}
	_, err := fmt.Fprintf(a.Stdout, "%s: package %s, %d files, engine %s, data %s, %s\n", filepath.ToSlash(f.dir)+string(os.PathSeparator), f.pkg,
		len(r.Files), table.Bytes(r.EngineBytes), table.Bytes(r.DataBytes), text)
	return err
}

// batches lists the ways in which batches are answered, each with its number of methods.
func (r *compileReport) batches() string {
	var list []string
	for _, by := range []string{codegen.Assembly, codegen.Lanes, codegen.Rows} {
		n := 0
		for _, b := range r.Batches {
			if b.By == by {
				n++
			}
		}
		if n > 0 {
			list = append(list, fmt.Sprintf("%s %d", by, n))
		}
	}
	return strings.Join(list, ", ")
}

// runCheck makes the package again by its own flags and the command line's, compares it with the
// files on disk, and returns an error if they differ.
func (a *app) runCheck(ctx context.Context, path string, f *compileFlags) error {
	made, seed := f, a.Seed
	if _, err := os.Stat(f.dir); err == nil { // otherwise all files are missing
		if made, seed, err = a.stamped(f.dir, path, f.given); err != nil {
			return err
		}
		if f.given.Changed("seed") {
			seed = a.Seed
		}
	}
	defer a.Progress("checking "+f.dir, nil).Stop()
	_, pkg, err := a.makePackage(ctx, path, made, seed, nil)
	if err != nil {
		return err
	}
	r, err := pkg.Compare(f.dir)
	if err != nil {
		return err
	}
	if a.JSON {
		if err := a.PrintJSON(r); err != nil {
			return err
		}
	}
	if r.Fresh() {
		return nil
	}
	a.listFiles(f.dir, r)
	return fmt.Errorf("%s does not match %s: %d of its files differ", f.dir, path, r.Len())
}

// listFiles prints a line for each file in dir that differs.
func (a *app) listFiles(dir string, r *codegen.Difference) {
	for _, x := range []struct {
		what  string
		files []string
	}{{"stale", r.Stale}, {"missing", r.Missing}, {"extra", r.Extra}} {
		for _, name := range x.files {
			fmt.Fprintf(a.Stderr, "%s: %s\n", filepath.Join(dir, name), x.what)
		}
	}
}
