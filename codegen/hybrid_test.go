package codegen_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/codegen"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// TestHybrid checks the packages of random networks with real variables, by each back-end, against
// the interpreter, and that no query allocates.
func TestHybrid(t *testing.T) {
	t.Parallel()
	m := newModule(t, "")
	for _, seed := range irtest.Cases(t, 4, 300) {
		mod := irtest.RandomHybrid(seed, irtest.HybridOptions{NoDiscrete: seed%4 == 3})
		opt := compiler.Options{Queries: append([]string{"marginals", "logprob", "sample"}, jointsOf(mod)...)}
		if !hasZeros(mod) {
			opt.Queries = append(opt.Queries, "mpe")
		}
		opt.Measurements = seed%3 == 1
		name := fmt.Sprintf("p%d", seed)
		backend := turn(seed + seed/4)
		if seed%4 == 3 { // a linear Gaussian network, whose batches run in lanes
			backend = []string{laneBatches, codegen.Assembly}[seed/4%2]
		}
		m.add(t, name, backend, mod, opt, func(r *compiler.Result) string { return hybridTest(name, r, seed) })
	}
	m.check("p3", normalTestText)
	m.test()
}

// TestHybridRange checks packages of each back-end against the interpreter on networks with numbers
// from 1e-6 to 1e6, for which the test of that name of method clg compares the interpreter with
// exact rationals.
func TestHybridRange(t *testing.T) {
	t.Parallel()
	m := newModule(t, "")
	for _, seed := range irtest.Cases(t, 2, 400) {
		mod := irtest.RandomHybrid(seed, irtest.HybridOptions{NoDiscrete: seed%3 == 0, NoZeros: true, NoGivens: true, MaxVars: 6})
		irtest.Widen(seed, mod)
		name := fmt.Sprintf("p%d", seed)
		opt := compiler.Options{Queries: append([]string{"marginals", "logprob", "sample", "mpe"}, jointsOf(mod)...)}
		m.add(t, name, turn(seed+seed/4), mod, opt, func(r *compiler.Result) string { return hybridTest(name, r, seed) })
	}
	m.test()
}

// hasZeros reports whether a CPD has a row of variance 0.
func hasZeros(m *model.Model) bool {
	return slices.ContainsFunc(m.Factors, func(f *model.Factor) bool { d := f.Gaussian(); return d != nil && d.HasZeros() })
}

// assignments returns the code of the checks of assignments to evidence, and what the interpreter
// answers to it.
func assignments(r *compiler.Result, mc *eval.Machine) string {
	var b strings.Builder
	for _, name := range []string{"mpe", "sample"} {
		entry := r.Program.Entry(name)
		if entry == nil {
			continue
		}
		mc.Seed(7)
		for range 2 {
			err := mc.Run(entry)
			want := map[string]any{}
			for _, v := range r.Model.Vars {
				if value := mc.Value(v.ID); !r.Model.IsReal(v.ID) {
					want[v.Name] = r.Model.States(v.ID)[value.State]
				} else {
					want[v.Name] = value.Real
				}
			}
			text, _ := json.Marshal(want)
			if err != nil {
				text = []byte("null")
			}
			if name == "mpe" {
				fmt.Fprintf(&b, "func(e *Engine, ev *Evidence, out *Assignment) (string, float64, error) { p, err := e.MPE(ev, &soft, out); return %q, p - %v, err },\n", text, clean(mc.LogP()))
				break
			}
			fmt.Fprintf(&b, "func(e *Engine, ev *Evidence, out *Assignment) (string, float64, error) { err := e.Sample(ev, &soft, rng, out); return %q, 0, err },\n", text)
		}
	}
	return b.String()
}

// clean returns x, or 0 if it is not finite and so no text of a number.
func clean(x float64) float64 {
	if math.IsInf(x, 0) || math.IsNaN(x) {
		return 0
	}
	return x
}

