package cli

import (
	"context"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Engine compiles a query of a model and returns the engine that answers it. Errors name the model
// by name.
func (a *App) Engine(ctx context.Context, name string, m *model.Model, query string) (*infer.Engine, error) {
	opt := compiler.Options{Seed: a.Seed, MaxTable: a.MaxTable, MaxMem: int64(a.MaxMem), Machine: MachineMemory(), Queries: []string{query}, Interpreted: true,
		IgnoreUnderflow: query == "logprob" && infer.ScoresInLogSpace(m)}
	r, err := a.Compile(ctx, name, m, opt, nil)
	if err != nil {
		return nil, err
	}
	return infer.Of(r, a.Seed), nil
}
