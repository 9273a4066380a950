package learner

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math"
	"time"

	"github.com/pgmc-go/pgmc/learn/data"
)

// Checkpoint is the state of a search. A search that resumes from it has the same result as one
// that was never stopped.
type Checkpoint struct {
	Learner string          `json:"learner"`
	Options string          `json:"options"` // the options of the learner and a hash of the data
	State   json.RawMessage `json:"state"`   // in the learner's own format
}

// pause is the time between the checkpoints of a running search.
const pause = time.Minute

// Saver saves the checkpoints of a job. It does nothing if Job.Save is nil.
type Saver struct {
	job  *Job
	base Checkpoint
	last time.Time
	now  any // the last state passed to Keep
}

// Saver returns a Saver for a learner with the given options.
func (j *Job) Saver(name string, options any) *Saver {
	s := &Saver{job: j, last: time.Now()}
	if j.Save != nil || j.Resume != nil {
		s.base = Checkpoint{Learner: name, Options: fmt.Sprintf("%+v on rows %016x", options, j.fingerprint())}
	}
	return s
}

// Due reports whether it is time for a checkpoint.
func (s *Saver) Due() bool { return s.job.Save != nil && time.Since(s.last) >= pause }

// Save saves a state.
func (s *Saver) Save(state any) error {
	s.last = time.Now()
	if s.job.Save == nil {
		return nil
	}
	c := s.base
	var err error
	if c.State, err = json.Marshal(state); err != nil {
		return err
	}
	return s.job.Save(&c)
}

// Keep records the state of a search, and saves it if a checkpoint is due. The search may change
// the state later if it can still resume from it.
func (s *Saver) Keep(state any) error {
	s.now = state
	if s.Due() {
		return s.Save(state)
	}
	return nil
}

// End saves the last state of the search if ctx has ended.
func (s *Saver) End(ctx context.Context) error {
	if s.now == nil || ctx.Err() == nil {
		return nil
	}
	return s.Save(s.now)
}

// Load stores the state of the checkpoint in state, and reports whether there is a checkpoint. It
// returns an error if the checkpoint belongs to another search.
func (s *Saver) Load(state any) (bool, error) {
	c := s.job.Resume
	switch {
	case c == nil:
		return false, nil
	case c.Learner != s.base.Learner:
		return false, fmt.Errorf("the checkpoint was saved by learner %q; want a checkpoint of %s, or none", c.Learner, s.base.Learner)
	case c.Options != s.base.Options:
		return false, fmt.Errorf("the checkpoint was saved with %s, and this search has %s; want the same options and rows", c.Options, s.base.Options)
	}
	if err := json.Unmarshal(c.State, state); err != nil {
		return false, Damaged(err)
	}
	return true, nil
}

// Damaged returns the error for a checkpoint with an invalid state.
func Damaged(err error) error { return fmt.Errorf("the checkpoint is damaged: %w", err) }

// fingerprint returns a hash of the seed, the variables and the rows of a job.
func (j *Job) fingerprint() uint64 {
	h := fnv.New64a()
	var buf []byte
	write := func(list ...uint64) {
		buf = buf[:0]
		for _, x := range list {
			buf = binary.LittleEndian.AppendUint64(buf, x)
		}
		h.Write(buf)
	}
	write(j.Seed)
	for _, s := range []*data.Set{j.Train, j.Valid} {
		if s == nil {
			write(0)
			continue
		}
		write(uint64(len(s.Vars)), uint64(s.Len()))
		for _, v := range s.Vars {
			fmt.Fprintf(h, "%q%q", v.Name, v.States)
		}
		row := make([]int, len(s.Vars))
		for i := range s.Len() {
			s.Row(i, row)
			write(math.Float64bits(s.Weight(i)))
			for v, x := range row {
				if write(uint64(x)); s.Vars[v].Real {
					write(math.Float64bits(s.Real(v)[i]))
				}
			}
		}
	}
	return h.Sum64()
}
