package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/picture"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/reply"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/rows"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/solve"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/model"
)

// lessMemory is what takes less memory than an exact answer.
const lessMemory = "or an approximate --method"

// answerOrBound answers the question of the flags: exactly, or with bounds if that does not fit or
// takes too long, and the flags allow it. With --timeout, the exact answer has a share of the time.
func (a *app) answerOrBound(ctx context.Context, m *model.Model, q *query, opt compiler.Options, f *queryFlags) error {
	bounds := f.mayBound(m)
	first, cancel := context.WithCancel(ctx)
	if bounds {
		first, cancel = solve.Exactly(ctx)
	}
	defer cancel()
	stop := a.Progress("answering "+filepath.Base(q.path), nil).Stop
	var err error
	compiled := f.engine.Value == "compiled"
	opt.Slices = !compiled
	if q.r, err = a.Compile(first, q.path, m, opt, nil); err == nil {
		err = a.answerOne(first, q, compiled, f)
	}
	stop()
	if (errors.Is(err, rows.ErrImpossible) || errors.Is(err, infer.ErrImpossible)) && q.r != nil && q.r.Underflows {
		err = fmt.Errorf("%s: %w", q.path, rows.ErrUnderflow)
	}
	if !bounds || errors.Is(ctx.Err(), context.Canceled) || !q.replaced(ctx, err) {
		return err
	}
	if x := compiler.Proving(m); x != nil && q.want.Completion() {
		opt.Method = compiler.Named(x.Name)
		if err := f.complete(&opt, m, q, false); err != nil {
			return err
		}
		if q.r, err = a.Compile(ctx, q.path, m, opt, nil); err != nil {
			return err
		}
		return a.answerOne(ctx, q, false, f)
	}
	return a.answerBounds(ctx, m, q, opt.Rows)
}

// decide replaces method best by one that fits. Where no exact method does, bounds answer if they
// can, and else an approximate method.
func (a *app) decide(ctx context.Context, m *model.Model, q *query, opt *compiler.Options, f *queryFlags) error {
	if f.Method.Value != compiler.Best {
		return nil
	}
	ask := *opt
	ask.Queries = q.want.Queries(q.vars)
	first, cancel := solve.Exactly(ctx)
	defer cancel()
	decided, choice, err := a.Decide(first, q.path, m, ask)
	switch {
	case (solve.TooHard(err) || choice != nil && choice.Proven != "") && f.boundable():
		f.bounds, opt.Method = true, nil
		return nil
	case err == nil:
		opt.Method = decided.Method
	}
	return err
}

// mayBound reports whether bounds may answer a question about m that has no exact answer.
func (f *queryFlags) mayBound(m *model.Model) bool {
	free := f.Method.Value == f.Method.Words[0] || f.Method.Value == compiler.Best
	return free && !f.exact && !f.certify && f.boundable() && len(m.Reals()) == 0
}

// replaced reports whether an answer with bounds replaces an exact one that failed: with --timeout
// to any question that is too hard, and without it to one about nothing but most probable states,
// or if numbers are out of range, about such states among others.
func (q *query) replaced(ctx context.Context, err error) bool {
	_, timed := ctx.Deadline()
	w := &q.want
	states := w.MPE || w.MAP != nil || w.KMPE > 0
	return solve.TooHard(err) && (timed || states && w.Marginals == nil && !w.LogP) || solve.OutOfRange(err) && states
}

// boundable reports whether the flags ask for nothing that bounds do not answer.
func (f *queryFlags) boundable() bool {
	return !f.form.any() && f.batch == "" && f.jeffrey == nil && f.joint == nil && f.mixture == nil && !f.max && f.engine.Value != "compiled"
}

// answerBounds answers with bounds.
func (a *app) answerBounds(ctx context.Context, m *model.Model, q *query, policy model.Rows) error {
	if m.Kind == model.Dependency && q.want.Completions() {
		m = m.PseudoLikelihood() // as Compile does
	}
	e, err := infer.New(ctx, m, infer.Options{Rows: policy, Seed: a.Seed, MaxTable: a.MaxTable, MaxMem: int64(a.MaxMem)})
	if err != nil {
		return err
	}
	if _, timed := ctx.Deadline(); !timed {
		a.Patience = "still at work, until a counted amount is done; --timeout 10s answers with the bounds that are proven by then, and --progress shows them"
	}
	tell, stop := a.Follow(ctx, "bounding "+filepath.Base(q.path), 1)
	defer stop()
	e.SetRunOptions(infer.RunOptions{Progress: tell})
	x, err := cli.Await(context.WithoutCancel(ctx), func() (*reply.BoundedReply, error) { return reply.Bounded(ctx, e, q.vars, &q.want, q.known) })
	if err != nil {
		return fmt.Errorf("%s: %w", q.path, err)
	}
	return a.writeBounded(x, q.output)
}

// certify answers with bounds of the rounding errors of x.
func (a *app) certify(ctx context.Context, q *query, x *rows.Answer) error {
	e, err := infer.New(ctx, q.r.Model, infer.Options{Method: q.method, Rows: model.RowsAsIs, Seed: a.Seed, MaxTable: a.MaxTable, MaxMem: int64(a.MaxMem)})
	if err != nil {
		return err
	}
	certified, err := cli.Await(ctx, func() (*reply.BoundedReply, error) { return reply.Certified(ctx, e, q.vars, &q.want, q.known, x) })
	if err != nil {
		return a.CompileError(q.path, err)
	}
	return a.writeBounded(certified, q.output)
}

// writeBounded writes an answer with its certificate.
func (a *app) writeBounded(x *reply.BoundedReply, output string) error {
	var b bytes.Buffer
	var err error
	if a.JSON {
		var text []byte
		text, err = x.JSON()
		b.Write(text)
	} else {
		err = x.Print(&b)
	}
	if err != nil {
		return err
	}
	return picture.WriteFile(a.App, output, b.Bytes())
}

// checkCertify returns a usage error if flags contradict --certify.
func (f *queryFlags) checkCertify() error {
	by := cli.Approximate(f.Method.Value)
	switch {
	case !f.certify:
		return nil
	case f.bounds || by != nil:
		return cli.Usagef("--certify bounds the rounding errors of exact answers; want --method %s", cli.ExactMethods())
	case f.max:
		return cli.Usagef("--certify answers --logp, --all and --targets; leave out --maxmarginals")
	case f.form.any() || f.batch != "" || f.jeffrey != nil || f.joint != nil || f.mixture != nil || f.mapOf != nil || f.mpe || f.kmpe != 0:
		return cli.Usagef("--certify answers --logp, --all and --targets; leave out --batch, --svg, --html, --vega, --output, --jeffrey, --joint, --mixture, --map, --mpe and --kmpe")
	}
	return nil
}
