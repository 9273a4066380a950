package codegen

import (
	"github.com/pgmc-go/pgmc/codegen/internal/api"
	"github.com/pgmc-go/pgmc/codegen/internal/batch"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// WithTables returns o for a package that enters evidence by tables, as for large models.
func WithTables(o Options) Options {
	o.tables = true
	return o
}

// WithLanes returns options by which all batches that can run in lanes do, and WithNests by which
// all that can run as loop nests in lanes do.
func WithLanes(opt Options) Options {
	opt.batches = batch.AllLanes
	return opt
}

func WithNests(opt Options) Options {
	opt.batches = batch.AllNests
	return opt
}

// Vetted holds the names that go vet reserves.
var Vetted = api.Vetted

// Reserved returns the names that a package of p has whatever the names of the model are.
func Reserved(m *model.Model, p *ir.Program, opt Options) ([]string, error) {
	g, err := newGenerator(m, p, opt)
	if err != nil {
		return nil, err
	}
	return g.reserved(), nil
}
