package sequence

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/reply"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/rows"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/table"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// writer writes answers.
type writer struct {
	out  io.Writer
	opt  *Options
	vars []rows.Variable
	want rows.Wanted
	real []bool // by variable
	film *film  // of the picture, if that is wanted

	named bool                // sequences have names
	times map[string][]string // by sequence: the times of its slices, as far as they are known
	begun bool                // the names of the columns are written
}

func newWriter(e *infer.Engine, out io.Writer, opt *Options) *writer {
	w := &writer{out: out, opt: opt, vars: rows.Variables(e.Model()), want: rows.Wanted{LogP: true, Marginals: opt.Targets}}
	for _, v := range e.Vars() {
		w.real = append(w.real, e.Model().IsReal(v.ID))
	}
	if opt.SVG {
		w.film = &film{want: opt.Targets, index: map[string]*reel{}}
	}
	return w
}

func valueOf(state int, x float64) model.Value { return model.Value{State: state, Real: x} }

// answer writes the answers about a sequence that is known as a whole.
func (w *writer) answer(ctx context.Context, e *infer.Engine, of string, given []infer.Given) error {
	if w.opt.Beam > 0 {
		path, err := e.Beam(ctx, given, w.opt.Beam)
		if err != nil {
			return err
		}
		return w.path(of, &path.Path, path)
	}
	if w.opt.MeanField == nil {
		if err := w.note(ctx, e, of, len(given)); err != nil {
			return err
		}
	}
	if w.opt.Viterbi {
		path, err := e.Viterbi(ctx, given)
		if err != nil {
			return err
		}
		return w.path(of, path, nil)
	}
	list, err := w.smooth(ctx, e, given)
	if err != nil {
		return err
	}
	for t := range list {
		if err := w.slice(of, t, false, &list[t]); err != nil {
			return err
		}
	}
	return nil
}

// smooth returns the posteriors of the slices of a sequence given all evidence.
func (w *writer) smooth(ctx context.Context, e *infer.Engine, given []infer.Given) ([]infer.Marginals, error) {
	if w.opt.MeanField != nil {
		return e.MeanFieldPath(ctx, given, *w.opt.MeanField)
	}
	return e.Smooth(ctx, given)
}

// note says that parts of a sequence of n slices are gone over again, if they are.
func (w *writer) note(ctx context.Context, e *infer.Engine, of string, n int) error {
	kind := ir.Smooth
	if w.opt.Viterbi {
		kind = ir.Viterbi
	}
	size, err := e.SweepSize(ctx, kind, n)
	if err != nil || w.opt.Notes == nil || size.Forward <= int64(n) {
		return err
	}
	name := ""
	if of != "" {
		name = fmt.Sprintf("sequence %s: ", table.Printable(of))
	}
	_, err = fmt.Fprintf(w.opt.Notes, "%sthe beliefs of %s slices take %s, more than half of --max-mem: %s are kept at a time, and the sequence is filtered %.3g times\n",
		name, table.Thousands(n), table.Bytes(int(size.Bytes)), table.Thousands(size.Kept), float64(size.Forward)/float64(n))
	return err
}

