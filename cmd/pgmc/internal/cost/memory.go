package cost

import (
	"fmt"
	"math"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/ir/price"
)

// Peak returns the predicted peak memory of making a package of a program of size n, in bytes.
func Peak(n *method.Size) float64 {
	return price.Peak.Process + price.Peak.Data*n.Data + price.Peak.Tile*min(n.Tiles, price.TextMost/price.TextProduct)
}

// Accept returns a function that refuses the package of a program by its size: if making it would
// take more than limit bytes of memory, or if it had more source than can be built.
func Accept(limit int64) func(*model.Model, *method.Size) error {
	return func(m *model.Model, n *method.Size) error {
		if need := Peak(n); need > float64(limit) {
			return fmt.Errorf("making the package needs about %s of memory; limit: --max-mem %s. "+
				"What would work: --max-mem %.0fMiB; fewer --query; pgmc query --engine interp, which makes no package",
				compiler.Bytes(need), compiler.Bytes(float64(limit)), math.Ceil(need/(1<<20)))
		}
		return FitsSource(m, n)
	}
}
