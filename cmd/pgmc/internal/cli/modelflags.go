package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/method/jointree"
	"github.com/pgmc-go/pgmc/compiler/order"
	"github.com/pgmc-go/pgmc/ir/model"
)

// ModelFlags are the flags of commands that read a model and compile it.
type ModelFlags struct {
	Format Choice // empty: by its extension
	Method Choice
	Rows   Choice
	Order  string
	Slices string // of --slices; empty for a model as it is

	Lasting bool // whether the program will answer many questions, so that --method auto compares times of answers
	Asked   bool // whether there are queries, one of which may belong to an approximate method
}

// AddTo adds the flags to a command.
func (f *ModelFlags) AddTo(cmd *cobra.Command) { f.AddAs(cmd, "format") }

// AddAs adds the flags. The flag of the model's format has the name format, for commands in which
// --format is something else.
func (f *ModelFlags) AddAs(cmd *cobra.Command, format string) {
	f.AddFormat(cmd, format)
	methods := []string{"auto"}
	for _, m := range compiler.Methods {
		methods = append(methods, m.Name)
	}
	AddChoice(cmd, &f.Method, "method", "the inference method; auto is "+ExactMethods()+", which are exact: for compile and stats the fastest as predicted, otherwise "+jointree.Method.Name+" if the model is no circuit and not too wide", methods...)
	f.AddRows(cmd)
	cmd.Flags().StringVar(&f.Order, "order", "auto", "elimination order: auto, min-fill, min-weight, weighted-min-fill, or a `file` with a variable on each line")
}

// AllowBest adds the word of [compiler.Best] to the methods of cmd.
func (f *ModelFlags) AllowBest(cmd *cobra.Command) {
	f.Method.Words = append(f.Method.Words, compiler.Best)
	cmd.Flags().Lookup("method").Usage += ", " + compiler.Best + ": as auto, but where no exact method fits the limits, the one that proves most of its answers"
}

// AddRows adds --rows to a command.
func (f *ModelFlags) AddRows(cmd *cobra.Command) {
	AddChoice(cmd, &f.Rows, "rows", "treat rows of probabilities that do not sum to 1: normalize them, take them as they are, or refuse them; uniform also replaces undefined rows (NaN) that can be reached", "normalize", "asis", "strict", "uniform")
}

// AddFormat adds the flag of the model's format under a name.
func (f *ModelFlags) AddFormat(cmd *cobra.Command, name string) {
	var formats []string
	for _, x := range compiler.Formats {
		formats = append(formats, x.Name)
	}
	AddFormatChoice(cmd, &f.Format, name, "the model's file format", formats)
}

// policy returns the value of --rows.
func (f *ModelFlags) policy() (model.Rows, error) {
	rows, err := model.ParseRows(f.Rows.Value)
	if err != nil {
		return rows, UsageError{err}
	}
	return rows, nil
}

// setOrder sets the elimination order of opt by --order.
func (f *ModelFlags) setOrder(opt *compiler.Options, m *model.Model) error {
	if f.Order == "auto" {
		return nil
	}
	h, unknown := order.ParseHeuristic(f.Order)
	if unknown == nil {
		opt.Heuristics = []order.Heuristic{h}
		return nil
	}
	file, err := os.Open(f.Order)
	if errors.Is(err, fs.ErrNotExist) {
		return UsageError{fmt.Errorf("--order: %w", unknown)}
	}
	if err != nil {
		return err
	}
	defer file.Close()
	opt.Order, err = order.Read(file, f.Order, m)
	return err
}
