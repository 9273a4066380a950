package predict

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/classes"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/table"
	"github.com/pgmc-go/pgmc/learn/rate"
)

// summary holds the measures of the predictions, as JSON or as text.
type summary struct {
	Rows       int64    `json:"rows"`
	Impossible int      `json:"impossible_rows"`
	Folds      int      `json:"folds,omitempty"` // parts, each predicted by the numbers fitted to the others
	Targets    []target `json:"targets"`
}

// target holds the measures of one target.
type target struct {
	rate.PredictionReport
	Classes  []classes.Class   `json:"classes,omitempty"`
	Decision *classes.Decision `json:"decision,omitempty"`
}

// print writes a table of numbers, and a confusion matrix for each target.
func (s *summary) print(w io.Writer) error {
	t := &table.Table{}
	t.Add("target", "rows", "accuracy", "log-loss", "Brier", "calibration", "AUC", "")
	for _, x := range s.Targets {
		if x.Real {
			continue
		}
		t.Add(x.Name, strconv.Itoa(x.Rows), table.Optional("%.6f", x.Accuracy), lossText(&x.PredictionReport), table.Optional("%.6f", x.Brier),
			table.Optional("%.6f", x.Calibration), table.Optional("%.6f", x.AUC), "("+x.Average+")")
	}
	head := fmt.Sprintf("%d rows, %d of them impossible\n", s.Rows, s.Impossible)
	if s.Folds > 0 {
		head += fmt.Sprintf("each row predicted by parameters fitted to the others of %d parts; the structure is the model's, and has seen all rows if it was learned from them\n", s.Folds)
	}
	parts := []string{}
	for _, x := range []*table.Table{t, s.realTable()} {
		if len(x.Rows) > 1 {
			parts = append(parts, head+x.String())
			head = ""
		}
	}
	for _, x := range s.Targets {
		if x.Rows > 0 && !x.Real {
			parts = append(parts, classes.Table(x.Name, x.Classes).String())
			if x.Decision != nil {
				parts = append(parts, x.Decision.Table().String())
			}
			parts = append(parts, confusionText(&x.PredictionReport), reliabilityText(&x.PredictionReport))
		}
		if x.Rows > 0 && x.Real {
			parts = append(parts, pitText(&x.PredictionReport))
		}
	}
	_, err := io.WriteString(w, strings.Join(parts, "\n"))
	return err
}

// rounded is the least number that six decimals show.
const rounded = 5e-7

// lossText returns the log-loss as text.
func lossText(x *rate.PredictionReport) string {
	loss, ok := x.LogLoss.(float64)
	switch {
	case ok:
		if math.Abs(loss) < rounded {
			loss = 0 // without a sign
		}
		return table.Optional("%.6f", &loss)
	case x.LogLoss != nil:
		return "inf"
	}
	return "-"
}

// confusionText returns the confusion matrix as text.
func confusionText(x *rate.PredictionReport) string {
	t := &table.Table{}
	t.Add(append([]string{x.Name + ", by truth"}, x.States...)...)
	for k, row := range x.Confusion {
		cells := []string{x.States[k]}
		for _, n := range row {
			cells = append(cells, strconv.FormatFloat(n, 'g', 6, 64))
		}
		t.Add(cells...)
	}
	return t.String()
}

// realTable returns the errors of the predictions of real targets, below a heading.
func (s *summary) realTable() *table.Table {
	t := &table.Table{}
	t.Add("target", "rows", "RMSE", "log-loss", "CRPS")
	for _, x := range s.Targets {
		if x.Real {
			t.Add(x.Name, strconv.Itoa(x.Rows), table.Optional("%.6f", x.RMSE), lossText(&x.PredictionReport), table.Optional("%.6f", x.CRPS))
		}
	}
	return t
}

// pitText returns the histogram of the probability integral transform as text.
func pitText(x *rate.PredictionReport) string {
	t := &table.Table{}
	t.Add(x.Name+", by probability of smaller values", "share of rows")
	for k, share := range x.PIT {
		n := float64(len(x.PIT))
		t.Add(fmt.Sprintf("%.1f to %.1f", float64(k)/n, float64(k+1)/n), strconv.FormatFloat(share, 'f', 6, 64))
	}
	return t.String()
}

// reliabilityText returns the table of the bins as text.
func reliabilityText(x *rate.PredictionReport) string {
	t := &table.Table{}
	t.Add(x.Name+", by confidence", "weight", "confidence", "accuracy")
	for _, b := range x.Reliability {
		t.Add(fmt.Sprintf("%.1f to %.1f", b.From, b.To), strconv.FormatFloat(b.Weight, 'g', 6, 64),
			table.Optional("%.6f", &b.Confidence), table.Optional("%.6f", &b.Accuracy))
	}
	return t.String()
}
