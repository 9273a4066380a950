package backendtest

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/dave/jennifer/jen"

	"github.com/pgmc-go/pgmc/codegen/internal/backend"
	"github.com/pgmc-go/pgmc/ir"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

const runtimePath = "github.com/pgmc-go/pgmc/runtime"

// module is a module on disk with a package for each case and a command that runs them all.
type module struct {
	dir     string
	backend backend.Backend
	cases   []Case
	emitted []emitted
}

// emitted is a program as the back-end wrote it.
type emitted struct {
	source  []byte // the file of the blocks
	pool    []float64
	ints    []int32
	scratch int
	ranges  *ir.Ranges
	vectors []backend.Assembly
	tiles   backend.Tiles
}

func emitProgram(b backend.Backend, p *ir.Program) (emitted, error) {
	var e emitted
	if b.Narrows != nil {
		e.ranges = ir.RangesOf(p, func(_ int, c *ir.Contract, may []bool) []bool { return b.Narrows(p, c, may) })
	}
	f := backend.NewFile(jen.NewFile("prog"), func(name string) *jen.Statement { return jen.Qual(runtimePath, name) })
	f.ImportName(runtimePath, "pgmrt")
	for i := range p.Blocks {
		out := &backend.Output{Program: p, Ranges: e.ranges, File: f, Func: fmt.Sprintf("block%d", i), Ints: &e.ints, Pool: &e.pool, Scratch: &e.scratch, Assembly: &e.vectors, Tiles: &e.tiles}
		if err := b.Emit(out, &p.Blocks[i]); err != nil {
			return e, err
		}
	}
	var text bytes.Buffer
	if err := f.Render(&text); err != nil {
		return e, err
	}
	e.source = text.Bytes()
	return e, nil
}

// newModule emits the cases and writes the module.
func newModule(t testing.TB, b backend.Backend, cases []Case) *module {
	t.Helper()
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("no go command")
	}
	m := &module{dir: t.TempDir(), backend: b, cases: cases}
	root := moduleRoot(t)
	m.write(t, "go.mod", fmt.Sprintf("module emitted.test\n\ngo 1.26\n\nrequire github.com/pgmc-go/pgmc v0.0.0\n\nreplace github.com/pgmc-go/pgmc => %q\n", root))
	for i, c := range cases {
		e, err := emitProgram(b, c.Program)
		if err != nil {
			t.Fatalf("%s: %v", c.Name, err)
		}
		m.emitted = append(m.emitted, e)
		dir := fmt.Sprintf("prog%d/", i)
		m.write(t, dir+"blocks.go", string(e.source))
		m.write(t, dir+"engine.go", engine(c.Program, e))
		m.write(t, dir+"data", string(dataImage(c, e)))
		m.writeVectors(t, dir, c.Program, &e)
	}
	m.write(t, "main.go", mainFile(len(cases)))
	return m
}

func moduleRoot(t testing.TB) string {
	t.Helper()
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/pgmc-go/pgmc").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	return strings.TrimSpace(string(out))
}

