package student_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/pgmc-go/pgmc/generated/student"
)

// A search for more completions than exist leaves the remaining elements empty. Neither query
// allocates.
func TestBest(t *testing.T) {
	e := student.New()
	ev := student.Evidence{Difficulty: student.DifficultyD0, Intelligence: student.IntelligenceI0, Grade: student.GradeG1, Sat: student.SatS0}
	out, logps := make([]student.Assignment, 3), make([]float64, 3)
	n, err := e.KMPE(&ev, nil, out, logps)
	// 0.6·0.7·0.3·0.95 times P(l1|g1) = 0.9, and P(l0|g1) = 0.1
	if err != nil || n != 2 || math.Abs(math.Exp(logps[0])-0.10773) > 1e-12 || math.Abs(math.Exp(logps[1])-0.01197) > 1e-12 ||
		!math.IsInf(logps[2], -1) || out[2] != (student.Assignment{}) || out[0].Letter != student.LetterL1 || out[1].Letter != student.LetterL0 {
		t.Errorf("%d completions %v, %v, error %v", n, out, logps, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	if a := testing.AllocsPerRun(10, func() {
		e.KMPE(&ev, nil, out, logps)
		e.MAPDifficultyIntelligence(ctx, &ev, nil, &out[0])
	}); a != 0 {
		t.Errorf("queries allocate %v times; want 0", a)
	}
	cancel()
	if _, err := e.MAPDifficultyIntelligence(ctx, &ev, nil, &out[0]); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v; want %v", err, context.Canceled)
	}
}