// hybridTest returns a check of package name: evidence, and the interpreter's answers to it.
func hybridTest(name string, r *compiler.Result, seed uint64) string {
	var cases, joints strings.Builder
	var rows []string
	for k := range uint64(4) {
		e := irtest.HybridEvidence(10*seed+k, r.Model, float64(k)/4)
		mc := eval.New(r.Program, r.Model)
		entry := r.Program.Entry("marginals")
		evidence, soft := observe(mc, r.Model, e), measure(mc, r.Model, k)
		rows = append(rows, fmt.Sprintf("%q", evidence))
		err := mc.Run(entry)
		want := map[string]any{"logP": mc.LogP()}
		for i, id := range entry.Outs {
			v := r.Program.Spans[id].Var
			want[r.Model.Vars[v].Name] = mc.Posterior(i)
		}
		text := []byte("{}")
		if err == nil {
			text, _ = json.Marshal(want)
		}
		fmt.Fprintf(&cases, "{%q, %q, %q, %v, %v, []assignment{\n%s}},\n", evidence, soft, text, errors.Is(err, pgmrt.ErrImpossible), errors.Is(err, pgmrt.ErrState),
			assignments(r, mc))
		joints.WriteString("{")
		for i := range r.Program.Entries {
			if e := &r.Program.Entries[i]; e.Query.Kind == ir.Joint || e.Query.Kind == ir.Mixture {
				if err := mc.Run(e); err != nil { // such evidence has no answer to compare
					joints.WriteString("nil,\n")
					continue
				}
				fmt.Fprintf(&joints, "%#v,\n", jointNumbers(r.Model, e.Query, mc.Posterior(0)))
			}
		}
		joints.WriteString("},\n")
	}
	calls := ""
	for i := range r.Program.Entries {
		calls += jointCall(r, &r.Program.Entries[i])
	}
	return strings.NewReplacer("PACKAGE", name, "CASES", cases.String(), "EVIDENCE", strings.Join(rows, ", "), "NUMBERS", joints.String(), "CALLS", calls).Replace(hybridTestText + jointTestText)
}

// jointsOf returns queries of joint posteriors, one with both kinds of variable if m has them, and
// of mixtures.
func jointsOf(m *model.Model) (list []string) {
	var discrete, real []string
	for _, v := range m.Vars {
		if v.Latent {
			continue
		}
		if m.IsReal(v.ID) {
			real = append(real, v.Name)
		} else {
			discrete = append(discrete, v.Name)
		}
	}
	if len(real) == 0 {
		return nil
	}
	list = []string{"mixture(" + real[0] + ")", "mixture(" + real[len(real)-1] + ")", "joint(" + strings.Join(real[:min(len(real), 3)], ", ") + ")"}
	if len(discrete) > 0 {
		list = append(list, "joint("+real[0]+", "+strings.Join(discrete[:min(len(discrete), 2)], ", ")+")")
	}
	return list
}

// jointNumbers returns the numbers of a joint posterior or a mixture in the order of the fields of
// a package's types.
func jointNumbers(m *model.Model, q *ir.Query, numbers []float64) (list []float64) {
	discrete, real := m.SplitReal(q.Targets)
	n := len(real)
	states := len(numbers) / model.JointParts(n)
	for d := range states {
		if q.Kind == ir.Mixture && numbers[d] == 0 {
			continue
		}
		if len(discrete) > 0 || q.Kind == ir.Mixture {
			list = append(list, numbers[d])
		}
		for i := range n {
			list = append(list, numbers[(1+i)*states+d])
		}
		for i := range n {
			for k := range n {
				at := 1 + n + max(i, k)*(max(i, k)+1)/2 + min(i, k)
				list = append(list, numbers[at*states+d])
			}
		}
	}
	return list
}

// jointCall returns statements that append the answer of an entry to got.
func jointCall(r *compiler.Result, e *ir.Entry) string {
	id := ""
	for _, v := range e.Query.Targets {
		id += strings.ToUpper(r.Model.Vars[v].Name[:1]) + r.Model.Vars[v].Name[1:]
	}
	switch e.Query.Kind {
	case ir.Mixture:
		return strings.ReplaceAll(`
		{
			var m IDMixture
			err := e.IDMixture(&ev, &soft, &m)
			if n := testing.AllocsPerRun(10, func() { _ = e.IDMixture(&ev, &soft, &m) }); n != 0 {
				t.Errorf("case %d: %v allocations", i, n)
			}
			got = append(got, flat(reflect.ValueOf(m.Parts[:m.N]), nil))
			x := m.Quantile(.3)
			step := 1e-6 + 0x1p-50*(math.Abs(x)+math.Sqrt(m.Variance())) // some roundings of x, and of the CDF
			if err == nil && m.Variance() > 1e-9 && (m.CDF(x+step) < .3 || m.CDF(x-step) > .3) {
				t.Errorf("case %d: quantile %v of %v", i, x, m)
			}
		}
`, "ID", id)
	case ir.Joint:
		return strings.ReplaceAll(`
		{
			method := reflect.ValueOf(e).MethodByName("JointID")
			args := []reflect.Value{reflect.ValueOf(&ev), reflect.ValueOf(&soft)}
			out := new(IDJoint)
			if method.Type().NumIn() == 3 {
				method.Call(append(args, reflect.ValueOf(out)))
			} else {
				*out = method.Call(args)[0].Interface().(IDJoint)
			}
			got = append(got, flat(reflect.ValueOf(*out), nil))
		}
`, "ID", id)
	}
	return ""
}

