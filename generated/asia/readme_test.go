package asia_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/generated/asia"
)

// Example_readme is the program of generated/README.md.
func Example_readme() {
	e := asia.New()                                               // the memory of one goroutine
	ev := asia.Evidence{Smoke: asia.SmokeYes, Xray: asia.XrayYes} // a zero field is not observed
	lung, err := e.Lung(&ev, nil)                                 // P(lung | smoke, x-ray)
	if err != nil {
		panic(err)
	}
	fmt.Printf("P(lung) = %.4f\n", lung.P(asia.LungYes))

	var m asia.Marginals                             // all posteriors in one call
	soft := asia.Soft{Dysp: asia.DyspDist{0.8, 0.2}} // likelihoods: four times as probable with it
	if err := e.Marginals(&ev, &soft, &m); err != nil {
		panic(err)
	}
	fmt.Printf("P(tub) = %.4f, ln P(evidence) = %.4f\n", m.Tub.P(asia.TubYes), m.LogP)
	// Output:
	// P(lung) = 0.6460
	// P(tub) = 0.0727, ln P(evidence) = -3.0266
}

// TestReadme checks that generated/README.md shows the example above as it stands.
func TestReadme(t *testing.T) {
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile("readme_test.go")
	if err != nil {
		t.Fatal(err)
	}
	_, body, _ := strings.Cut(string(source), "func Example_readme() {\n")
	body, _, _ = strings.Cut(body, "\t// Output:")
	for _, line := range strings.Split(body, "\n") {
		if text := strings.TrimSpace(line); !strings.Contains(string(readme), text) {
			t.Errorf("generated/README.md lacks the line %q", text)
		}
	}
}
