package main

import (
	"bytes"
	"context"
	"fmt"
	"go/token"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/table"
	"github.com/pgmc-go/pgmc/codegen"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir"
)

// compileFlags are the flags of pgmc compile.
type compileFlags struct {
	modelFlags
	loopFlags
	dir, pkg, names         string
	queries, dump           []string
	backend, types, runtime choice
	params                  choice
	check                   bool
}

func (a *app) compileCommand() *cobra.Command {
	f := &compileFlags{}
	cmd := &cobra.Command{
		Use:   "compile MODEL",
		Short: "Emit a Go package that answers queries about a model",
		Long: "Compile emits a standalone Go package whose functions answer the declared queries. Files appear together or not at all;\n" +
			"generated files of an earlier run that are no longer needed go away, and other files are never touched.",
		Example: "  pgmc compile asia.bif\n" +
			"  pgmc compile asia.bif -o internal/asia --query 'marginals, logprob' --query 'lung | smoke, xray'\n" +
			"  pgmc compile asia.bif --query bp --tolerance 1e-6\n" +
			"  pgmc compile asia.bif --check",
		Args: oneModel,
		RunE: a.action(func(ctx context.Context, args []string) error { return a.runCompile(ctx, args[0], f) }),
	}
	f.addAll(cmd)
	fl := cmd.Flags()
	fl.StringVarP(&f.dir, "output", "o", "", "`folder` to write to (default: the package's name)")
	fl.StringArrayVar(&f.dump, "dump", nil, "write what a `pass` made to the folder DIR.dump, or all; repeatable")
	fl.BoolVar(&f.check, "check", false, "write nothing; fail where files on disk differ from what would be written")
	return cmd
}

// addAll adds the flags that decide what the package is.
func (f *compileFlags) addAll(cmd *cobra.Command) {
	f.modelFlags.addTo(cmd)
	f.loopFlags.addTo(cmd)
	fl := cmd.Flags()
	fl.StringVar(&f.pkg, "pkg", "", "`name` of the package (default: from the model's file name)")
	fl.StringArrayVar(&f.queries, "query", nil, "what to answer: marginals, logprob, mpe, sample, batch, posteriors, session, gradient, sensitivity, sets, jeffrey, joint(A, B), map(A, B), kmpe=5, bp, meanfield, gibbs, maxprod, trws, mplp, lw, ais, icm, tabu, anneal, a variable, or a `signature` such as 'A | B, do(C)'; repeatable")
	addBackend(cmd, &f.backend)
	addChoice(cmd, &f.types, "types", "a type for each variable, or one for all with the same states", codegen.TypesOwn, codegen.TypesShared)
	fl.StringVar(&f.names, "names", "", "`file` of identifiers: lines 'variable = Identifier' and 'variable.state = Identifier'")
	addChoice(cmd, &f.params, "params", "whether the model's numbers are fixed", "const", "var")
	addChoice(cmd, &f.runtime, "runtime", "copy what is needed of the runtime, or import it", codegen.RuntimeCopy, codegen.RuntimeImport)
}

func (a *app) runCompile(ctx context.Context, path string, f *compileFlags) error {
	if err := f.complete(path); err != nil {
		return err
	}
	defer a.progress("compiling "+filepath.Base(path), nil).stop()
	dump := &dump{passes: f.dump, dir: filepath.Clean(f.dir) + ".dump"}
	r, pkg, err := a.makePackage(ctx, path, f, a.seed, dump.file)
	if err != nil {
		return err
	}
	out := &output{dir: f.dir, pkg: f.pkg, files: pkg.Files}
	if f.check {
		return a.runCheck(out, path, f)
	}
	dumped := dump.output()
	if err := dumped.free(); err != nil {
		return err
	}
	if err := out.write(ctx); err != nil {
		return err
	}
	if err := dumped.write(ctx); err != nil {
		return err
	}
	return a.summary(f, r, pkg)
}

