package demo

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/model"
)

// TestRun runs the demonstration and looks for what each step shows. The posteriors are compared
// with enumeration of the joint distribution.
func TestRun(t *testing.T) {
	var out bytes.Buffer
	dir := filepath.Join(t.TempDir(), "kept")
	if err := Run(context.Background(), &out, dir); err != nil {
		t.Fatalf("%v\n%s", err, &out)
	}
	lung, tub := posteriors(t)
	for _, want := range []string{
		"P(dysp | either, bronc)",                                    // the model
		"ev := asia.Evidence{Smoke: asia.SmokeYes",                   // the program
		fmt.Sprintf("P(lung cancer | smoker, x-ray) = %.4f\n", lung), // the answers
		fmt.Sprintf("P(tuberculosis | smoker, x-ray) = %.4f\n", tub),
		"all 8 posteriors take",
		"go run ./cmd/pgmc query",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the demonstration lacks %q:\n%s", want, &out)
		}
	}
	for _, name := range []string{"go.mod", "main.go", "asia/asia.go"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
	if err := Run(context.Background(), &out, dir); err == nil {
		t.Error("a folder with files in it is taken")
	}
}

// posteriors returns P(lung = yes) and P(tub = yes) given smoke = yes and xray = yes, by
// enumeration.
func posteriors(t *testing.T) (lung, tub float64) {
	t.Helper()
	m, err := readModel()
	if err != nil {
		t.Fatal(err)
	}
	joint, err := brute.New(m)
	if err != nil {
		t.Fatal(err)
	}
	id := func(name string) model.VarID {
		v, ok := m.VarByName(name)
		if !ok {
			t.Fatalf("no variable %q", name)
		}
		return v.ID
	}
	const yes = 0
	all := joint.Marginals(brute.Evidence{Hard: map[model.VarID]int{id("smoke"): yes, id("xray"): yes}})
	return all[id("lung")][yes], all[id("tub")][yes]
}

// TestNoGo checks the error message if there is no go command.
func TestNoGo(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	err := Run(context.Background(), &bytes.Buffer{}, "")
	if err == nil || !strings.Contains(err.Error(), "install Go") {
		t.Errorf("error %v; want advice to install Go", err)
	}
}
