package sprinkler_test

import (
	"fmt"
	"log"
	"os"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/generated/sprinkler"
)

// Example_readme is the program of README.md.
func Example_readme() {
	e := sprinkler.New()                                       // the memory of one goroutine
	ev := sprinkler.Evidence{WetGrass: sprinkler.WetGrassTrue} // a zero field is not observed
	var m sprinkler.Marginals                                  // all posteriors in one call
	if err := e.Marginals(&ev, nil, &m); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("P(rain) = %.4f\n", m.Rain.P(sprinkler.RainTrue))
	// Output:
	// P(rain) = 0.7079
}

// TestReadme checks that README.md shows the example above as it stands, with its output.
func TestReadme(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile("readme_test.go")
	if err != nil {
		t.Fatal(err)
	}
	_, body, _ := strings.Cut(string(source), "func Example_readme() {\n")
	body, output, _ := strings.Cut(body, "\t// Output:\n\t// ")
	output, _, _ = strings.Cut(output, "\n")
	for _, line := range append(strings.Split(body, "\n"), output) {
		if text := strings.TrimSpace(line); !strings.Contains(string(readme), text) {
			t.Errorf("README.md lacks the line %q", text)
		}
	}
}