func (m *module) write(t testing.TB, name, text string) {
	t.Helper()
	name = filepath.Join(m.dir, name)
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// writeVectors writes the assembly of a program, and the methods that run it.
func (m *module) writeVectors(t testing.TB, dir string, p *ir.Program, e *emitted) {
	t.Helper()
	if len(e.vectors)+len(e.tiles.List) == 0 {
		return
	}
	data := "nil"
	if p.Data+len(e.pool) > 0 {
		data = "&e.p[0]"
	}
	const other = "package prog\n"
	assembly, amd64, plain := "#include \"textflag.h\"\n", other+"\nimport pgmrt \""+runtimePath+"\"\n", other
	for _, a := range e.vectors {
		result := ""
		if a.Extreme != "" {
			result = " bool"
		}
		assembly += a.Text()
		amd64 += fmt.Sprintf("\n//go:noescape\nfunc %s(s, p *float64)%s\n", a.Func, result) +
			fmt.Sprintf("\nfunc (e *Engine) %s() bool {\n%s\n}\n", a.Method, a.Run("pgmrt.HasAVX2()", data))
		plain += fmt.Sprintf("\nfunc (e *Engine) %s() bool { return false }\n", a.Method)
	}
	for _, f := range e.tiles.List {
		assembly += f.Text()
		amd64 += "\n" + f.Declaration() + "\n" + f.Run("pgmrt.HasAVX2()")
		plain += "\n" + f.Stub()
	}
	m.write(t, dir+"vectors_amd64.s", "//go:build amd64 && !purego\n\n"+assembly)
	m.write(t, dir+"vectors_amd64.go", "//go:build amd64 && !purego\n\n"+amd64)
	m.write(t, dir+"vectors_other.go", "//go:build !amd64 || purego\n\n"+plain)
}

// build builds the command with flags of go build, and without network, and returns the output of
// the compiler. With -trimpath the build cache keys packages by import path and content, so that
// another module with the same packages finds them there.
func (m *module) build(t testing.TB, flags ...string) []byte {
	t.Helper()
	cmd := exec.Command("go", slices.Concat([]string{"build", "-o", m.program()}, flags, []string{"."})...)
	cmd.Dir = m.dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod -trimpath", "GOPROXY=off", "GOWORK=off")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%.4000s", cmd, err, out)
	}
	return out
}

// program returns the path of the command. Windows needs the extension; other systems ignore it.
func (m *module) program() string { return filepath.Join(m.dir, "program.exe") }

// output runs the command and returns its standard output.
func (m *module) output(t testing.TB, args ...string) []byte {
	t.Helper()
	out, err := exec.Command(m.program(), args...).Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		t.Fatalf("%v\n%.4000s", err, exit.Stderr)
	} else if err != nil {
		t.Fatal(err)
	}
	return out
}

// engine returns the file next to the blocks, with the memories, and Run, which the command calls.
func engine(p *ir.Program, e emitted) string {
	calls := ""
	for _, b := range p.Entries[0].Blocks {
		calls += fmt.Sprintf("e.block%d()\n", b)
	}
	r := strings.NewReplacer("$WORK", fmt.Sprint(p.Work+e.scratch), "$DATA", fmt.Sprint(p.Data+len(e.pool)),
		"$INTS", fmt.Sprint(p.Ints+e.ranges.Ints()), "$CODE", fmt.Sprint(len(e.ints)), "$IMAGE", fmt.Sprint(p.Work), "$CALLS", calls)
	return r.Replace(engineText)
}

const engineText = `package prog

import (
	"bytes"
	_ "embed"
	"encoding/binary"
	"io"
	"math"
	"time"

	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

//go:embed data
var data []byte

type Engine struct {
	s [$WORK]float64
	p [$DATA]float64
	t [$INTS]int32
	k []int32
	rng *pgmrt.Rand
}

func (e *Engine) work() *[$WORK]float64 { return &e.s }
func (e *Engine) data() *[$DATA]float64 { return &e.p }
func (e *Engine) state() *[$INTS]int32 { return &e.t }

// Query runs the blocks of the entry.
func (e *Engine) Query() {
$CALLS}

// New reads the numbers. Load reads the images of memory that follow in the file.
func New() (*Engine, *bytes.Reader) {
	e, r := &Engine{k: make([]int32, $CODE)}, bytes.NewReader(data)
	binary.Read(r, binary.LittleEndian, e.p[:])
	binary.Read(r, binary.LittleEndian, e.k)
	for i := range e.s {
		e.s[i] = math.NaN()
	}
	return e, r
}

// Load sets work memory and states to the next image.
func (e *Engine) Load(r *bytes.Reader) {
	var seed uint64
	binary.Read(r, binary.LittleEndian, &seed)
	binary.Read(r, binary.LittleEndian, e.s[:$IMAGE])
	binary.Read(r, binary.LittleEndian, e.t[:])
	e.rng = pgmrt.NewRand(seed)
}

// Run runs the program on all images and writes the resulting memory.
func Run(w io.Writer) {
	e, r := New()
	for r.Len() > 0 {
		e.Load(r)
		e.Query()
		binary.Write(w, binary.LittleEndian, e.s[:$IMAGE])
		binary.Write(w, binary.LittleEndian, e.t[:])
	}
}

// Time returns the nanoseconds of a query on the first image: the fastest of some samples.
func Time() float64 {
	e, r := New()
	e.Load(r)
	e.Query()
	best := math.Inf(1)
	for n, k := 1, 0; k < 30; {
		begin := time.Now()
		for range n {
			e.Query()
		}
		took := time.Since(begin)
		if took < 2*time.Millisecond {
			n *= 2
			continue
		}
		k++
		best = min(best, float64(took.Nanoseconds())/float64(n))
	}
	return best
}
`

