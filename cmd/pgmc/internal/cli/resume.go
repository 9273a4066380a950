package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/pgmc-go/pgmc/learn"
	"github.com/pgmc-go/pgmc/learn/learner"
)

// maxCheckpoint is the most bytes of a checkpoint, more than the candidates of any search take.
const maxCheckpoint = 1 << 30

// Resuming lists the names of the learners that keep checkpoints.
func Resuming() string {
	var names []string
	for _, x := range learn.Learners {
		if x.Resumes {
			names = append(names, x.Name)
		}
	}
	return strings.Join(names, ", ")
}

// Resume makes a job continue from the checkpoint in a file, if the file exists, and keep its own
// checkpoints there.
func (a *App) Resume(job *learner.Job, algo, path string) error {
	l, err := learn.Find(algo)
	if err != nil {
		return UsageError{err}
	}
	if !l.Resumes {
		return Usagef("--resume: %s keeps no checkpoints; %s do", l.Name, Resuming())
	}
	if job.Resume, err = readCheckpoint(path); err != nil {
		return err
	}
	job.Save = func(c *learner.Checkpoint) error {
		text, err := json.Marshal(c)
		if err != nil {
			return err
		}
		return a.WriteResult(path, text)
	}
	return nil
}

// readCheckpoint returns the checkpoint in a file; nil if the file does not exist.
func readCheckpoint(path string) (*learner.Checkpoint, error) {
	file, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxCheckpoint+1))
	if err != nil {
		return nil, err
	}
	if len(text) > maxCheckpoint {
		return nil, fmt.Errorf("%s: more than %d bytes; want a checkpoint", path, maxCheckpoint)
	}
	c := &learner.Checkpoint{}
	if err := json.Unmarshal(text, c); err != nil {
		return nil, fmt.Errorf("%s: %w; want a checkpoint, as pgmc learn --resume writes it", path, err)
	}
	return c, nil
}
