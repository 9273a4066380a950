package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// ExitCode prints err to standard error and returns the exit code for it. With --json it prints an
// object.
func (a *App) ExitCode(err error) int {
	if err == nil {
		return ExitDone
	}
	code, text := a.explain(err)
	if a.JSON {
		enc := json.NewEncoder(a.Stderr)
		enc.SetEscapeHTML(false)
		enc.Encode(struct {
			Error jsonError `json:"error"`
		}{newJSONError(err, code, text)})
		return code
	}
	fmt.Fprintln(a.Stderr, text)
	return code
}

// jsonError is an error as --json prints it.
type jsonError struct {
	Message string `json:"message"`
	Exit    int    `json:"exit"`
	File    string `json:"file,omitempty"`
	Line    int    `json:"line,omitempty"`
	Column  int    `json:"column,omitempty"`
}

// newJSONError returns the object for an error with its exit code and text. The position is the
// first diagnostic's.
func newJSONError(err error, code int, text string) jsonError {
	e := jsonError{Message: strings.TrimPrefix(text, "pgmc: "), Exit: code}
	var list diag.Errors
	var one diag.Diagnostic
	switch {
	case errors.As(err, &list) && len(list) > 0:
		one = list[0]
	case !errors.As(err, &one):
		return e
	}
	e.File, e.Line, e.Column = one.Pos.File, one.Pos.Line, one.Pos.Col
	return e
}

// explain returns the exit code for an error and its text. A text without a line of a file begins
// with "pgmc: ".
func (a *App) explain(err error) (code int, text string) {
	var usage UsageError
	var internal *InternalError
	var list diag.Errors
	var one diag.Diagnostic
	var untaken *model.Untaken
	switch {
	case errors.As(err, &internal):
		return ExitInternal, a.internalText(internal)
	case errors.As(err, &usage):
		return ExitUsage, a.usageText(usage)
	case errors.As(err, &list):
		text := positioned(a.text(list), len(list) > 0 && list[0].Pos.Line > 0)
		if len(list) == diag.MaxShown {
			text += fmt.Sprintf("\npgmc: reading ended at %d errors; there may be more", len(list))
		}
		return ExitInput, text
	case errors.Is(err, context.DeadlineExceeded) && !ended(err):
		return ExitInput, fmt.Sprintf("pgmc: not done within --timeout %v", a.timeout)
	case errors.Is(err, context.Canceled) && !ended(err):
		return ExitInput, "pgmc: interrupted"
	case errors.As(err, &one):
		return ExitInput, positioned(a.text(one), one.Pos.Line > 0)
	case errors.As(err, &untaken):
		return ExitInput, positioned(Text(untaken), untaken.Need.Pos.Line > 0)
	}
	text = "pgmc: " + a.text(err)
	if large := (*compiler.TooLarge)(nil); errors.As(err, &large) {
		if a.Best && large.Others != nil {
			text += ". What proves most: --method " + compiler.Best
		}
		if a.Bounds != "" {
			text += ". Bounds: " + a.Bounds
		}
	}
	return ExitInput, text
}

// ended reports whether err comes from a search that was ended with an answer.
func ended(err error) bool {
	var search *pgmrt.SearchError
	return errors.As(err, &search)
}

// positioned returns text with "pgmc: " before it unless it begins with a line of a file, which
// editors look for at the start.
func positioned(text string, line bool) string {
	if line {
		return text
	}
	return "pgmc: " + text
}

// usageText returns the text of a mistake in the command line.
func (a *App) usageText(usage UsageError) string {
	command := a.Command
	if option := (*compiler.OptionError)(nil); errors.As(usage, &option) {
		command += " --method " + option.Method
	}
	text, see := oneLine(usage), "; see"
	if strings.HasSuffix(text, "?") {
		see = " See"
	}
	return fmt.Sprintf("pgmc: %s%s %s --help", text, see, command)
}

// internalText returns the text of a mistake in pgmc.
func (a *App) internalText(e *InternalError) string {
	where := "command line"
	if a.Command != "" {
		where = a.Command
	}
	if a.Stage != "" {
		where += ", " + a.Stage
	}
	words := []string{"pgmc"}
	for _, arg := range a.Args {
		words = append(words, ShellQuote(arg))
	}
	text := fmt.Sprintf("pgmc: internal error in %s: %s\n", where, e.Cause) +
		fmt.Sprintf("pgmc: this is a mistake in pgmc; please report it with the model and this command: %s", strings.Join(words, " "))
	if e.Stack != "" {
		text += "\n" + strings.TrimSuffix(e.Stack, "\n")
	}
	return text
}