// observe enters evidence and returns it as JSON.
func observe(mc *eval.Machine, m *model.Model, e brute.HybridEvidence) string {
	all := map[string]any{}
	for _, v := range m.Vars {
		if x, ok := e.Reals[v.ID]; ok {
			_ = mc.ObserveReal(v.ID, x)
			all[v.Name] = x
		}
		if s, ok := e.States[v.ID]; ok {
			_ = mc.Observe(v.ID, s)
			all[v.Name] = m.States(v.ID)[s]
		}
	}
	text, _ := json.Marshal(all)
	return string(text)
}

// measure enters measurements of some real variables, if the program takes them, and returns them
// as JSON.
func measure(mc *eval.Machine, m *model.Model, k uint64) string {
	all := map[string]any{}
	for _, v := range m.Reals() {
		mean, variance := float64(v)-1.5, .25+float64(k)
		if (uint64(v)+k)%3 == 0 && mc.Likelihood(v, []float64{mean, variance}) == nil {
			all[m.Vars[v].Name] = map[string]float64{"mean": mean, "var": variance}
		} else {
			_ = mc.Likelihood(v, []float64{0, 0})
		}
	}
	text, _ := json.Marshal(all)
	return string(text)
}

const hybridTestText = `package PACKAGE

import (
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"testing"
)

// assignment runs a query for an assignment. It returns the one wanted, and the error of the
// log-probability.
type assignment func(e *Engine, ev *Evidence, out *Assignment) (want string, off float64, err error)

var (
	rng  = NewRand(7)
	soft Soft
)
// jointAnswers holds, by case and query, the answers of joint posteriors and mixtures.
var jointAnswers = [][][]float64{
NUMBERS}

// flat appends the numbers of arrays and structs.
func flat(x reflect.Value, out []float64) []float64 {
	switch x.Kind() {
	case reflect.Float64:
		return append(out, x.Float())
	case reflect.Struct:
		for i := range x.NumField() {
			out = flat(x.Field(i), out)
		}
	default:
		for i := range x.Len() {
			out = flat(x.Index(i), out)
		}
	}
	return out
}

// TestBatch compares the rows of batches with single queries.
func TestBatch(t *testing.T) {
	e := New()
	evs := make([]Evidence, 11)
	outs, logps := make([]Marginals, len(evs)), make([]float64, len(evs))
	for i := range evs {
		if err := json.Unmarshal([]byte([]string{EVIDENCE}[i%4]), &evs[i]); err != nil {
			t.Fatal(err)
		}
	}
	many, all := e.Batch(evs, nil, outs), e.LogProbs(evs, logps)
	for i := range evs {
		var want Marginals
		err := e.Marginals(&evs[i], nil, &want)
		if err != nil {
			if !errors.Is(many, err) && !errors.Is(all, err) && !math.IsInf(logps[i], -1) {
				t.Errorf("row %d: %v, %v; want %v", i, many, all, err)
			}
			continue
		}
		got, _ := json.Marshal(outs[i])
		text, _ := json.Marshal(want)
		if !alike(got, text) || !(math.Abs(logps[i]-want.LogP) <= 1e-9*math.Max(1, math.Abs(want.LogP))) {
			t.Errorf("row %d: %s and %v; want %s", i, got, logps[i], text)
		}
	}
	if n := testing.AllocsPerRun(5, func() { many = e.Batch(evs, nil, outs) }); n != 0 && many == nil {
		t.Errorf("%v allocations", n)
	}
}

// sensitive returns the sum of the changes of ln P of a row, if each real value changes by one unit in
// its last place. An algorithm that rounds may be off by some of them.
func sensitive(e *Engine, c *Columns, row int, logp float64) (sum float64) {
	out := make([]float64, c.Rows)
	for i := range variables {
		if column, ok := c.Column(i).(*[]float64); ok {
			x := (*column)[row]
			(*column)[row] = math.Nextafter(x, math.Inf(1))
			e.LogProbColumns(c, out)
			(*column)[row] = x
			if d := math.Abs(out[row] - logp); d < math.Inf(1) {
				sum += d
			}
		}
	}
	return sum
}

// TestColumns compares rows by column with rows in structs: those of TestBatch, and completions of
// them. The rows and the completions are NaN and 0 where nothing was observed.
func TestColumns(t *testing.T) {
	e := New()
	evs := make([]Evidence, 20)
	for i := range evs {
		if err := json.Unmarshal([]byte([]string{EVIDENCE}[i%4]), &evs[i]); err != nil {
			t.Fatal(err)
		}
		if i < 12 {
			var out Assignment
			if e.Sample(&evs[i], nil, rng, &out) == nil {
				evs[i] = out
			}
		}
	}
	c := Columns{Rows: len(evs)}
	for i := range variables {
		field := func(row int) reflect.Value { return reflect.ValueOf(&evs[row]).Elem().Field(i) }
		switch column := c.Column(i).(type) {
		case *[]float64:
			for row := range evs {
				x, ok := field(row).Interface().(Real).Value()
				if !ok {
					x = math.NaN()
				}
				*column = append(*column, x)
			}
		case *[]uint8:
			for row := range evs {
				*column = append(*column, uint8(field(row).Uint()))
			}
		}
	}
	want, got, outs := make([]float64, len(evs)), make([]float64, len(evs)), make([]Marginals, len(evs))
	wantErr, gotErr := e.LogProbs(evs, want), e.LogProbColumns(&c, got)
	if (wantErr == nil) != (gotErr == nil) || wantErr != nil && wantErr.Error() != gotErr.Error() {
		t.Errorf("error %v; want %v", gotErr, wantErr)
	}
	var all MarginalColumns
	for i := range variables {
		for s := range all.column(i) {
			all.column(i)[s] = make([]float64, len(evs))
		}
	}
	e.Batch(evs, nil, outs)
	e.BatchColumns(&c, &all)
	for row := range evs {
		if got[row] != want[row] && !(math.Abs(got[row]-want[row]) <= 1e-9*math.Max(1, math.Abs(want[row]))+16*sensitive(e, &c, row, got[row])) {
			t.Errorf("row %d: ln P %v by column; want %v", row, got[row], want[row])
		}
		list := flat(reflect.ValueOf(outs[row]), nil)
		for i := range variables {
			for _, column := range all.column(i) {
				if p := list[0]; !(math.Abs(column[row]-p) <= 1e-9*math.Max(1, math.Abs(p))) {
					t.Errorf("row %d: the posterior of %s has %v by column; want %v", row, variables[i].Name, column[row], p)
				}
				list = list[1:]
			}
		}
	}
	if n := testing.AllocsPerRun(5, func() { gotErr = e.LogProbColumns(&c, got) }); n != 0 && gotErr == nil {
		t.Errorf("%v allocations", n)
	}
}

// alike reports whether two JSON texts hold the same numbers, up to rounding.
func alike(a, b []byte) bool {
	var x, y any
	if json.Unmarshal(a, &x) != nil || json.Unmarshal(b, &y) != nil {
		return false
	}
	var same func(x, y any) bool
	same = func(x, y any) bool {
		switch x := x.(type) {
		case float64:
			z, ok := y.(float64)
			return ok && math.Abs(x-z) <= 1e-9*math.Max(1, math.Abs(z))
		case []any:
			z, ok := y.([]any)
			for i := range x {
				ok = ok && len(z) == len(x) && same(x[i], z[i])
			}
			return ok
		case map[string]any:
			z, ok := y.(map[string]any)
			for k := range x {
				ok = ok && same(x[k], z[k])
			}
			return ok
		}
		return false
	}
	return same(x, y)
}

func TestHybrid(t *testing.T) {
	e := New()
	for i, c := range []struct {
		evidence, soft, want string
		impossible, state bool
		assignments []assignment
	}{
CASES	} {
		var ev Evidence
		var out Marginals
		var want map[string]any
		soft = Soft{}
		if err := errors.Join(json.Unmarshal([]byte(c.evidence), &ev), json.Unmarshal([]byte(c.soft), &soft), json.Unmarshal([]byte(c.want), &want)); err != nil {
			t.Fatal(err)
		}
		err := e.Marginals(&ev, &soft, &out)
		if errors.Is(err, ErrImpossible) != c.impossible || errors.Is(err, ErrState) != c.state {
			t.Errorf("case %d: %v", i, err)
		}
		if err != nil {
			continue
		}
		if n := testing.AllocsPerRun(10, func() { _ = e.Marginals(&ev, &soft, &out) }); n != 0 {
			t.Errorf("case %d: %v allocations", i, n)
		}
		*rng = *NewRand(7)
		for k, run := range c.assignments {
			var a Assignment
			want, off, err := run(e, &ev, &a)
			text, _ := json.Marshal(a)
			var got, wanted map[string]any
			if err != nil || !(math.Abs(off) < 1e-9) || json.Unmarshal(text, &got) != nil || json.Unmarshal([]byte(want), &wanted) != nil {
				t.Errorf("case %d: assignment %d: %s, %v, %v", i, k, text, off, err)
			}
			for name, x := range wanted {
				if y, ok := got[name].(float64); got[name] != x && !(ok && math.Abs(y-x.(float64)) <= 1e-9*math.Max(1, math.Abs(y))) {
					t.Errorf("case %d: assignment %d: %s is %v; want %v", i, k, name, got[name], x)
				}
			}
			if n := testing.AllocsPerRun(5, func() { saved := *rng; _, _, _ = run(e, &ev, &a); *rng = saved }); n != 0 {
				t.Errorf("case %d: assignment %d: %v allocations", i, k, n)
			}
		}
		logp, err := e.LogProb(&ev, &soft)
		near := func(got, want float64) bool { return math.Abs(got-want) <= 1e-12*math.Max(1, math.Abs(want)) }
		if err != nil || !near(logp, want["logP"].(float64)) || !near(out.LogP, logp) {
			t.Errorf("case %d: ln p is %v and %v, %v; want %v", i, out.LogP, logp, err, want["logP"])
		}
		sameJoints(t, e, ev, i)
		text, err := json.Marshal(out)
		var got map[string]any
		if err != nil || json.Unmarshal(text, &got) != nil {
			t.Fatal(err)
		}
		for name, x := range want {
			if name == "logP" {
				continue
			}
			var numbers []float64
			switch y := got[name].(type) {
			case map[string]any:
				if m, ok := y["mean"]; ok {
					numbers = []float64{m.(float64), y["var"].(float64)}
				}
			case []any:
				for _, p := range y {
					numbers = append(numbers, p.(float64))
				}
			}
			for k, w := range x.([]any) {
				if k >= len(numbers) || !near(numbers[k], w.(float64)) {
					t.Errorf("case %d: %s is %v; want %v", i, name, got[name], x)
					break
				}
			}
		}
	}
}
`

