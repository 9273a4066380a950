package main

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/rows"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/model"
)

// boundMethod is the word of --method for bounds, which no program computes.
const boundMethod = "bound"

// answerBounds answers with bounds.
func (a *app) answerBounds(ctx context.Context, m *model.Model, q *query, policy model.Rows) error {
	defer a.Progress("bounding "+filepath.Base(q.path), nil).Stop()
	e, err := infer.New(ctx, m, infer.Options{Rows: policy, Seed: a.Seed, MaxTable: a.MaxTable, MaxMem: int64(a.MaxMem)})
	if err != nil {
		return err
	}
	reply, err := cli.Await(context.WithoutCancel(ctx), func() (*rows.BoundedReply, error) { return rows.Bounded(ctx, e, q.vars, &q.want, q.known) })
	if err != nil {
		return fmt.Errorf("%s: %w", q.path, err)
	}
	if !a.JSON {
		return reply.Print(a.Stdout)
	}
	text, err := reply.JSON()
	if err == nil {
		_, err = a.Stdout.Write(text)
	}
	return err
}
