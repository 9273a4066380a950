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

// Checkpoint is where a search stood: what it takes to go on as though it had not been stopped.
type Checkpoint struct {
	Learner string          `json:"learner"`
	Options string          `json:"options"` // with what there was to learn from
	State   json.RawMessage `json:"state"`   // the learner's own
}

// pause is the time between checkpoints of a search that goes on.
const pause = time.Minute

// Saver keeps the checkpoints of a job; without Job.Save it does nothing.
type Saver struct {
	job  *Job
	base Checkpoint
	last time.Time
	now  any // the state that was kept last
}

// Saver gives what keeps checkpoints of a learner with some options.
func (j *Job) Saver(name string, options any) *Saver {
	s := &Saver{job: j, last: time.Now()}
	if j.Save != nil || j.Resume != nil {
		s.base = Checkpoint{Learner: name, Options: fmt.Sprintf("%+v on rows %016x", options, j.fingerprint())}
	}
	return s
}

// Due reports whether it is time for a checkpoint.
func (s *Saver) Due() bool { return s.job.Save != nil && time.Since(s.last) >= pause }

// Save keeps a state.
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

// Keep notes where a search stands, and saves that when it is time. A state that changes later is to be one from which to go on too.
func (s *Saver) Keep(state any) error {
	s.now = state
	if s.Due() {
		return s.Save(state)
	}
	return nil
}

// End saves where the search stood last, if ctx has ended it.
func (s *Saver) End(ctx context.Context) error {
	if s.now == nil || ctx.Err() == nil {
		return nil
	}
	return s.Save(s.now)
}

// Load gives the state to go on from, if there is one. A checkpoint of another search is refused.
func (s *Saver) Load(state any) (bool, error) {
	c := s.job.Resume
	switch {
	case c == nil:
		return false, nil
	case c.Learner != s.base.Learner:
		return false, fmt.Errorf("the checkpoint is of learner %q; want one of %s, or none", c.Learner, s.base.Learner)
	case c.Options != s.base.Options:
		return false, fmt.Errorf("the checkpoint is of %s, and this search has %s; want the same options and rows", c.Options, s.base.Options)
	}
	if err := json.Unmarshal(c.State, state); err != nil {
		return false, Damaged(err)
	}
	return true, nil
}

// Damaged says of a checkpoint what is wrong with its state.
func Damaged(err error) error { return fmt.Errorf("the checkpoint is damaged: %w", err) }

// fingerprint tells jobs apart by their seeds, variables and rows.
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
