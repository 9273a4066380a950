package main

import (
	"context"
	"path/filepath"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/learn/data"
)

// dataParts is a data set in its three parts.
type dataParts struct{ train, valid, test *data.Set }

// loadParts loads a data set of the folder debd in a data folder.
func (a *app) loadParts(ctx context.Context, folder, set string) (d dataParts, err error) {
	for _, part := range []struct {
		name string
		to   **data.Set
	}{{"train", &d.train}, {"valid", &d.valid}, {"test", &d.test}} {
		opt := data.LoadOptions{MaxMem: int64(a.MaxMem)}
		if d.train != nil {
			opt.Vars = d.train.Vars
		}
		path := filepath.Join(folder, "debd", set+"."+part.name+".data.gz")
		if *part.to, err = a.LoadData(ctx, path, &cli.Choice{Value: "data"}, opt); err != nil {
			return d, err
		}
	}
	return d, nil
}

// knownSets checks the names of sets.
func knownSets(sets []string) error {
	for _, set := range sets {
		if acmnPlace(set) < 0 {
			var names []string
			for _, s := range acmnSets {
				names = append(names, s.file)
			}
			return cli.Usagef("--networks: unknown data set %q; want some of %v", set, names)
		}
	}
	return nil
}
