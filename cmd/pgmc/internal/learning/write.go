package learning

import (
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/ir/model"
)

// writeModels writes the learned network, or the circuit if the format is one of circuits. It also
// writes the circuit to the file of --circuit.
func writeModels(a *cli.App, f *Options, to format.Format, models []*model.Model) error {
	m := models[0]
	if len(models) > 1 && (to.Name == format.LibraAC || to.Name == format.LibraSPN) {
		m = models[1]
	}
	if f.Circuit != "" {
		if len(models) < 2 {
			return cli.Usagef("--circuit: %s makes no circuit", f.Algo)
		}
		to, err := cli.OutputFormat(f.Circuit, "")
		if err != nil {
			return err
		}
		if err := a.WriteModel(to, f.Circuit, models[1], false); err != nil {
			return err
		}
	}
	return writeModel(a, to, f.Out, m)
}

// writeModel writes the model. If it goes to standard output, later text of a goes to standard
// error.
func writeModel(a *cli.App, to format.Format, path string, m *model.Model) error {
	if err := a.WriteModel(to, path, m, false); err != nil {
		return err
	}
	if path == cli.Standard {
		a.Stdout = a.Stderr
	}
	return nil
}
