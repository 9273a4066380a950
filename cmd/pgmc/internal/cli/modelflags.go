package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/order"
	"github.com/pgmc-go/pgmc/ir/model"
)

// ModelFlags are the flags of commands that read a model and compile it.
type ModelFlags struct {
	Format Choice // empty: by extension
	Method Choice
	Rows   Choice
	Order  string

	Lasting bool // the program answers many questions, so that the time of an answer decides over the method
}

func (f *ModelFlags) AddTo(cmd *cobra.Command) { f.AddAs(cmd, "format") }

// AddAs adds the flags, the one for the model's format under a name of its own where --format is
// something else.
func (f *ModelFlags) AddAs(cmd *cobra.Command, format string) {
	f.AddFormat(cmd, format)
	methods := []string{"auto"}
	for _, m := range compiler.Methods {
		methods = append(methods, m.Name)
	}
	AddChoice(cmd, &f.Method, "method", "how to compute; auto is what compile and stats predict to be fastest; elsewhere jointree, but circuit where a model is one or too wide otherwise", methods...)
	f.AddRows(cmd)
	cmd.Flags().StringVar(&f.Order, "order", "auto", "elimination order: auto, min-fill, min-weight, weighted-min-fill, or a `file` with a variable a line")
}

func (f *ModelFlags) AddRows(cmd *cobra.Command) {
	AddChoice(cmd, &f.Rows, "rows", "what to do with rows of probabilities that don't sum to one", "normalize", "asis", "strict")
}

func (f *ModelFlags) AddFormat(cmd *cobra.Command, name string) {
	var formats []string
	for _, x := range compiler.Formats {
		formats = append(formats, x.Name)
	}
	AddFormatChoice(cmd, &f.Format, name, "the model's file format", formats)
}

// policy is the value of --rows.
func (f *ModelFlags) policy() (model.Rows, error) {
	rows, err := model.ParseRows(f.Rows.Value)
	if err != nil {
		return rows, UsageError{err}
	}
	return rows, nil
}

// setOrder puts --order into opt.
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
