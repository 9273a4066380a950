package experiment

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/data/rowfile"
)

// Network returns the file of a network in the data folder, or the name if there is no such file
// and a model of that name is part of pgmc.
func (f *Options) Network(name string) string {
	path := filepath.Join(f.Data, "bif", name+".bif.gz")
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		if _, _, ok := cli.BuiltIn(name); ok {
			return name
		}
	}
	return path
}

// Missing returns an error of a run, which says where data are from if it names a file of a data
// folder that is not there.
func (f *Options) Missing(err error) error {
	if _, missing := os.Stat(f.Data); err == nil || !errors.Is(missing, fs.ErrNotExist) || !strings.Contains(err.Error(), f.Data) {
		return err
	}
	return fmt.Errorf("%s: no such folder; --data names one with networks of bnlearn.com/bnrepository as bif/NAME.bif.gz and data sets of github.com/arranger1044/DEBD as debd/NAME.train.data.gz, .valid and .test; "+
		"without it, edge-deletion and structure run on a model of pgmc by --networks hydro, and ldfm --networks asia", f.Data)
}

// Parts is a data set divided into training, validation and test data.
type Parts struct{ Train, Valid, Test *data.Set }

// LoadParts loads a data set of the folder debd in the data folder.
func (r *Run) LoadParts(ctx context.Context, set string) (d Parts, err error) {
	for _, part := range []struct {
		name string
		to   **data.Set
	}{{"train", &d.Train}, {"valid", &d.Valid}, {"test", &d.Test}} {
		opt := rowfile.LoadOptions{MaxMem: int64(r.MaxMem)}
		if d.Train != nil {
			opt.Vars = d.Train.Vars
		}
		path := filepath.Join(r.Flags.Data, "debd", set+"."+part.name+".data.gz")
		if *part.to, err = r.LoadData(ctx, path, &cli.DataFlags{Format: cli.Choice{Value: "data"}}, cli.Train, opt); err != nil {
			return d, err
		}
	}
	return d, nil
}

// Set is one of the data sets of the folder debd.
type Set struct{ File, name string }

// Sets holds the data sets that papers on tractable Markov networks use, by the names of their
// files and those in the papers.
var Sets = []Set{
	{"nltcs", "NLTCS"}, {"msnbc", "MSNBC"}, {"kdd", "KDDCup 2000"}, {"plants", "Plants"}, {"baudio", "Audio"}, {"jester", "Jester"},
	{"bnetflix", "Netflix"}, {"msweb", "MSWeb"}, {"book", "Book"}, {"cwebkb", "WebKB"}, {"cr52", "Reuters-52"}, {"c20ng", "20 Newsgroup"},
}

// SetNames returns the files of all sets.
func SetNames() (names []string) {
	for _, s := range Sets {
		names = append(names, s.File)
	}
	return names
}

// PlaceOf returns the index of a set in Sets, by its file, or -1.
func PlaceOf(set string) int {
	return slices.IndexFunc(Sets, func(s Set) bool { return s.File == set })
}
