package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/ir/irtest"
)

// mostMemory is the number of bytes that a command may use to refuse or measure a network whose
// tables would need far more.
const mostMemory = 200 << 20

// writeNet writes a network of n binary variables as BIF, in which the parents of variable i are
// those that parents returns.
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

// gridNet writes a network on a grid of side times side variables.
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

// wideNet writes a network of 120 variables, each with three parents at random among those before
// it. Its cliques are too large, and its orders are found faster than those of a grid.
func wideNet(t *testing.T) string {
	rng := rand.New(rand.NewPCG(1, 1))
	return writeNet(t, 120, func(i int) []int {
		list := rng.Perm(i)
		return list[:min(i, 3)]
	})
}

// chainNet writes a network of n variables, each the parent of the next.
func chainNet(t *testing.T, n int) string {
	return writeNet(t, n, func(i int) []int { return []int{i - 1}[:min(i, 1)] })
}

// TestMemory runs commands on networks that are too wide, or large, each in a process of its own,
// and compares its peak memory with a limit.
func TestMemory(t *testing.T) {
	grid, chain, wide := gridNet(t, 30), chainNet(t, 20_000), wideNet(t)
	clique := writeNet(t, 18, func(i int) []int {
		list := make([]int, i)
		for k := range list {
			list[k] = k
		}
		return list[:min(i, 8)]
	})
	const short, long = false, true
	tests := []struct {
		name string
		long bool
		code int
		want string // on standard error, or on standard output if the command does its work
		args []string
	}{
		{"compile", short, cli.ExitInput, "exact inference needs a clique of", []string{"compile", wide}},
		{"query", short, cli.ExitInput, "exact inference needs a clique of", []string{"query", wide}},
		{"query of memory", short, cli.ExitInput, "limits: --max-table 134217728, --max-mem 10 KiB", []string{"query", clique, "--max-mem", "10KiB"}},
		{"higher limits", short, cli.ExitInput, "--max-mem 8.8 PiB, 2147483647 numbers in all", []string{"query", wide, "--max-table", "9000000000000000000", "--max-mem", "9000TiB"}},
		{"stats", short, cli.ExitDone, "refuses: exact inference needs a clique of", []string{"stats", wide}},
		{"query of a long chain", long, cli.ExitDone, "log-probability", []string{"query", chain, "--logp", "--evidence", "v7=a"}},
		{"compile of a grid", long, cli.ExitInput, "exact inference needs a clique of", []string{"compile", grid}},
		{"query of a grid", long, cli.ExitInput, "exact inference needs a clique of", []string{"query", grid}},
		{"higher limits for a grid", long, cli.ExitInput, "--max-mem 8.8 PiB, 2147483647 numbers in all", []string{"query", grid, "--max-table", "9000000000000000000", "--max-mem", "9000TiB"}},
		{"stats of a grid", long, cli.ExitDone, "refuses: exact inference needs a clique of", []string{"stats", grid}},
		{"stats of a large grid", long, cli.ExitDone, "refuses: exact inference needs a clique of at least", []string{"stats", gridNet(t, 70)}},
		{"stats of a long chain", long, cli.ExitDone, "min-weight             1", []string{"stats", chain}},
		{"compile of a long chain", long, cli.ExitInput, "net.bif: a package for 20000 variables and 79998 numbers would have about", []string{"compile", chain}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if tt.long {
				irtest.SkipUnlessLong(t)
			}
			u := measured(t, t.TempDir(), tt.args)[0]
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

// TestMemoryBound runs commands in processes of their own whose memory --max-mem bounds. A command
// that would need more is refused by an estimate, or ends as soon as it exceeds the bound.
func TestMemoryBound(t *testing.T) {
	const room = 1.15 // the process may exceed the bound by an eighth
	chain := chainNet(t, 3000)
	tests := []struct {
		name  string
		long  bool
		bound int64 // MiB
		code  int
		want  string
		args  []string
	}{
		{"estimate", false, 64, cli.ExitInput, "making the package needs about", []string{"compile", chain}},
		{"stats", false, 64, cli.ExitDone, "refuses: making the package needs about", []string{"stats", chain}},
		{"compile", true, 64, cli.ExitInput, "limit: --max-mem 64 MiB", []string{"compile", "water"}},
		{"compile of tables", true, 170, cli.ExitDone, "peak memory of pgmc", []string{"compile", "water"}},
		{"munin1", true, 500, cli.ExitDone, "peak memory of pgmc", []string{"compile", "munin1"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if tt.long {
				irtest.SkipUnlessLong(t)
				tt.args[1] = filepath.Join(irtest.Shared(t), "data", "bif", tt.args[1]+".bif.gz")
			}
			u := measured(t, t.TempDir(), append(tt.args, "--max-mem", fmt.Sprintf("%dMiB", tt.bound)))[0]
			if u.Code != tt.code || !strings.Contains(u.Stdout+u.Stderr, tt.want) {
				t.Errorf("exit code %d; want %d and %q\n%s%s", u.Code, tt.code, tt.want, u.Stdout, u.Stderr)
			}
			if float64(u.Memory) > room*float64(tt.bound<<20) {
				t.Errorf("%d bytes of memory; want at most %.2f of %d MiB", u.Memory, room, tt.bound)
			}
		})
	}
}
