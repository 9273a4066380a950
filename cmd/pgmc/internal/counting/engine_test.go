package counting

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/clitest"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/learn/counts"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/learnertest"
)

// TestMain makes the test binary a client that does what its first argument says.
func TestMain(m *testing.M) {
	if os.Getenv("PGMC_FAKE_CLIENT") == "" {
		os.Exit(m.Run())
	}
	sql, _ := io.ReadAll(os.Stdin)
	switch os.Args[1] {
	case "silent":
	case "endless":
		time.Sleep(time.Minute)
	case "failing":
		for i := range 30 {
			fmt.Fprintf(os.Stderr, "line %d\x1b[2J\n", i)
		}
		os.Exit(7)
	case "once": // fails the first time
		if f, err := os.OpenFile(os.Args[2], os.O_CREATE|os.O_EXCL, 0o600); err == nil {
			f.Close()
			os.Exit(1)
		}
		fmt.Print("f,s1,n\n0,no,3\n0,yes,4\n1,,7\n")
	case "cut":
		fmt.Print("f,s1,n\n0,no,3\n")
	case "grown": // the table has as many rows as there are bytes in the statement
		fmt.Printf("f,s1,n\n0,no,3\n1,,%d\n", len(sql))
	}
	os.Exit(0)
}

// fake returns an engine with the test binary as client.
func fake(t *testing.T, ctx context.Context, args ...string) *engine {
	t.Helper()
	t.Setenv("PGMC_FAKE_CLIENT", "1")
	f := flags("sqlite", strconv.Quote(os.Args[0])+" "+strings.Join(args, " "))
	e, err := f.engine(ctx, []data.Var{{Name: "a", States: []string{"no", "yes"}}, {Name: "bc", States: []string{"no", "yes"}}})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func flags(dialect, command string) *Flags {
	f := &Flags{Table: "visits", Command: command}
	f.Dialect.Value = dialect
	return f
}

// A client that fails, prints no CSV, ends early, or prints the rows of a changing table is an
// error with its message; it is asked twice.
func TestClients(t *testing.T) {
	one := []data.Family{{Discrete: []int{0}}}
	for _, x := range []struct{ mode, want string }{
		{"silent", "the client printed no CSV; want the columns f,s1,n"},
		{"cut", "the output ends before its last row"},
		{"failing", "exit status 7; its last lines:\n  line 10[2J\n  line 11[2J\n"},
	} {
		_, err := fake(t, t.Context(), x.mode).Count(one)
		if err == nil || !strings.Contains(err.Error(), x.want) || x.mode == "failing" && strings.Contains(err.Error(), "line 9") {
			t.Errorf("%s: error %v; want %s", x.mode, err, x.want)
		}
	}
	if got, err := fake(t, t.Context(), "once", strconv.Quote(filepath.Join(t.TempDir(), "mark"))).Count(one); err != nil || got[0].N[1] != 4 {
		t.Errorf("got %v, error %v", got, err)
	}
	e := fake(t, t.Context(), "grown")
	if _, err := e.Count(one); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Count([]data.Family{{Discrete: []int{1}}}); err == nil || !strings.Contains(err.Error(), "want a table that does not change") {
		t.Errorf("error %v", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	if _, err := fake(t, ctx, "endless").Count(one); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v", err)
	}
	e = fake(t, t.Context(), "silent")
	e.command = []string{"/no/such/client"}
	if _, err := e.Count(one); err == nil || !strings.HasPrefix(err.Error(), "visits: the client of the database: ") {
		t.Errorf("error %v", err)
	}
}

// A client goes on after an interrupt, so that the search ends with its best result, and ends with
// the time limit.
func TestOutlive(t *testing.T) {
	mark := strconv.Quote(filepath.Join(t.TempDir(), "mark"))
	one := []data.Family{{Discrete: []int{0}}}
	ctx, cancel := context.WithCancel(t.Context())
	c := counts.New(nil, 0)
	c.From = fake(t, ctx, "once", mark)
	OutliveIn(ctx, c)
	cancel()
	if got, err := c.From.Count(one); err != nil || got[0].N[1] != 4 {
		t.Errorf("after an interrupt: %v, error %v", got, err)
	}
	ctx, cancel = context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	c.From = fake(t, ctx, "endless")
	OutliveIn(ctx, c)
	if _, err := c.From.Count(one); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v", err)
	}
}

// rows returns a set with missing values, real variables and hostile names, and its CSV text, in
// which a missing value is NULL.
func rows(t *testing.T) (*data.Set, []data.Var, string) {
	t.Helper()
	vars := []data.Var{
		{Name: `a"b`, States: []string{"it's", `"`, "é,"}}, {Name: "select", States: []string{"0", "1"}},
		{Name: "x", Real: true}, {Name: "y'", Real: true},
	}
	var text strings.Builder
	var list [][]float64
	for i := range 200 {
		a, b, x := i*7%3, i*i%5%2, 1e8+float64(i%17)/3
		row := []float64{float64(a), float64(b), x, math.Sqrt(float64(i)) - x/2}
		line := []string{vars[0].States[a], vars[1].States[b], strconv.FormatFloat(x, 'g', -1, 64), strconv.FormatFloat(row[3], 'g', -1, 64)}
		if i%11 == 0 {
			row[i%4], line[i%4] = math.NaN(), ""
		}
		for k := range line {
			if line[k] != "" {
				line[k] = `'` + strings.ReplaceAll(line[k], `'`, `''`) + `'`
			} else {
				line[k] = "NULL"
			}
			if k > 1 && line[k] != "NULL" {
				line[k] = strings.Trim(line[k], "'")
			}
		}
		list = append(list, row)
		fmt.Fprintf(&text, "INSERT INTO visits VALUES (%s);\n", strings.Join(line, ", "))
	}
	s, err := data.NewReal(vars, list, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s, vars, text.String()
}

// The counts of SQLite are those of the rows, and the columns of a table become variables.
func TestSQLite(t *testing.T) {
	client, err := exec.LookPath("sqlite3")
	if err != nil {
		t.Skip("there is no sqlite3")
	}
	s, vars, inserts := rows(t)
	base := filepath.Join(t.TempDir(), "v.db")
	load := exec.Command(client, base)
	load.Stdin = strings.NewReader(`BEGIN; CREATE TABLE visits ("a""b" TEXT, "select" INTEGER, x REAL, "y'" REAL);` + inserts + "COMMIT;")
	if out, err := load.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	f := flags("sqlite", client+" -csv -header "+base)
	a, _, _ := clitest.App()
	a.MaxMem = 1 << 30
	keep := filepath.Join(t.TempDir(), "kept.json")
	c, err := f.Open(t.Context(), a, nil, Columns{Real: []string{"x", "y'"}}, keep)
	if err != nil {
		t.Fatal(err)
	}
	if c.Vars[0].Name != vars[0].Name || strings.Join(c.Vars[0].States, "|") != `"|it's|é,` || !c.Vars[2].Real {
		t.Errorf("variables %+v", c.Vars)
	}
	e, err := f.engine(t.Context(), vars)
	if err != nil {
		t.Fatal(err)
	}
	families := []data.Family{{}, {Discrete: []int{0, 1}}, {Discrete: []int{1}, Real: []int{2, 3}}, {Real: []int{2}}, {Discrete: []int{0, 1}, Real: []int{3}}, {Discrete: []int{0}}}
	got, err := e.Count(families)
	if err != nil {
		t.Fatal(err)
	}
	want, err := learnertest.NewRows(s).Count(families)
	if err != nil {
		t.Fatal(err)
	}
	for i := range want {
		if fmt.Sprint(got[i].N) != fmt.Sprint(want[i].N) {
			t.Errorf("family %v: %v; want %v", families[i], got[i].N, want[i].N)
		}
		for k, x := range want[i].Moments {
			y := got[i].Moments[k]
			irtest.CloseTo(t, y.Weight, x.Weight, 0)
			for j := range x.Mean {
				irtest.CloseTo(t, y.Mean[j], x.Mean[j], 1e-12*math.Abs(x.Mean[j]))
			}
			for j := range x.Cross {
				irtest.CloseTo(t, y.Cross[j], x.Cross[j], 1e-6)
			}
		}
	}
	if _, err := c.Count(families); err != nil {
		t.Fatal(err)
	}
	kept(t, f, a, c, keep)
}

// kept checks that counts in a file are not asked for again.
func kept(t *testing.T, f *Flags, a *cli.App, c *counts.Counts, keep string) {
	t.Helper()
	broken := *f
	broken.Command = "/no/such/client"
	again, err := broken.Open(t.Context(), a, c.Vars, Columns{}, keep)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := again.Count([]data.Family{{Discrete: []int{0, 1}}}); err != nil {
		t.Errorf("known counts: error %v", err)
	}
	if _, err := again.Count([]data.Family{{Discrete: []int{0}, Real: []int{3}}}); err == nil {
		t.Error("no error for counts that are not known")
	}
	other := []data.Var{{Name: "z", States: []string{"0"}}}
	if _, err := f.Open(t.Context(), a, other, Columns{}, keep); err == nil || !strings.Contains(err.Error(), `want "z", as in visits; remove the file to count anew`) {
		t.Errorf("error %v", err)
	}
}

// SQLite casts a text that is no number to 0, which must not count as the first state.
func TestSQLiteCoded(t *testing.T) {
	client, err := exec.LookPath("sqlite3")
	if err != nil {
		t.Skip("there is no sqlite3")
	}
	for _, x := range []struct{ values, want string }{
		{"('1'), ('0'), ('1')", ""},
		{"('1'), ('no')", `column "a" has the value "no"; want a number of a state from 0 to 1`},
		{"(1), (0.5)", `column "a" has the value "0.5"; want a number of a state from 0 to 1`},
	} {
		base := filepath.Join(t.TempDir(), "v.db")
		if out, err := exec.Command(client, base, "CREATE TABLE visits (a TEXT); INSERT INTO visits VALUES "+x.values).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		f := flags("sqlite", client+" -csv -header "+base)
		f.Coded = true
		e, err := f.engine(t.Context(), []data.Var{{Name: "a", States: []string{"no", "yes"}}})
		if err != nil {
			t.Fatal(err)
		}
		got, err := e.Count([]data.Family{{Discrete: []int{0}}})
		switch {
		case x.want == "" && (err != nil || fmt.Sprint(got[0].N) != "[1 2]"):
			t.Errorf("%s: %v, error %v; want [1 2]", x.values, got, err)
		case x.want != "" && (err == nil || !strings.Contains(err.Error(), x.want)):
			t.Errorf("%s: error %v; want %s", x.values, err, x.want)
		}
	}
}
