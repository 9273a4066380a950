package bench

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cbench"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/process"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/timing"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// The forms of the C reference. Each is compiled at several optimisation levels, and the fastest
// counts.
const (
	cStraight = "C straight"
	cNests    = "C nests"
)

var (
	cLevels      = []string{"-O2", "-O3"}
	cLevelsQuick = []string{"-O3"}
)

// cMost is the time limit of one compilation.
const cMost = 90 * time.Second

// cProgram is a running C program of a query and the samples of its time.
type cProgram struct {
	form, level string
	query       ir.QueryKind
	ops         int
	server      *process.Server
	series      timing.Series
}

// buildC writes the C programs of a query, compiles them into dir and starts them. A program that
// cannot be written or compiled becomes a note of the report.
func (n *run) buildC(ctx context.Context, dir string, p *ir.Program, query ir.QueryKind) error {
	e := p.Entry(query.String())
	for _, form := range []struct {
		name  string
		write func(*ir.Program, *ir.Entry, *model.Model) (*cbench.Program, error)
	}{{cStraight, cbench.Straight}, {cNests, cbench.Nests}} {
		program, err := form.write(p, e, n.model)
		if err != nil {
			n.note("%s of %v: %v", form.name, query, err)
			continue
		}
		if form.name == cStraight && query == ir.LogProb {
			n.report.Operations = program.Ops
		}
		if n.cc == nil {
			continue
		}
		for _, level := range n.levels {
			if err := n.compileC(ctx, dir, &cProgram{form: form.name, level: level, query: query}, program); err != nil {
				return err
			}
		}
	}
	return nil
}

// compileC compiles a C program and starts it. A failed compilation becomes a note of the report.
func (n *run) compileC(ctx context.Context, dir string, c *cProgram, program *cbench.Program) error {
	name := strings.ReplaceAll(c.form+" "+c.query.String(), " ", "-")
	command, err := n.cc.Build(ctx, dir, name, c.level, program, cMost)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		n.note("%s %s of %v: %v", c.form, c.level, c.query, err)
		return nil
	}
	if c.server, err = process.Start(ctx, command, nil); err != nil {
		return err
	}
	c.ops = program.Ops
	n.c = append(n.c, c)
	return nil
}

// checkC sends the evidence to the C programs and compares their answers with those that are
// wanted, by query.
func (n *run) checkC(m *model.Model, e *Evidence, want map[ir.QueryKind][][]float64) error {
	vars := observable(m)
	input := []string{strconv.Itoa(len(e.Sets))}
	var values []string
	for _, set := range e.Sets {
		states, reals := make([]int, len(m.Vars)), make([]float64, len(m.Vars))
		for i, x := range set {
			switch v := vars[i]; {
			case x != nil && m.IsReal(v):
				states[v], reals[v] = 1, *x
			case x != nil:
				states[v] = int(*x)
			}
		}
		for v := range states {
			input = append(input, strconv.Itoa(states[v]))
			values = append(values, strconv.FormatFloat(reals[v], 'g', -1, 64))
		}
	}
	if len(m.Reals()) > 0 {
		input = append(input, values...)
	}
	for _, c := range n.c {
		if err := c.server.Send(strings.Join(input, " ")); err != nil {
			return err
		}
		for i, set := range want[c.query] {
			got, err := c.numbers()
			if err != nil {
				return err
			}
			if err := sameAnswers(fmt.Sprintf("%s %s of %v, set %d of the evidence", c.form, c.level, c.query, i+1), got, set); err != nil {
				return err
			}
		}
	}
	return nil
}

// numbers reads a line of the program's output.
func (c *cProgram) numbers() (list []float64, err error) {
	line, err := c.server.Line()
	if err != nil {
		return nil, err
	}
	for _, word := range strings.Fields(line) {
		x, err := strconv.ParseFloat(word, 64)
		if err != nil {
			return nil, fmt.Errorf("%s prints %.100q; want numbers", c.form, line)
		}
		list = append(list, x)
	}
	return list, nil
}

// sample asks the program for a sample and adds it to the series.
func (c *cProgram) sample() error {
	if err := c.server.Send("sample"); err != nil {
		return err
	}
	ns, err := c.numbers()
	if err == nil && len(ns) != 1 {
		err = fmt.Errorf("%s prints %d numbers for a sample; want 1", c.form, len(ns))
	}
	if err != nil {
		return err
	}
	c.series.Add(ns[0])
	return nil
}