func mainFile(n int) string {
	imports, runs, times := "", "", ""
	for i := range n {
		imports += fmt.Sprintf("\tprog%d %q\n", i, fmt.Sprintf("emitted.test/prog%d", i))
		runs += fmt.Sprintf("\tprog%d.Run(w)\n", i)
		times += fmt.Sprintf("\t\tfmt.Fprintln(w, prog%d.Time())\n", i)
	}
	return "package main\n\nimport (\n\t\"bufio\"\n\t\"fmt\"\n\t\"os\"\n\n" + imports +
		")\n\nfunc main() {\n\tw := bufio.NewWriter(os.Stdout)\n\tdefer w.Flush()\n" +
		"\tif len(os.Args) > 1 {\n" + times + "\t\treturn\n\t}\n" + runs + "}\n"
}

// dataImage returns the file that a program reads: its numbers, then an image of memory for each
// input. Memory that nothing has set is NaN, or a state that no variable has.
func dataImage(c Case, e emitted) []byte {
	p := c.Program
	data := make([]float64, p.Data)
	for i := range p.Spans {
		if sp := &p.Spans[i]; sp.ReadOnly() {
			copy(data[sp.Offset:], sp.Data)
		}
	}
	var b bytes.Buffer
	put := func(v any) {
		if err := binary.Write(&b, binary.LittleEndian, v); err != nil {
			panic(err)
		}
	}
	put(append(data, e.pool...))
	put(e.ints)
	for _, in := range c.Inputs {
		img := newImage(p, e.ranges)
		for _, v := range e.ranges.Vars() {
			at := p.Ints + e.ranges.Place(v)
			img.ints[at], img.ints[at+1] = pgmrt.Support(in.Values[e.ranges.Input(v)])
		}
		for id := range p.Spans {
			sp := &p.Spans[id]
			if v := in.Values[ir.SpanID(id)]; v != nil {
				copy(img.work[sp.Offset:], v)
			}
			if sp.Copy > 0 {
				copy(img.work[sp.Copy-1:], sp.Data)
			}
		}
		if p.State != ir.NoSpan {
			copy(img.ints[p.Spans[p.State].Offset:], in.States)
		}
		put(in.Seed)
		put(img.work)
		put(img.ints)
	}
	return b.Bytes()
}

// image holds work memory and integers.
type image struct {
	program *ir.Program
	work    []float64
	ints    []int32
}

func (m image) number(id ir.SpanID, i int) float64 { return m.work[m.program.Spans[id].Offset+i] }

func (m image) int(id ir.SpanID, i int) int32 { return m.ints[m.program.Spans[id].Offset+i] }

func newImage(p *ir.Program, ranges *ir.Ranges) image {
	img := image{p, make([]float64, p.Work), make([]int32, p.Ints+ranges.Ints())}
	for i := range img.work {
		img.work[i] = math.NaN()
	}
	for i := range img.ints {
		img.ints[i] = math.MinInt32
	}
	return img
}

// run builds and runs the command with some build tags and returns its results by case and input.
func (m *module) run(t testing.TB, tags string) [][]image {
	t.Helper()
	m.build(t, "-gcflags=./...=-dwarf=false", "-tags="+tags)
	r := bytes.NewReader(m.output(t))
	results := make([][]image, len(m.cases))
	for i, c := range m.cases {
		for range c.Inputs {
			img := newImage(c.Program, m.emitted[i].ranges)
			for _, v := range []any{img.work, img.ints} {
				if err := binary.Read(r, binary.LittleEndian, v); err != nil {
					t.Fatalf("%s: reading results: %v", c.Name, err)
				}
			}
			results[i] = append(results[i], img)
		}
	}
	return results
}
