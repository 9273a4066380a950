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

// cProgram is a running C program and the samples of its time.
type cProgram struct {
	form, level string
	ops         int
	server      *process.Server
	series      timing.Series
}

// buildC writes the C programs of an entry, compiles them into dir and starts them. A program that
// cannot be written or compiled becomes a note of the report.
func (n *run) buildC(ctx context.Context, dir string, p *ir.Program, e *ir.Entry, m *model.Model) error {
	for _, form := range []struct {
		name  string
		write func(*ir.Program, *ir.Entry, int) (*cbench.Program, error)
	}{{cStraight, cbench.Straight}, {cNests, cbench.Nests}} {
		program, err := form.write(p, e, len(m.Vars))
		if err != nil {
			n.note("%s: %v", form.name, err)
			continue
		}
		if form.name == cStraight {
			n.report.Operations = program.Ops
		}
		if n.cc == nil {
			continue
		}
		for _, level := range n.levels {
			if err := n.compileC(ctx, dir, form.name, level, program); err != nil {
				return err
			}
		}
	}
	return nil
}

// compileC compiles a C program at a level and starts it. A failed compilation becomes a note of
// the report.
func (n *run) compileC(ctx context.Context, dir, form, level string, program *cbench.Program) error {
	command, err := n.cc.Build(ctx, dir, strings.ReplaceAll(form, " ", "-"), level, program, cMost)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		n.note("%s %s: %v", form, level, err)
		return nil
	}
	server, err := process.Start(ctx, command, nil)
	if err != nil {
		return err
	}
	n.c = append(n.c, &cProgram{form: form, level: level, ops: program.Ops, server: server})
	return nil
}

// checkC sends the evidence to the C programs and compares their answers with want.
func (n *run) checkC(m *model.Model, e *Evidence, want []float64) error {
	vars := observable(m)
	input := []string{strconv.Itoa(len(e.Sets))}
	for _, set := range e.Sets {
		states := make([]int, len(m.Vars))
		for i, state := range set {
			states[vars[i]] = state
		}
		for _, state := range states {
			input = append(input, strconv.Itoa(state))
		}
	}
	for _, c := range n.c {
		if err := c.server.Send(strings.Join(input, " ")); err != nil {
			return err
		}
		got := make([]float64, len(want))
		for i := range got {
			var err error
			if got[i], err = c.number(); err != nil {
				return err
			}
		}
		if err := sameAnswers(c.form+" "+c.level, got, want); err != nil {
			return err
		}
	}
	return nil
}

// number reads a line of the program's output as a number.
func (c *cProgram) number() (float64, error) {
	line, err := c.server.Line()
	if err != nil {
		return 0, err
	}
	x, err := strconv.ParseFloat(line, 64)
	if err != nil {
		return 0, fmt.Errorf("%s prints %q; want a number", c.form, line)
	}
	return x, nil
}

// sample asks the program for a sample and adds it to the series.
func (c *cProgram) sample() error {
	if err := c.server.Send("sample"); err != nil {
		return err
	}
	ns, err := c.number()
	c.series.Add(ns)
	return err
}