const jointTestText = `

func sameJoints(t *testing.T, e *Engine, ev Evidence, i int) {
	var got [][]float64
CALLS
	for q, want := range jointAnswers[i] {
		for k, x := range want {
			if k >= len(got[q]) || !(math.Abs(got[q][k]-x) <= 1e-12*math.Max(1, math.Abs(x))) {
				t.Errorf("case %d: answer %d is %v; want %v", i, q, got[q], want)
				break
			}
		}
	}
}
`

const normalTestText = `package p3

import (
	"math"
	"testing"
)

func TestNormal(t *testing.T) {
	n := Normal{Mean: 2, Var: 9}
	for _, c := range [][2]float64{{n.SD(), 3}, {n.PDF(5), math.Exp(-.5) / (3 * math.Sqrt(2*math.Pi))}, {n.CDF(2), .5}, {n.CDF(n.Quantile(.9)), .9},
		{n.Quantile(.975), 2 + 3*1.959963984540054}} {
		if math.Abs(c[0]-c[1]) > 1e-14*math.Abs(c[1]) {
			t.Errorf("got %v; want %v", c[0], c[1])
		}
	}
	if n := (Normal{Mean: 2}); n.CDF(2) != 1 || n.CDF(1) != 0 || n.CDF(3) != 1 || n.Quantile(.3) != 2 || n.PDF(1) != 0 || !math.IsInf(n.PDF(2), 1) {
		t.Error("a normal distribution with variance 0")
	}
}
`
