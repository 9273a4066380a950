package parquet_test

import (
	"bytes"
	"math"
	"strings"
	"testing"
	"time"

	peer "github.com/parquet-go/parquet-go"

	"github.com/pgmc-go/pgmc/learn/data/rowfile"
)

// stamped has times of each kind.
type stamped struct {
	Day   int32      `parquet:"day,date"`
	Milli int64      `parquet:"milli,timestamp(millisecond)"`
	Micro int64      `parquet:"micro,timestamp(microsecond)"`
	Nano  int64      `parquet:"nano,timestamp(nanosecond)"`
	Local int64      `parquet:"local,timestamp(millisecond:local)"`
	Maybe *time.Time `parquet:"maybe,timestamp"`
	State string     `parquet:"state,dict"`
}

// TestMoments reads dates and timestamps as texts, and as no variables.
func TestMoments(t *testing.T) {
	var b bytes.Buffer
	leap := time.Date(2024, 2, 29, 23, 59, 59, 250e6, time.UTC)
	err := peer.Write(&b, []stamped{
		{State: "yes"},
		{19782, leap.UnixMilli(), leap.UnixMicro(), leap.UnixNano(), leap.UnixMilli(), &leap, "no"},
		{-1, -1, -1, -1, -1, nil, "yes"},
		{math.MaxInt32, math.MaxInt64, math.MinInt64, math.MinInt64, math.MinInt64, nil, "yes"}, // which must not panic
	})
	if err != nil {
		t.Fatal(err)
	}
	got, err := cells(b.Bytes(), rowfile.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{
		"1970-01-01 1970-01-01T00:00:00Z 1970-01-01T00:00:00Z 1970-01-01T00:00:00Z 1970-01-01 00:00:00",
		"2024-02-29 2024-02-29T23:59:59.25Z 2024-02-29T23:59:59.25Z 2024-02-29T23:59:59.25Z 2024-02-29 23:59:59.25 2024-02-29T23:59:59.25Z no",
		"1969-12-31 1969-12-31T23:59:59.999Z 1969-12-31T23:59:59.999999Z 1969-12-31T23:59:59.999999999Z 1969-12-31 23:59:59.999",
	} {
		if line := strings.Join(got[i], " "); !strings.HasPrefix(line, want) {
			t.Errorf("row %d: got %s; want %s", i, line, want)
		}
	}
	r, err := reader(b.Bytes(), rowfile.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	set, err := r.Load(rowfile.LoadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if len(set.Vars) != 1 || set.Vars[0].Name != "state" {
		t.Errorf("got the variables %v", set.Vars)
	}
	if r, err = reader(b.Bytes(), rowfile.ReadOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Load(rowfile.LoadOptions{Real: []string{"milli"}}); err == nil || !strings.Contains(err.Error(), `column "milli" has no value "1970-01-01T00:00:00Z"; want a number`) {
		t.Error(err)
	}
}
