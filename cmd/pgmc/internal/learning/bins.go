package learning

import (
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/data/rowfile"
)

// readBins sets how columns become intervals: the value of --bins, a list of rules. A rule is a
// number of intervals, quantile:N or width:N, or mdl:CLASS, with COLUMN= before it if it is for one
// column. byWidth is the rule of a mere number.
func readBins(text string, byWidth bool, opt *rowfile.LoadOptions) error {
	if text == "" || text == "0" {
		return nil
	}
	items, err := diag.SplitNames(text)
	if err != nil {
		return cli.Usagef("--bins %q: %w", text, err)
	}
	for _, item := range items {
		b, ok := parseBins(item[len(item)-1], byWidth)
		if !ok || len(item) > 2 {
			return cli.Usagef("--bins has %q; want a number of intervals from 2 to %d, quantile:N, width:N or mdl:CLASS, for one column with COLUMN= before it", strings.Join(item, "="), data.MaxStates)
		}
		if len(item) == 2 {
			b.Column = item[0]
			opt.Columns = append(opt.Columns, b)
			continue
		}
		if opt.Bins > 0 || opt.Class != "" {
			return cli.Usagef("--bins has two rules for all columns; want one, and others with COLUMN= before them")
		}
		opt.Bins, opt.Binning, opt.Class = b.N, b.Binning, b.Class
	}
	return nil
}

// parseBins reads a rule.
func parseBins(rule string, byWidth bool) (b rowfile.ColumnBins, ok bool) {
	kind, value, ok := strings.Cut(rule, ":")
	if !ok {
		kind, value = "quantile", rule
		if byWidth {
			kind = "width"
		}
	}
	switch kind {
	case "mdl":
		return rowfile.ColumnBins{Binning: rowfile.BinsMDL, Class: value}, value != ""
	case "quantile", "frequency":
		b.Binning = rowfile.BinsFrequency
	case "width":
		b.Binning = rowfile.BinsWidth
	default:
		return b, false
	}
	n, err := strconv.Atoi(value)
	b.N = n
	return b, err == nil && n >= 2 && n <= data.MaxStates
}

// realColumns sets the columns of real numbers from the values of the flag --real.
func realColumns(values []string, opt *rowfile.LoadOptions) error {
	for _, value := range values {
		names, err := cli.NamesOf("--real", value)
		if err != nil {
			return err
		}
		for _, name := range names {
			if name == "*" {
				opt.Numeric = true
			} else {
				opt.Real = append(opt.Real, name)
			}
		}
	}
	return nil
}
