package beam

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/learn/counts"
)

// Summary is what is known of all elements.
type Summary struct {
	Parts                             int64
	Rows, Incomplete, Bad, Impossible int64
	Mean, StdErr                      float64 // of the log-probability of [Score]; -Inf and +Inf if a row is impossible
	Counts                            []byte  // of [Count]; [counts.ReadCSV] reads them
}

// finishFn ends a result once all elements have been read.
type finishFn struct{ Options Options }

// ProcessElement adds the parts in their order, and writes the file that says that the result is
// complete.
func (f *finishFn) ProcessElement(_ context.Context, _ int, next func(*Part) bool, emit func(Summary)) error {
	var parts []Part
	for p := (Part{}); next(&p); p = (Part{}) {
		parts = append(parts, p)
	}
	slices.SortFunc(parts, func(x, y Part) int {
		return cmp.Or(cmp.Compare(x.Work.File, y.Work.File), cmp.Compare(x.Work.Group, y.Work.Group))
	})
	if want := parts[0].Work.Of; int64(len(parts)) != want {
		return fmt.Errorf("the runner gave %d parts of %d", len(parts), want)
	}
	s, err := sum(parts)
	if err != nil {
		return err
	}
	if out := f.Options.Out; out != "" {
		if err := complete(out, parts, s); err != nil {
			return err
		}
	}
	emit(*s)
	return nil
}

// sum adds parts.
func sum(parts []Part) (*Summary, error) {
	s, mean, all := &Summary{Parts: int64(len(parts))}, Mean{}, (*counts.Counts)(nil)
	for _, p := range parts {
		s.Rows += p.Rows
		s.Incomplete += p.Incomplete
		s.Bad += p.Bad
		s.Impossible += p.Impossible
		mean.merge(p.LogP)
		if p.Counts == nil {
			continue
		}
		c, err := counts.ReadCSV(bytes.NewReader(p.Counts), p.Work.File, 0)
		switch {
		case err != nil:
			return nil, err
		case all == nil:
			all = c
		default:
			if err := all.Add(c); err != nil {
				return nil, err
			}
		}
	}
	if s.Mean, s.StdErr = mean.Value, mean.StdErr(); s.Impossible > 0 {
		s.Mean, s.StdErr = math.Inf(-1), math.Inf(1)
	}
	if all == nil {
		return s, nil
	}
	var text bytes.Buffer
	err := all.WriteCSV(&text)
	s.Counts = text.Bytes()
	return s, err
}

// complete checks that a folder has no part of another run, removes what abandoned work left, and
// writes the counts and the file that says that the result is complete.
func complete(out string, parts []Part, s *Summary) error {
	known := map[string]bool{}
	for _, p := range parts {
		known[p.Name] = true
	}
	entries, err := os.ReadDir(out)
	if err != nil {
		return err
	}
	for _, e := range entries {
		switch name := e.Name(); {
		case strings.HasPrefix(name, aside):
			if err := os.Remove(filepath.Join(out, name)); err != nil {
				return err
			}
		case strings.HasPrefix(name, "part-") && !known[name]:
			return fmt.Errorf("%s: the part is of another run; want a folder without such", filepath.Join(out, name))
		}
	}
	if s.Counts != nil {
		err := writeAside(filepath.Join(out, countsFile), func(w io.Writer) error {
			_, err := w.Write(s.Counts)
			return err
		})
		if err != nil {
			return err
		}
	}
	return writeAside(filepath.Join(out, success), func(io.Writer) error { return nil })
}