// makePackage makes the package of f from the model in path. dump gets what each pass made; nil is none.
func (a *app) makePackage(ctx context.Context, path string, f *compileFlags, seed uint64, dump func(int, string) io.WriteCloser) (*compiler.Result, *codegen.Package, error) {
	m, err := a.load(ctx, path, f.format.value)
	if err != nil {
		return nil, nil, err
	}
	emit := codegen.Options{
		Package: f.pkg, Source: filepath.Base(path), Backend: f.backend.value, Runtime: f.runtime.value, Types: f.types.value, Flags: f.stamp(path, seed),
	}
	chosen, err := readNames(f.names, m)
	if err != nil {
		return nil, nil, err
	}
	emit.Names = chosen.ids
	f.lasting = true
	opt, err := a.options(m, &f.modelFlags)
	if err != nil {
		return nil, nil, err
	}
	opt.Queries, opt.Seed, opt.MethodOptions = f.queries, seed, f.loopFlags.options()
	if f.params.value == "var" {
		opt.Params = ir.Var
	}
	r, err := a.compile(ctx, path, m, opt, dump)
	if err != nil {
		return nil, nil, err
	}
	pkg, err := a.emit(ctx, r, emit)
	if err != nil {
		return nil, nil, chosen.locate(fmt.Errorf("%s: %w", path, err))
	}
	return r, pkg, nil
}

// complete fills in the package's name and folder, and checks what flags can't.
func (f *compileFlags) complete(path string) error {
	if f.pkg == "" {
		f.pkg = packageName(modelName(path))
	} else if !token.IsIdentifier(f.pkg) || f.pkg == "_" || f.pkg == "main" {
		return usagef("--pkg: %q can't be the name of a package", f.pkg)
	}
	if f.dir == "" {
		f.dir = f.pkg
	}
	for _, d := range f.dump {
		known := func(p compiler.Pass) bool { return p.Name == d }
		if d != "all" && !slices.ContainsFunc(compiler.Pipeline, known) {
			return usagef("--dump: unknown pass %q; pgmc show passes lists them", d)
		}
	}
	return nil
}

// packageName makes the name of a package from that of a model: its ASCII letters and digits in lower case.
func packageName(model string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(model) {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			b.WriteRune(r)
		}
	}
	name := b.String()
	switch {
	case name == "":
		return "model"
	case name[0] <= '9' || token.IsKeyword(name) || name == "main":
		return "model" + name
	}
	return name
}

// dump collects what passes made.
type dump struct {
	passes []string // names, or "all"
	dir    string
	files  []*dumpFile
}

type dumpFile struct {
	bytes.Buffer
	name string
}

// Close is there for io.WriteCloser.
func (*dumpFile) Close() error { return nil }

// file gives the file for what a pass made, and nil where nobody asked for it.
func (d *dump) file(number int, pass string) io.WriteCloser {
	if !slices.Contains(d.passes, pass) && !slices.Contains(d.passes, "all") {
		return nil
	}
	f := &dumpFile{name: fmt.Sprintf("%02d-%s.txt", number, pass)}
	d.files = append(d.files, f)
	return f
}

// output is the folder of all files.
func (d *dump) output() *output {
	out := &output{dir: d.dir, force: true}
	for _, f := range d.files {
		out.files = append(out.files, codegen.File{Name: f.name, Data: f.Bytes()})
	}
	return out
}

// compileReport is the summary of a compilation as JSON.
type compileReport struct {
	Package     string         `json:"package"`
	Method      methodStats    `json:"method"`
	Dir         string         `json:"dir"`
	Files       []string       `json:"files"`
	EngineBytes int            `json:"engine_bytes"`
	DataBytes   int            `json:"data_bytes"`
	Backends    map[string]int `json:"backends"` // blocks by back-end
	Batches     []batchReport  `json:"batches"`
}

