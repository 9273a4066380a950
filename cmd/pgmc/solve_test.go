package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/solve"
	"github.com/pgmc-go/pgmc/ir/irtest"
)

// instance is a row of the list of competition files, with its references.
type instance struct {
	name   string
	clique float64 // log2 of the largest clique that min-fill finds
	pr     bool    // the PR file was verified
	best   string  // log10 of the optimum of MAP, where it is known
}

var instanceRow = regexp.MustCompile(`^\| (\S+) \| .*min-fill max clique 2\^([0-9.]+) \| (.*) \|$`)
var bestValue = regexp.MustCompile(`exact MAP log10=(-?[0-9.]+)`)

// instances returns the instances of UAI 2014 that have references, from the list of the reference
// data.
func instances(t *testing.T, shared string) []instance {
	text, err := os.ReadFile(filepath.Join(shared, "data", "MANIFEST.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(text), "\n## 3a.")
	section, _, _ = strings.Cut(section, "\n## 3b.")
	var list []instance
	for _, line := range strings.Split(section, "\n") {
		row := instanceRow.FindStringSubmatch(line)
		if row == nil {
			continue
		}
		x := instance{name: row[1], pr: regexp.MustCompile(`PR\(log10\)=\S+ \[verified\]`).MatchString(row[3])}
		if x.clique, err = strconv.ParseFloat(row[2], 64); err != nil {
			t.Fatal(err)
		}
		if best := bestValue.FindStringSubmatch(row[3]); best != nil {
			x.best = best[1]
		}
		list = append(list, x)
	}
	if len(list) < 60 {
		t.Fatalf("found %d instances; want more than 60", len(list))
	}
	return list
}

// TestSolve solves every instance whose reference was verified and whose cliques have at most 2^24
// joint states. It compares PR and MAR with all digits of the references, and the value of MPE if
// the optimum is known. A short test takes cliques of at most 2^13.
func TestSolve(t *testing.T) {
	shared := irtest.Shared(t)
	solved := 0
	for _, x := range instances(t, shared) {
		if x.clique > 24 || !x.pr {
			continue
		}
		short := x.clique <= 13
		if short {
			solved++
		}
		t.Run(x.name, func(t *testing.T) {
			if !short {
				irtest.SkipUnlessLong(t)
			}
			stem := filepath.Join(shared, "data", "uai2014", "pr-mar", x.name+".uai")
			pr := solveFile(t, stem, solve.PR)
			if want := irtest.ReadAnswer(t, stem+".PR").Value; math.Abs(pr.Log10.(float64)-want) > 1e-5*max(1, math.Abs(want)) {
				t.Errorf("PR %v; want %v", pr.Log10, want)
			}
			mar := solveFile(t, stem, solve.MAR)
			want := irtest.ReadAnswer(t, stem+".MAR")
			for v := range want.Marginals {
				for s, p := range want.Marginals[v] {
					if math.Abs(mar.Marginals[v][s]-p) > 2e-5 {
						t.Fatalf("P(x%d=%d) is %v; want %v", v, s, mar.Marginals[v][s], p)
					}
				}
			}
			if x.best == "" {
				return
			}
			best, err := strconv.ParseFloat(x.best, 64)
			if err != nil {
				t.Fatal(err)
			}
			if mpe := solveFile(t, stem, solve.MPE); math.Abs(mpe.Log10.(float64)-best) > 1e-6*max(1, math.Abs(best)) {
				t.Errorf("MPE of value %v; want %v", mpe.Log10, best)
			}
		})
	}
	if solved < 5 {
		t.Errorf("%d instances; want at least 5", solved)
	}
}

// solveFile runs pgmc solve on a model and its evidence.
func solveFile(t *testing.T, stem, task string) *solve.JSON {
	t.Helper()
	var out, errs bytes.Buffer
	if code := run([]string{"solve", stem + ".gz", "--evid", stem + ".evid", "--task", task, "--json"}, nil, &out, &errs); code != 0 {
		t.Fatalf("exit %d: %s", code, errs.String())
	}
	var s solve.JSON
	if err := json.Unmarshal(out.Bytes(), &s); err != nil {
		t.Fatal(err)
	}
	return &s
}

// TestSolveMMAP compares the best states of half of the variables with those of the references,
// which another solver found without proof: the references are never better, and that of the first
// instance is as good. The value of states is the sum over all completions that agree with them.
func TestSolveMMAP(t *testing.T) {
	shared := irtest.Shared(t)
	for i, name := range []string{"Segmentation_12", "Segmentation_13", "Segmentation_16", "Segmentation_19"} {
		stem := filepath.Join(shared, "data", "uai2014", "map-mmap", name+".uai")
		var out, errs bytes.Buffer
		if code := run([]string{"solve", stem + ".gz", "--evid", stem + ".evid", "--query", stem + ".query", "--task", "MMAP", "--json"}, nil, &out, &errs); code != 0 {
			t.Fatalf("%s: exit %d: %s", name, code, errs.String())
		}
		var got solve.JSON
		if err := json.Unmarshal(out.Bytes(), &got); err != nil {
			t.Fatal(err)
		}
		best := got.Log10.(float64)
		if mine := valueOf(t, stem, got.Query, got.States); math.Abs(mine-best) > 1e-9 {
			t.Errorf("%s: the states have log10 %v; the answer says %v", name, mine, best)
		}
		want := valueOf(t, stem, got.Query, irtest.ReadAnswer(t, stem+".MMAP").States)
		if !*got.Proven || best < want-1e-9 || i == 0 && best > want+1e-9 {
			t.Errorf("%s: log10 %v, proven %v; the reference has %v", name, best, *got.Proven, want)
		}
	}
}

// valueOf returns log10 of the sum over all joint states that agree with states of some variables.
func valueOf(t *testing.T, stem string, vars, states []int) float64 {
	t.Helper()
	if len(vars) != len(states) {
		t.Fatalf("%d states of %d variables", len(states), len(vars))
	}
	text := strconv.Itoa(len(vars))
	for i, v := range vars {
		text += " " + strconv.Itoa(v) + " " + strconv.Itoa(states[i])
	}
	evid := filepath.Join(t.TempDir(), "states.evid")
	if err := os.WriteFile(evid, []byte(text+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	if code := run([]string{"solve", stem + ".gz", "--evid", evid, "--task", "PR", "--json"}, nil, &out, &errs); code != 0 {
		t.Fatalf("exit %d: %s", code, errs.String())
	}
	var s solve.JSON
	if err := json.Unmarshal(out.Bytes(), &s); err != nil {
		t.Fatal(err)
	}
	return s.Log10.(float64)
}

// TestSolveErgo compares ln P of evidence of networks of UAI 2006 with the values of the list of
// the reference data.
func TestSolveErgo(t *testing.T) {
	shared := irtest.Shared(t)
	for name, want := range map[string]float64{
		"BN_0": -8.8930834, "BN_3": -12.55972, "BN_4": -17.44513, "BN_5": -18.736089, "BN_10": -5.2047806, "BN_96": -8.6385507,
	} {
		stem := filepath.Join(shared, "data", "uai2006", "pe", name+".erg")
		var out, errs bytes.Buffer
		if code := run([]string{"solve", stem + ".gz", "--evid", stem + ".evid.gz"}, nil, &out, &errs); code != 0 {
			t.Fatalf("%s: exit %d: %s", name, code, errs.String())
		}
		task, value, _ := strings.Cut(strings.TrimSpace(out.String()), "\n")
		if got, err := strconv.ParseFloat(value, 64); task != "PR" || err != nil || math.Abs(got-want) > 6e-8*math.Abs(want) {
			t.Errorf("%s: %q; want PR %v", name, out.String(), want)
		}
	}
}

// TestSolveManyObserved observes all variables of a chain of 400, or all but the last. The numbers
// that are left, one for each factor, have a product of 10^-1000.
func TestSolveManyObserved(t *testing.T) {
	const n = 400
	var text strings.Builder
	var observed []string
	fmt.Fprintf(&text, "MARKOV\n%d\n%s\n%d\n", n, strings.Repeat("2 ", n), 2*n-1)
	for v := range n {
		fmt.Fprintf(&text, "1 %d\n", v)
		if v > 0 {
			fmt.Fprintf(&text, "2 %d %d\n", v-1, v)
		}
		observed = append(observed, fmt.Sprintf("%d 0", v))
	}
	for v := range n {
		text.WriteString("2 .01 .99\n")
		if v > 0 {
			text.WriteString("4 .3 .7 .2 .8\n")
		}
	}
	dir := t.TempDir()
	file, evid := filepath.Join(dir, "chain.uai"), filepath.Join(dir, "chain.evid")
	write := func(path, text string) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(file, text.String())
	all := n*math.Log10(.01) + (n-1)*math.Log10(.3)
	but := (n-1)*math.Log10(.01) + (n-2)*math.Log10(.3)
	for hidden, want := range []map[string]float64{{solve.PR: all, solve.MPE: all}, {solve.PR: but + math.Log10(.3*.01+.7*.99), solve.MPE: but + math.Log10(.7*.99)}} {
		write(evid, fmt.Sprint(n-hidden, " ", strings.Join(observed[:n-hidden], " ")))
		for _, method := range []string{"jointree", "circuit", "topdown"} {
			for task, value := range want {
				var out, errs bytes.Buffer
				code := run([]string{"solve", file, "--evid", evid, "--task", task, "--method", method, "--json"}, nil, &out, &errs)
				var s solve.JSON
				if err := json.Unmarshal(out.Bytes(), &s); code != 0 || err != nil || math.Abs(number(s.Log10, 0)-value) > 1e-9 {
					t.Errorf("%s, %d hidden, %s: exit %d, %v, log10 %v; want %v", method, hidden, task, code, err, s.Log10, value)
				}
			}
		}
	}
}