// slice writes the posteriors of a slice: a line of JSON, or a heading and a table. For a picture
// it keeps them.
func (w *writer) slice(of string, t int, predicted bool, m *infer.Marginals) error {
	if w.film != nil {
		return w.film.add(of, predicted, m)
	}
	a := &rows.Answer{LogP: m.LogProb}
	for i := range m.List {
		a.Marginals = append(a.Marginals, m.List[i].Numbers())
	}
	answer := reply.New(a, w.vars, &w.want, false)
	if w.opt.CSV {
		return w.csv(of, t, predicted, answer)
	}
	var b bytes.Buffer
	if w.opt.JSON {
		b.WriteByte('{')
		w.sequence(&b, of)
		fmt.Fprintf(&b, `"t":%d,`, t)
		if at := w.timeOf(of, t); at != "" {
			fmt.Fprintf(&b, `"time":%s,`, rows.JsonString(at))
		}
		if predicted {
			b.WriteString(`"predicted":true,`)
		}
		w.report(&b, m.Report)
		w.divergence(&b, m.Divergence)
		b.Write(answer.JSON()[1:])
	} else {
		if of != "" {
			fmt.Fprintf(&b, "sequence %s, ", table.Printable(of))
		}
		fmt.Fprintf(&b, "slice %d", t)
		if at := w.timeOf(of, t); at != "" {
			fmt.Fprintf(&b, ", %s", table.Printable(at))
		}
		if predicted {
			b.WriteString(", predicted")
		}
		b.WriteByte('\n')
		if err := answer.Print(&b); err != nil {
			return err
		}
		if r := m.Report; r != nil && w.opt.MeanField != nil {
			fmt.Fprintf(&b, "ln P is a lower bound; %s after %d sweeps, of which the last raised it by %.2g\n", r.Status, r.Iterations, r.Residual)
		} else if r != nil && w.opt.By != nil {
			fmt.Fprintf(&b, "ln P is an estimate; %s after %d rounds, residual %.2g\n", r.Status, r.Iterations, r.Residual)
		} else if r != nil {
			fmt.Fprintf(&b, "standard errors up to %.2g, of ln P %.2g, effective sample size %.0f\n", r.Residual, r.LogError, r.ESS)
		}
		if d := m.Divergence; d != nil {
			fmt.Fprintf(&b, "relative entropy of the exact belief from this one: at most %.3g on average over evidence, of which the projection of this slice adds at most %.3g\n",
				d.Bound, d.Projection)
		}
		b.WriteByte('\n')
	}
	_, err := w.out.Write(b.Bytes())
	return err
}

// timeOf returns the time of a slice, also after the last row; empty if it is unknown.
func (w *writer) timeOf(of string, t int) string {
	list := w.times[of]
	last := len(list) - 1
	switch {
	case t <= last:
		return list[t]
	case last < 0 || w.opt.Slices.Report == nil:
		return ""
	}
	return w.opt.Slices.Report.After(list[last], int64(t-last))
}

// csv writes the posteriors of a slice as lines of values, the first time below the names of the
// columns.
func (w *writer) csv(of string, t int, predicted bool, answer *reply.Reply) error {
	lines := &table.Table{}
	if !w.begun {
		lines.Add(append([]string{"sequence", "t", "predicted"}, answer.MarginalHeads()...)...)
	}
	w.begun = true
	for _, cells := range answer.MarginalRows() {
		lines.Add(append([]string{of, strconv.Itoa(t), strconv.FormatBool(predicted)}, cells...)...)
	}
	_, err := w.out.Write(lines.CSV())
	return err
}

// innovation writes the innovation of a slice: a line of JSON, or a heading and a table.
func (w *writer) innovation(of string, t int, x *infer.Innovation) error {
	var b bytes.Buffer
	if !w.opt.JSON {
		if of != "" {
			fmt.Fprintf(&b, "sequence %s, ", table.Printable(of))
		}
		fmt.Fprintf(&b, "slice %d\nnormalised squared distance: %.10g\n", t, x.Distance)
		if share := w.opt.Gate; share > 0 {
			verdict := "passes"
			if !x.Passes(share) {
				verdict = "does not pass"
			}
			fmt.Fprintf(&b, "%s the gate of %.6g, which %.6g %% of measurements do not exceed\n", verdict, x.Limit(share), 100*share)
		}
		b.WriteByte('\n')
		tab := &table.Table{}
		tab.Add("observed", "residual", "standard deviation")
		for i, name := range x.Vars {
			tab.Add(name, fmt.Sprintf("%.6f", x.Residual[i]), fmt.Sprintf("%.6f", math.Sqrt(x.Cov[i][i])))
		}
		_, err := io.WriteString(w.out, b.String()+tab.String()+"\n")
		return err
	}
	b.WriteByte('{')
	w.sequence(&b, of)
	fmt.Fprintf(&b, `"t":%d,"distance":`, t)
	b.Write(rows.FiniteNumber(nil, x.Distance))
	if share := w.opt.Gate; share > 0 {
		fmt.Fprintf(&b, `,"passes":%v,"limit":`, x.Passes(share))
		b.Write(rows.AppendNumber(nil, x.Limit(share)))
	}
	b.WriteString(`,"residual":{`)
	for i, name := range x.Vars {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(rows.AppendNumber(append(rows.JsonString(name), ':'), x.Residual[i]))
	}
	b.WriteString(`},"cov":[`)
	for i, row := range x.Cov {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(rows.AppendNumbers(nil, row))
	}
	b.WriteString("]}\n")
	_, err := w.out.Write(b.Bytes())
	return err
}