// batchReport is how a batch is answered: "asm", "lanes" or "rows".
type batchReport struct {
	Method     string `json:"method"`
	By         string `json:"by"`
	Operations int    `json:"operations"` // of a row, in lanes
	Bytes      int    `json:"bytes"`      // of memory that the first call takes
}

func (a *app) summary(f *compileFlags, made *compiler.Result, pkg *codegen.Package) error {
	r := compileReport{
		Method:  statsOfMethod(f.method.value, made.Choice),
		Package: f.pkg, Dir: f.dir, Backends: map[string]int{},
		EngineBytes: 8*pkg.Report.Work + 4*pkg.Report.State, DataBytes: 8*pkg.Report.Data + 4*pkg.Report.Code,
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
	if a.json {
		return a.printJSON(r)
	}
	if a.quiet {
		return nil
	}
	var used []string
	for _, b := range codegen.Backends {
		if n := r.Backends[b.Name]; n > 0 {
			used = append(used, fmt.Sprintf("%s %d", b.Name, n))
		}
	}
	text := "blocks: " + strings.Join(used, ", ")
	if batches := r.batches(); batches != "" {
		text += "; batches: " + batches
	}
	if made.Choice != nil || made.Note != "" {
		text += "\nmethod: " + r.Method.String()
	}
	_, err := fmt.Fprintf(a.stdout, "%s: package %s, %d files, engine %s, data %s, %s\n", filepath.ToSlash(f.dir)+string(os.PathSeparator), f.pkg,
		len(r.Files), table.Bytes(r.EngineBytes), table.Bytes(r.DataBytes), text)
	return err
}

// batches lists how batches are answered, each way with the number of methods.
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

// checkReport says how the files on disk differ from what would be written.
type checkReport struct {
	Stale   []string `json:"stale"`
	Missing []string `json:"missing"`
	Extra   []string `json:"extra"`
}

// runCheck compares out with the disk, and fails where they differ. Where the package was made by other flags, it says so.
func (a *app) runCheck(out *output, path string, f *compileFlags) error {
	r, err := compareFiles(out)
	if err != nil {
		return err
	}
	if a.json {
		if err := a.printJSON(r); err != nil {
			return err
		}
	}
	n := a.listFiles(out.dir, r)
	if n == 0 {
		return nil
	}
	hint := ""
	if words, _, err := readStamp(out.dir); err == nil && !slices.Equal(words, f.stamp(path, a.seed)) {
		for i := range words {
			words[i] = shellQuote(words[i])
		}
		hint = "; they were made with " + strings.Join(words, " ") + ", as pgmc verify takes them"
		if len(words) == 0 {
			hint = "; they were made without flags"
		}
	}
	return fmt.Errorf("%s does not match %s: %d of its files differ%s", out.dir, path, n, hint)
}

// compareFiles compares out with the disk.
func compareFiles(out *output) (*checkReport, error) {
	r := &checkReport{[]string{}, []string{}, []string{}}
	for _, f := range out.files {
		data, err := os.ReadFile(filepath.Join(out.dir, f.Name))
		switch {
		case os.IsNotExist(err):
			r.Missing = append(r.Missing, f.Name)
		case err != nil:
			return nil, err
		case !bytes.Equal(data, f.Data):
			r.Stale = append(r.Stale, f.Name)
		}
	}
	extra, err := out.extra()
	r.Extra = append(r.Extra, extra...)
	return r, err
}

// listFiles writes a line for each file of the package in dir that differs, and counts them.
func (a *app) listFiles(dir string, r *checkReport) (n int) {
	for _, x := range []struct {
		what  string
		files []string
	}{{"stale", r.Stale}, {"missing", r.Missing}, {"extra", r.Extra}} {
		for _, name := range x.files {
			fmt.Fprintf(a.stderr, "%s: %s\n", filepath.Join(dir, name), x.what)
			n++
		}
	}
	return n
}
