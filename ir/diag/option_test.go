package diag_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/pgmc-go/pgmc/ir/diag"
)

func TestText(t *testing.T) {
	memory, query := diag.Option{Name: "max-mem", Value: "2GiB"}, diag.Option{Name: "query", Value: "a | b"}
	plain := diag.Errorf("try %v or %v: 100%%", memory, query)
	var list diag.List
	list.Errorf(diag.Pos{File: "f", Line: 2}, "too wide; %v", plain)
	list.Errorf(diag.Pos{File: "f", Line: 3}, "no option")
	flag := func(o diag.Option) string { return "--" + o.Name + "=" + o.Value }
	for _, c := range []struct {
		err        error
		fact, flag string
	}{
		{errors.New("plain"), "plain", "plain"},
		{plain, `try max-mem 2GiB or query "a | b": 100%`, "try --max-mem=2GiB or --query=a | b: 100%"},
		{fmt.Errorf("m.bif: %w!", plain), `m.bif: try max-mem 2GiB or query "a | b": 100%!`, "m.bif: try --max-mem=2GiB or --query=a | b: 100%!"},
		{list.Err(), "f:2: too wide; try max-mem 2GiB or query \"a | b\": 100%\nf:3: no option",
			"f:2: too wide; try --max-mem=2GiB or --query=a | b: 100%\nf:3: no option"},
		{errors.Join(errors.New("x"), diag.Errorf("lower %v", diag.Option{Name: "max-mem"})), "x\nlower max-mem", "x\nlower --max-mem="},
		{diag.Join([]*diag.Message{diag.Errorf("%v", memory), diag.Errorf("b")}, "; "), "max-mem 2GiB; b", "--max-mem=2GiB; b"},
	} {
		if got := c.err.Error(); got != c.fact {
			t.Errorf("the text is %q; want %q", got, c.fact)
		}
		if got := diag.Text(c.err, flag); got != c.flag {
			t.Errorf("with flags it is %q; want %q", got, c.flag)
		}
	}
}
