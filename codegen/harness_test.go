package codegen_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/codegen"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// harness is a program of generated packages, built once, that answers questions on its standard
// input.
type harness struct {
	testing.TB
	dir    string
	models []*model.Model
	passed []*model.Model // as the compiler left them
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
}

// question asks package Model for all its answers on one evidence. States count from 1, and 0 means
// none. Likelihoods are nil if there are none.
type question struct {
	Model int
	Hard  []int
	Soft  [][]float64
	Bench string // if not empty, time this query instead
	Stale bool   // ask a new engine as well; before each query, fill the memory of the lasting one if its package has poison

	// Only for a package that answers such queries; nil otherwise.
	In      [][]int     // sets of states, counted from 0; nil for none
	Targets [][]float64 // of Jeffrey; nil for none
	Given   []int       // states of the signature's evidence, counted from 1
}

// reply holds the answers of a package, and the allocations of each query. Err is empty if the
// evidence is possible.
type reply struct {
	Err             string
	LogP, MarginalP float64
	Marginals       [][]float64
	Posteriors      [][]float64
	BestLogP        float64
	Best, Sample    []int
	Allocs          float64
	NS              float64
	Fresh           string // the answer of the new engine, if it differs

	Joint, Given []float64
	GivenErr     string // empty if there is none; likewise the others
	InP          float64
	In           [][]float64
	InErr        string
	Report       pgmrt.Report
	Fitted       [][]float64
	FitErr       string
	// The answers of a session that goes from one evidence to the next, if the package has
	// sessions.
	SessionP float64
	Session  [][]float64
	// Derivatives and expected counts by factor, if the package has them. Sensitivities are those
	// of the last observable variable's first state.
	Gradient, Counts, Sensitivity [][]float64
	SensitiveP                    float64
	// The best states of some variables, and the best completions, if the package finds them.
	MAPP  float64
	MAP   []int // a state for each variable, -1 if it is not a target
	MaxP  float64
	Max   [][]float64 // max-marginals
	KMPEP []float64
	KMPE  [][]int
	Rows  rows
}

// rows holds the answers of batches of eleven rows, four of them without evidence and one with a
// state that no variable has.
type rows struct {
	LogProbs, LogPs []string // numbers, some of them infinite
	Marginals       [][][]float64
	LogErr, Err     string
	Counts          string // the numbers of rows with which an answer differs; empty if none does
	Columns         string // an answer to a row by column that differs; empty if none does
}

func newHarness(t testing.TB) *harness {
	return &harness{TB: t, dir: t.TempDir()}
}

// add compiles m for a back-end and writes its package.
func (h *harness) add(m *model.Model, opt compiler.Options, emit codegen.Options) {
	h.Helper()
	r, err := compiler.Compile(context.Background(), m, opt)
	if err != nil {
		h.Fatal(err)
	}
	h.emit(m, r, emit)
}

// emit writes the package of a compiled model.
func (h *harness) emit(m *model.Model, r *compiler.Result, emit codegen.Options) {
	h.Helper()
	emit.Package, emit.Source = fmt.Sprintf("p%d", len(h.models)), m.Name
	pkg, err := codegen.Emit(r.Model, r.Program, emit)
	if err != nil {
		h.Fatal(err)
	}
	dir := filepath.Join(h.dir, emit.Package)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		h.Fatal(err)
	}
	for _, f := range pkg.Files {
		h.write(filepath.Join(dir, f.Name), f.Data)
	}
	h.models, h.passed = append(h.models, m), append(h.passed, r.Model)
}

func (h *harness) write(file string, data []byte) {
	h.Helper()
	if err := os.WriteFile(file, data, 0o644); err != nil {
		h.Fatal(err)
	}
}

// poison gives the last package, that of p, a method that fills work memory, except the copies of
// constants.
func (h *harness) poison(p *ir.Program) {
	pkg := fmt.Sprintf("p%d", len(h.models)-1)
	text := "package " + pkg + "\n\nfunc (e *Engine) Poison(x float64) {\n\tfor i := range e.work() {\n\t\tswitch {\n"
	for i := range p.Spans {
		if s := &p.Spans[i]; s.Copy > 0 {
			text += fmt.Sprintf("\t\tcase %d <= i && i < %d:\n", s.Copy-1, int(s.Copy)-1+s.Len)
		}
	}
	text += "\t\tdefault:\n\t\t\te.work()[i] = x\n\t\t}\n\t}\n}\n"
	h.write(filepath.Join(h.dir, pkg, "poison.go"), []byte(text))
}

// build builds the program with the given flags of go build, and starts it.
func (h *harness) build(flags ...string) {
	h.Helper()
	h.write(filepath.Join(h.dir, "go.mod"), []byte("module m\n\ngo 1.26\n\nrequire github.com/pgmc-go/pgmc v0.0.0\n\nreplace github.com/pgmc-go/pgmc => "+irtest.ModuleRoot(h)+"\n"))
	text, err := os.ReadFile("testdata/harness.go.txt")
	if err != nil {
		h.Fatal(err)
	}
	var imports, engines strings.Builder
	for i := range h.models {
		fmt.Fprintf(&imports, "p%d \"m/p%d\"\n", i, i)
		fmt.Fprintf(&engines, "func() answerer { return answers[p%[1]d.Evidence, p%[1]d.Soft, p%[1]d.Marginals](p%[1]d.New) },\n", i)
	}
	main := strings.NewReplacer("/*IMPORTS*/", imports.String(), "/*ENGINES*/", engines.String()).Replace(string(text))
	h.write(filepath.Join(h.dir, "main.go"), []byte(main))
	build := exec.Command("go", append(append([]string{"build", "-o", "harness"}, flags...), ".")...)
	build.Dir, build.Env = h.dir, append(os.Environ(), "GOWORK=off", moduleFlags)
	if out, err := build.CombinedOutput(); err != nil {
		h.Fatalf("go build: %v\n%s", err, out[:min(len(out), 4000)])
	}
	h.cmd = exec.Command(filepath.Join(h.dir, "harness"))
	h.cmd.Stderr = os.Stderr
	if h.in, err = h.cmd.StdinPipe(); err != nil {
		h.Fatal(err)
	}
	out, err := h.cmd.StdoutPipe()
	if err != nil {
		h.Fatal(err)
	}
	h.out = bufio.NewReaderSize(out, 1<<20)
	if err := h.cmd.Start(); err != nil {
		h.Fatal(err)
	}
	h.Cleanup(func() {
		h.in.Close()
		if err := h.cmd.Wait(); err != nil {
			h.Errorf("harness: %v", err)
		}
	})
}

// ask asks one question.
func (h *harness) ask(q question) reply {
	h.Helper()
	line, err := json.Marshal(q)
	if err != nil {
		h.Fatal(err)
	}
	if _, err := h.in.Write(append(line, '\n')); err != nil {
		h.Fatal(err)
	}
	answer, err := h.out.ReadBytes('\n')
	if err != nil {
		h.Fatal(err)
	}
	var r reply
	if err := json.NewDecoder(bytes.NewReader(answer)).Decode(&r); err != nil {
		h.Fatalf("%v in %s", err, answer)
	}
	return r
}