// sequence writes the member that names the sequence.
func (w *writer) sequence(b *bytes.Buffer, of string) {
	if w.named {
		fmt.Fprintf(b, `"sequence":%s,`, rows.JsonString(of))
	}
}

// path writes a path: a line of JSON, or a table with a row for each slice. found is not nil if a
// beam found it.
func (w *writer) path(of string, p *infer.Path, found *infer.BeamPath) error {
	var b bytes.Buffer
	if !w.opt.JSON {
		if of != "" {
			fmt.Fprintf(&b, "sequence %s\n", table.Printable(of))
		}
		switch {
		case found == nil || found.Proven():
			fmt.Fprintf(&b, "most probable path, of log-probability %.10g:\n", p.LogProb+0)
		default:
			fmt.Fprintf(&b, "path found by a beam of %s states, of log-probability %.10g; not proven: no path is above %.10g:\n", table.Thousands(w.opt.Beam), p.LogProb, found.Bound)
		}
		_, err := io.WriteString(w.out, b.String()+w.pathTable(of, p))
		return err
	}
	b.WriteByte('{')
	w.sequence(&b, of)
	b.Write(rows.AppendNumber([]byte(`"logp":`), p.LogProb))
	if found != nil {
		fmt.Fprintf(&b, `,"beam":%d,"proven":%v,"bound":`, w.opt.Beam, found.Proven())
		b.Write(rows.AppendNumber(nil, found.Bound))
	}
	b.WriteString(`,"path":[`)
	for t, c := range p.Slices {
		if t > 0 {
			b.WriteByte(',')
		}
		b.WriteByte('{')
		first := true
		for i, x := range c.States {
			if !w.opt.Targets[i] {
				continue
			}
			if !first {
				b.WriteByte(',')
			}
			first = false
			b.Write(rows.JsonString(x.Var))
			b.WriteByte(':')
			if w.real[i] {
				b.WriteString(x.State)
			} else {
				b.Write(rows.JsonString(x.State))
			}
		}
		b.WriteByte('}')
	}
	b.WriteString("]}\n")
	_, err := w.out.Write(b.Bytes())
	return err
}

// pathTable returns the table of a path, with times if they are known.
func (w *writer) pathTable(of string, p *infer.Path) string {
	t := &table.Table{}
	heads := []string{"slice"}
	if len(w.times) > 0 {
		heads = append(heads, "time")
	}
	for i, v := range w.vars {
		if w.opt.Targets[i] {
			heads = append(heads, v.Name)
		}
	}
	t.Add(heads...)
	for k, c := range p.Slices {
		cells := []string{strconv.Itoa(k)}
		if len(w.times) > 0 {
			cells = append(cells, table.Printable(w.timeOf(of, k)))
		}
		for i, x := range c.States {
			if w.opt.Targets[i] {
				cells = append(cells, x.State)
			}
		}
		t.Add(cells...)
	}
	return t.String()
}
