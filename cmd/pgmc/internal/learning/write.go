package learning

import (
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/format/libra"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// writeModels writes the learned network, or the circuit if the format is one of circuits. It also
// writes the circuit to the file of --circuit.
func writeModels(a *cli.App, f *Options, to format.Format, models []*model.Model) error {
	m := models[0]
	if len(models) > 1 && (to.Name == libra.AC.Name || to.Name == libra.SPN.Name) {
		m = models[1]
	}
	if f.Circuit != "" {
		if len(models) < 2 {
			return cli.Usagef("--circuit: %s makes no circuit", f.Algo)
		}
		to, err := format.Find(compiler.Formats, f.Circuit, "")
		if err != nil {
			return cli.Usage(err)
		}
		if err := writeModel(a, to, f.Circuit, models[1]); err != nil {
			return err
		}
	}
	return writeModel(a, to, f.Out, m)
}

// writeModel writes a model and warns of what the format loses.
func writeModel(a *cli.App, to format.Format, path string, m *model.Model) error {
	sink, err := format.Encode(compiler.Formats, to, path, m)
	if err != nil {
		return err
	}
	var list diag.List
	for _, what := range sink.Lost {
		list.Warnf(diag.Pos{File: path}, "lost: %s", what)
	}
	a.Warn(list.Warnings())
	return sink.Flush()
}
