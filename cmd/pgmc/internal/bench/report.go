package bench

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/table"
	"github.com/pgmc-go/pgmc/codegen"
	"github.com/pgmc-go/pgmc/compiler"
)

// Report holds the results of pgmc bench.
type Report struct {
	System   string     `json:"system"`
	CPU      string     `json:"processor"` // its model and its first-level cache of instructions
	Go       string     `json:"go"`
	C        string     `json:"c"` // version of the C compiler, or why there is none
	Clock    string     `json:"clock"`
	Seed     uint64     `json:"seed"`
	Networks []*Network `json:"networks"`
}

// Network holds the results for one network.
type Network struct {
	Model      string      `json:"model"`
	Method     string      `json:"method"`
	Variables  int         `json:"variables"`
	Operations int         `json:"operations"` // of ln P(evidence) as a folded circuit; 0 if the circuit is too large
	Entries    int         `json:"entries"`    // table entries that the contractions of ln P(evidence) visit
	Rows       int         `json:"rows"`       // of a batch
	Times      []Time      `json:"times"`
	Builds     []BuildCost `json:"builds"`
	Ratios     Ratios      `json:"ratios"`
	Notes      []string    `json:"notes"` // what was not measured, and why
}

// Time is the time of one query by one subject.
type Time struct {
	Subject   string   `json:"subject"` // a package, the interpreter, or a form of C
	Level     string   `json:"level"`   // of the C compiler; empty for the fastest
	Query     string   `json:"query"`
	Min       float64  `json:"min_ns"` // minimum, in nanoseconds a query, a row, or a lookup
	Median    float64  `json:"median_ns"`
	Samples   int      `json:"samples"`
	Predicted float64  `json:"predicted_ns"` // by the costs of code generation; 0 if there is no prediction
	Allocs    *float64 `json:"allocs"`       // allocations a query, or a batch; null if they are not counted
	Ops       int      `json:"operations"`   // multiplications and additions of ln P(evidence) in the code of the subject; 0 for other queries
}

// BuildCost is the cost of building a package. Operations and Text count the code of all its
// queries.
type BuildCost struct {
	Package     string  `json:"package"`
	Operations  int     `json:"operations"`
	Text        int     `json:"text_bytes"`
	Source      int     `json:"source_bytes"`
	Seconds     float64 `json:"cpu_seconds"`      // of go build, less those of a build with nothing to do
	CodeSeconds float64 `json:"code_cpu_seconds"` // part of cpu_seconds that the bodies of blocks take
	Memory      int64   `json:"peak_bytes"`       // peak memory of the largest process
}

// Ratios holds ratios of minima. A ratio is 0 if one of the two was not measured.
type Ratios struct {
	ToC          float64 `json:"logprob_to_fastest_c"`
	AllToC       float64 `json:"marginals_to_fastest_c"`
	Predicted    float64 `json:"logprob_predicted_to_measured"`
	AllPredicted float64 `json:"marginals_predicted_to_measured"`
	UnrollToC    float64 `json:"unroll_to_c_straight"`
	NestToC      float64 `json:"nest_to_c_nests"`
	TapeToUnroll float64 `json:"tape_to_unroll"`
	InterpToAuto float64 `json:"interpreter_to_logprob"`
	CNS          float64 `json:"c_straight_ns_per_operation"`
	UnrollNS     float64 `json:"unroll_ns_per_operation"`
	NestNS       float64 `json:"nest_ns_per_entry"`
	TapeNS       float64 `json:"tape_ns_per_operation"`
	Marginals    float64 `json:"marginals_to_logprob"`
	MPE          float64 `json:"mpe_to_logprob"`
	LogProbs     float64 `json:"logprobs_to_rows"`
	Assembly     float64 `json:"assembly_to_rows"`
	Batch        float64 `json:"batch_to_rows"`
	Allocs       float64 `json:"allocs_per_query"` // maximum over the package's queries
	UnrollText   float64 `json:"unroll_text_bytes_per_operation"`
	UnrollBuild  float64 `json:"unroll_build_us_per_operation"` // build time of the bodies of blocks, in microseconds an operation
	Build        float64 `json:"build_us_per_operation"`        // the same for the package that pgmc compile writes
}

// missing is the cell of a figure that was not measured.
const missing = "-"

// print writes the report as tables with a column for each network.
func (r *Report) print(w io.Writer) error {
	head := fmt.Sprintf("%s, %s, %s, seed %d\nProcessor: %s\nC: %s\n", r.System, r.Go, r.Clock, r.Seed, r.CPU, r.C)
	var notes strings.Builder
	for _, n := range r.Networks {
		for _, text := range n.Notes {
			fmt.Fprintf(&notes, "%s: %s\n", table.Printable(cli.ModelName(n.Model)), table.Printable(text))
		}
	}
	if notes.Len() > 0 {
		notes.WriteByte('\n')
	}
	_, err := io.WriteString(w, head+"\n"+r.timeTable()+"\n"+r.ratioTable()+"\n"+notes.String()+
		"Times are minima and, in parentheses, medians. C is the faster of its optimisation levels. Batches are compared with row by row.\n")
	return err
}

