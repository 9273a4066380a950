package main

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pgmc-go/pgmc/codegen"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/order"
	"github.com/pgmc-go/pgmc/ir/model"
)

// choice is the value of a flag that takes one of a few words.
type choice struct {
	value string
	words []string
}

func (c *choice) String() string { return c.value }

// Type is how help names the value.
func (c *choice) Type() string {
	if words := strings.Join(c.words, "|"); len(words) <= mostWords {
		return words
	}
	return "name"
}

// mostWords is how long the list of words may be that help shows for a value. A longer one follows the usage.
const mostWords = 24

func (c *choice) Set(s string) error {
	for _, w := range c.words {
		if w == s {
			c.value = s
			return nil
		}
	}
	return fmt.Errorf("want %s", strings.Join(c.words, ", "))
}

// addChoice adds a flag that takes one of words, the first by default.
func addChoice(cmd *cobra.Command, c *choice, name, usage string, words ...string) {
	c.value, c.words = words[0], words
	if c.Type() == "name" {
		usage += ": " + strings.Join(words, ", ")
	}
	cmd.Flags().Var(c, name, usage)
	if err := cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(err)
	}
}

// byteSize is the value of a flag that takes an amount of memory: a number of bytes, or one with a unit.
type byteSize int64

var byteUnits = []struct {
	name string
	size int64
}{
	{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"TiB", 1 << 40},
	{"kB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12}, {"B", 1},
}

func (b *byteSize) Type() string { return "size" }

// String gives the size in the largest binary unit of which it is a multiple.
func (b *byteSize) String() string {
	for i := 3; i >= 0; i-- {
		if u := byteUnits[i]; *b != 0 && int64(*b)%u.size == 0 {
			return strconv.FormatInt(int64(*b)/u.size, 10) + u.name
		}
	}
	return strconv.FormatInt(int64(*b), 10)
}

func (b *byteSize) Set(s string) error {
	number, unit := s, int64(1)
	for _, u := range byteUnits {
		if rest, ok := strings.CutSuffix(s, u.name); ok {
			number, unit = strings.TrimSpace(rest), u.size
			break
		}
	}
	x, err := strconv.ParseFloat(number, 64)
	if err != nil || !(x > 0) || x*float64(unit) >= math.MaxInt64 || x*float64(unit) < 1 {
		return errors.New("want a size such as 512MiB or 2GiB")
	}
	*b = byteSize(x * float64(unit))
	return nil
}

// modelFlags are the flags of commands that read a model and compile it.
type modelFlags struct {
	format choice // empty: by extension
	method choice
	rows   choice
	order  string

	lasting bool // the program answers many questions, so that the time of an answer decides over the method
}

func (f *modelFlags) addTo(cmd *cobra.Command) { f.addAs(cmd, "format") }

// addAs adds the flags, the one for the model's format under a name of its own where --format is something else.
func (f *modelFlags) addAs(cmd *cobra.Command, format string) {
	f.addFormat(cmd, format)
	methods := []string{"auto"}
	for _, m := range compiler.Methods {
		methods = append(methods, m.Name)
	}
	addChoice(cmd, &f.method, "method", "how to compute; auto is what compile and stats predict to be fastest; elsewhere jointree, but circuit where a model is one or too wide otherwise", methods...)
	f.addRows(cmd)
	cmd.Flags().StringVar(&f.order, "order", "auto", "elimination order: auto, min-fill, min-weight, weighted-min-fill, or a `file` with a variable a line")
}

func (f *modelFlags) addRows(cmd *cobra.Command) {
	addChoice(cmd, &f.rows, "rows", "what to do with rows of probabilities that don't sum to one", "normalize", "asis", "strict")
}

func (f *modelFlags) addFormat(cmd *cobra.Command, name string) {
	var formats []string
	for _, x := range compiler.Formats {
		formats = append(formats, x.Name)
	}
	addFormatChoice(cmd, &f.format, name, "the model's file format", formats)
}

// addFormatChoice adds a flag that takes the name of a format; it is empty where the extension decides.
func addFormatChoice(cmd *cobra.Command, c *choice, name, usage string, formats []string) {
	addChoice(cmd, c, name, usage+" (default by extension)", formats...)
	c.value = ""
	cmd.Flags().Lookup(name).DefValue = ""
}

// policy is the value of --rows.
func (f *modelFlags) policy() (model.Rows, error) {
	rows, err := model.ParseRows(f.rows.value)
	if err != nil {
		return rows, usageError{err}
	}
	return rows, nil
}

// setOrder puts --order into opt.
func (f *modelFlags) setOrder(opt *compiler.Options, m *model.Model) error {
	if f.order == "auto" {
		return nil
	}
	h, unknown := order.ParseHeuristic(f.order)
	if unknown == nil {
		opt.Heuristics = []order.Heuristic{h}
		return nil
	}
	file, err := os.Open(f.order)
	if errors.Is(err, fs.ErrNotExist) {
		return usageError{fmt.Errorf("--order: %w", unknown)}
	}
	if err != nil {
		return err
	}
	defer file.Close()
	opt.Order, err = order.Read(file, f.order, m)
	return err
}

// addBackend adds --backend.
func addBackend(cmd *cobra.Command, c *choice) {
	words := []string{"auto"}
	for _, b := range codegen.Backends {
		words = append(words, b.Name)
	}
	addChoice(cmd, c, "backend", "how blocks of the program become Go; asm: as auto, and batches as assembly", append(words, codegen.Assembly)...)
}
