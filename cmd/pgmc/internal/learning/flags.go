package learning

import (
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/pflag"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/learn"
)

// Flag returns the flag of a command for an option of a learner. A value @FILE is replaced by the
// text of the file.
func Flag(x *flag.Flag) *pflag.Flag {
	f := cli.OptionFlag(x)
	f.Value = &listValue{Value: f.Value, name: x.Name}
	return f
}

// HelpAll describes the flags of all learners.
func HelpAll() string {
	text := ""
	for i := range learn.Learners {
		_, options := NewLearner(&learn.Learners[i])
		own := pflag.NewFlagSet("", pflag.ContinueOnError)
		options.VisitAll(func(x *flag.Flag) { own.AddFlag(Flag(x)) })
		if own.HasFlags() {
			text += "\nFlags of learner " + learn.Learners[i].Name + ":\n" + own.FlagUsagesWrapped(cli.HelpWidth)
		}
	}
	return text
}

// listValue is a value that can be read from a file.
type listValue struct {
	pflag.Value
	name string
}

// Unwrap returns the value without the reading of files.
func (v *listValue) Unwrap() pflag.Value { return v.Value }

// maxList is the most bytes of a file that a flag names, more than lists of edges take.
const maxList = 16 << 20

// Set sets the value to s, or if s is @ and the name of a file, to its text.
func (v *listValue) Set(s string) error {
	if path, ok := strings.CutPrefix(s, "@"); ok {
		text, err := readList(path)
		if err != nil {
			return err
		}
		s = text
	}
	return v.Value.Set(s)
}

func readList(path string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	b, err := io.ReadAll(io.LimitReader(file, maxList+1))
	if err == nil && len(b) > maxList {
		err = fmt.Errorf("%s: more than %d bytes; want a list of names", path, maxList)
	}
	return string(b), err
}