// reportRow is a row of a table: its name, and its cell for each network.
type reportRow struct {
	name string
	cell func(*Network) string
}

// rows returns a table without the rows that are missing for all networks.
func (r *Report) rows(title string, list []reportRow) string {
	t := &table.Table{}
	names := []string{title}
	for _, n := range r.Networks {
		names = append(names, cli.ModelName(n.Model))
	}
	t.Add(names...)
	for _, row := range list {
		cells, some := []string{row.name}, false
		for _, n := range r.Networks {
			cell := row.cell(n)
			some = some || cell != missing
			cells = append(cells, cell)
		}
		if some {
			t.Add(cells...)
		}
	}
	t.AlignRight()
	return t.String()
}

func (r *Report) timeTable() string {
	count := func(of func(*Network) int) func(*Network) string {
		return func(n *Network) string {
			if of(n) == 0 {
				return missing
			}
			return compiler.Count(float64(of(n)))
		}
	}
	list := []reportRow{
		{"method", func(n *Network) string { return cmp.Or(n.Method, missing) }},
		{"variables", count(func(n *Network) int { return n.Variables })},
		{"operations of P(e), folded", count(func(n *Network) int { return n.Operations })},
		{"table entries of P(e)", count(func(n *Network) int { return n.Entries })},
	}
	time := func(name, subject, query string) {
		list = append(list, reportRow{name, func(n *Network) string {
			x := n.time(subject, query)
			if x == nil {
				return missing
			}
			return fmt.Sprintf("%s (%s)", short(x.Min), short(x.Median))
		}})
	}
	time("P(e), package", "auto", "logprob")
	for _, subject := range r.subjects() {
		time("P(e), "+subject, subject, "logprob")
	}
	time("all marginals, package", "auto", "marginals")
	time("all marginals, C straight", cStraight, "marginals")
	time("all marginals, C nests", cNests, "marginals")
	time("best completion", "auto", "mpe")
	time("lookup of a signature", "auto", "signature")
	time("P(e), a row of LogProbs", "auto", "logprobs")
	time("the same in assembly", codegen.Assembly, "logprobs")
	time("P(e), row by row", "auto", "logprob rows")
	time("marginals, a row of Batch", "auto", "batch")
	time("marginals, row by row", "auto", "marginals rows")
	return r.rows("nanoseconds", list)
}

// subjects returns the subjects that compute P(e) other than "auto", in the order in which the
// networks first have them.
func (r *Report) subjects() []string {
	var list []string
	seen := map[string]bool{"auto": true}
	for _, n := range r.Networks {
		for _, t := range n.Times {
			if t.Query == "logprob" && t.Level == "" && !seen[t.Subject] {
				seen[t.Subject] = true
				list = append(list, t.Subject)
			}
		}
	}
	return list
}

func (r *Report) ratioTable() string {
	var list []reportRow
	number := func(name string, of func(*Network) float64) {
		list = append(list, reportRow{name, func(n *Network) string {
			if x := of(n); x != 0 {
				return short(x)
			}
			return missing
		}})
	}
	ratio := func(name string, of func(*Ratios) float64) {
		number(name, func(n *Network) float64 { return of(&n.Ratios) })
	}
	ratio("P(e), package / fastest C", func(x *Ratios) float64 { return x.ToC })
	ratio("all marginals, package / fastest C", func(x *Ratios) float64 { return x.AllToC })
	ratio("P(e), predicted / measured", func(x *Ratios) float64 { return x.Predicted })
	ratio("all marginals, predicted / measured", func(x *Ratios) float64 { return x.AllPredicted })
	ratio("unroll / C straight", func(x *Ratios) float64 { return x.UnrollToC })
	ratio("nest / C nests", func(x *Ratios) float64 { return x.NestToC })
	for _, subject := range r.subjects() {
		switch subject {
		case "unroll", "nest", "tape", "interpreter", cStraight, cNests: // have rows of their own
		default:
			number(subject+" / fastest C", func(n *Network) float64 { return over(n.least(subject, "logprob"), n.fastestC("logprob")) })
		}
	}
	ratio("tape / unroll", func(x *Ratios) float64 { return x.TapeToUnroll })
	ratio("interpreter / P(e)", func(x *Ratios) float64 { return x.InterpToAuto })
	ratio("C straight, ns an operation", func(x *Ratios) float64 { return x.CNS })
	ratio("unroll, ns an operation", func(x *Ratios) float64 { return x.UnrollNS })
	ratio("nest, ns a table entry", func(x *Ratios) float64 { return x.NestNS })
	ratio("tape, ns an operation", func(x *Ratios) float64 { return x.TapeNS })
	ratio("all marginals / P(e)", func(x *Ratios) float64 { return x.Marginals })
	ratio("best completion / P(e)", func(x *Ratios) float64 { return x.MPE })
	ratio("LogProbs / row by row", func(x *Ratios) float64 { return x.LogProbs })
	ratio("LogProbs in assembly / row by row", func(x *Ratios) float64 { return x.Assembly })
	ratio("Batch / row by row", func(x *Ratios) float64 { return x.Batch })
	list = append(list, reportRow{"allocations a query, at most", func(n *Network) string { return short(n.Ratios.Allocs) }})
	auto := func(of func(*BuildCost) float64) func(*Network) float64 {
		return func(n *Network) float64 {
			if b := n.build("auto"); b != nil {
				return of(b)
			}
			return 0
		}
	}
	number("package: operations", auto(func(b *BuildCost) float64 { return float64(b.Operations) }))
	number("package: machine code, KiB", auto(func(b *BuildCost) float64 { return float64(b.Text) / (1 << 10) }))
	number("package: build, CPU s", auto(func(b *BuildCost) float64 { return b.Seconds }))
	number("package: build, MiB", auto(func(b *BuildCost) float64 { return float64(b.Memory) / (1 << 20) }))
	ratio("package: build of the code, us an operation", func(x *Ratios) float64 { return x.Build })
	ratio("unroll: machine code, bytes an operation", func(x *Ratios) float64 { return x.UnrollText })
	ratio("unroll: build of the code, us an operation", func(x *Ratios) float64 { return x.UnrollBuild })
	return r.rows("ratios of minima", list)
}

