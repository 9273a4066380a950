package learner

import (
	"fmt"

	"github.com/pgmc-go/pgmc/learn/data"
)

// Room returns an error if a learner needs more bytes than the job allows: [data.DefaultMaxMem]
// without a limit. what names the numbers that take them, and remedy what to have fewer of.
func (j *Job) Room(bytes float64, what, remedy string) error {
	most := j.MaxMem
	if most == 0 {
		most = data.DefaultMaxMem
	}
	if bytes > float64(most) {
		return fmt.Errorf("%s take %.3g bytes; want at most %d: fewer %s, or more memory", what, bytes, most, remedy)
	}
	return nil
}
