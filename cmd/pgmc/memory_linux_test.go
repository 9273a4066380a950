package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
)

// mostMemory is what may be used, in bytes, to refuse or measure a network whose tables would take
// far more.
const mostMemory = 200 << 20

// writeNet writes a network of n binary variables as BIF, variable i below those that parents
// gives.
func writeNet(t *testing.T, n int, parents func(i int) []int) string {
	var b strings.Builder
	b.WriteString("network net {}\n")
	for i := range n {
		fmt.Fprintf(&b, "variable v%d { type discrete [ 2 ] { a, b }; }\n", i)
	}
	for i := range n {
		list := parents(i)
		names := make([]string, len(list))
		for k, p := range list {
			names[k] = fmt.Sprint("v", p)
		}
		given := ""
		if len(list) > 0 {
			given = " | " + strings.Join(names, ", ")
		}
		fmt.Fprintf(&b, "probability ( v%d%s ) { table%s; }\n", i, given, strings.Repeat(" 0.5,", 1<<(len(list)+1)-1)+" 0.5")
	}
	path := filepath.Join(t.TempDir(), "net.bif")
	if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// gridNet is a network on a grid of side by side variables.
func gridNet(t *testing.T, side int) string {
	return writeNet(t, side*side, func(i int) (list []int) {
		if i%side > 0 {
			list = append(list, i-1)
		}
		if i >= side {
			list = append(list, i-side)
		}
		return list
	})
}

// TestMemory runs commands on networks that are too wide, or large, in a process of their own, and
// looks at its peak memory.
func TestMemory(t *testing.T) {
	grid, chain := gridNet(t, 30), writeNet(t, 20_000, func(i int) []int { return []int{i - 1}[:min(i, 1)] })
	clique := writeNet(t, 18, func(i int) []int {
		list := make([]int, i)
		for k := range list {
			list[k] = k
		}
		return list[:min(i, 8)]
	})
	tests := []struct {
		name string
		code int
		want string // on standard error, or standard output where the command does its work
		args []string
	}{
		{"compile", cli.ExitInput, "exact inference needs a clique of", []string{"compile", grid}},
		{"query", cli.ExitInput, "exact inference needs a clique of", []string{"query", grid}},
		{"query of memory", cli.ExitInput, "limits: --max-table 134217728, --max-mem 10 KiB", []string{"query", clique, "--max-mem", "10KiB"}},
		{"higher limits", cli.ExitInput, "--max-mem 8.8 PiB, 2147483647 numbers in all", []string{"query", grid, "--max-table", "9000000000000000000", "--max-mem", "9000TiB"}},
		{"stats", cli.ExitDone, "refuses: exact inference needs a clique of", []string{"stats", grid}},
		{"stats of a large grid", cli.ExitDone, "refuses: exact inference needs a clique of at least", []string{"stats", gridNet(t, 70)}},
		{"stats of a long chain", cli.ExitDone, "min-weight             1", []string{"stats", chain}},
		{"compile of a long chain", cli.ExitInput, "net.bif: a package for 20000 variables and 79996 numbers would have about", []string{"compile", chain}},
		{"query of a long chain", cli.ExitDone, "log-probability", []string{"query", chain, "--logp", "--evidence", "v7=a"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			u := measured(t, t.TempDir(), tt.args...)
			if u.Code != tt.code {
				t.Fatalf("exit code %d; want %d\n%s", u.Code, tt.code, u.Stderr)
			}
			if !strings.Contains(u.Stdout+u.Stderr, tt.want) {
				t.Errorf("%q is missing from\n%s%s", tt.want, u.Stdout, u.Stderr)
			}
			if u.Memory > mostMemory {
				t.Errorf("%d bytes of memory; want at most %d", u.Memory, mostMemory)
			}
		})
	}
}