// short formats a number with two or three significant digits, or as an integer from 100 on.
func short(x float64) string {
	switch {
	case x == 0:
		return "0"
	case x < .01:
		return fmt.Sprintf("%.1g", x)
	case x < 10:
		return fmt.Sprintf("%.2f", x)
	case x < 100:
		return fmt.Sprintf("%.1f", x)
	}
	return fmt.Sprintf("%.0f", math.Round(x))
}

// time returns the time of a query by a subject, or nil.
func (n *Network) time(subject, query string) *Time {
	for i := range n.Times {
		if t := &n.Times[i]; t.Subject == subject && t.Query == query && t.Level == "" {
			return t
		}
	}
	return nil
}

// build returns the build cost of a package, or nil.
func (n *Network) build(name string) *BuildCost {
	for i := range n.Builds {
		if n.Builds[i].Package == name {
			return &n.Builds[i]
		}
	}
	return nil
}

// least returns the minimum time of a query by a subject, or 0 if it was not measured.
func (n *Network) least(subject, query string) float64 {
	if t := n.time(subject, query); t != nil {
		return t.Min
	}
	return 0
}

// fastestC returns the minimum time of a query by the faster form of C, or 0 without C.
func (n *Network) fastestC(query string) float64 {
	straight, nests := n.least(cStraight, query), n.least(cNests, query)
	if straight == 0 || nests > 0 && nests < straight {
		return nests
	}
	return straight
}

// compare computes the ratios.
func (n *Network) compare() {
	perOp := func(subject string) float64 {
		if t := n.time(subject, "logprob"); t != nil {
			return over(t.Min, float64(t.Ops))
		}
		return 0
	}
	logprob := n.least("auto", "logprob")
	unroll, nest, tape := n.least("unroll", "logprob"), n.least("nest", "logprob"), n.least("tape", "logprob")
	predicted := func(query string) float64 {
		if t := n.time("auto", query); t != nil {
			return over(t.Predicted, t.Min)
		}
		return 0
	}
	n.Ratios = Ratios{
		ToC: over(logprob, n.fastestC("logprob")), AllToC: over(n.least("auto", "marginals"), n.fastestC("marginals")),
		Predicted: predicted("logprob"), AllPredicted: predicted("marginals"),
		UnrollToC: over(unroll, n.least(cStraight, "logprob")), NestToC: over(nest, n.least(cNests, "logprob")), TapeToUnroll: over(tape, unroll),
		InterpToAuto: over(n.least("interpreter", "logprob"), logprob),
		CNS:          perOp(cStraight), UnrollNS: perOp("unroll"), NestNS: over(nest, float64(n.Entries)), TapeNS: perOp("tape"),
		Marginals: over(n.least("auto", "marginals"), logprob), MPE: over(n.least("auto", "mpe"), logprob),
		LogProbs: over(n.least("auto", "logprobs"), n.least("auto", "logprob rows")), Assembly: over(n.least(codegen.Assembly, "logprobs"), n.least("auto", "logprob rows")), Batch: over(n.least("auto", "batch"), n.least("auto", "marginals rows")),
	}
	for _, t := range n.Times {
		if t.Allocs != nil {
			n.Ratios.Allocs = max(n.Ratios.Allocs, *t.Allocs)
		}
	}
	if b := n.build("auto"); b != nil {
		n.Ratios.Build = b.perOp()
	}
	if b := n.build("unroll"); b != nil {
		n.Ratios.UnrollText, n.Ratios.UnrollBuild = over(float64(b.Text), float64(b.Operations)), b.perOp()
	}
}

// perOp returns the build time of the code in microseconds an operation. It returns 0 for packages
// with few operations, since builds of the same package differ by more than their code takes.
func (b *BuildCost) perOp() float64 {
	const few = 1000 // they take about 0.02 s
	if b.Operations < few {
		return 0
	}
	return 1e6 * b.CodeSeconds / float64(b.Operations)
}

// over returns a/b, or 0 if b is 0. A measure that is missing is 0.
func over(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}
