package learner

// noise is the share of the limit below which a gain is not divided by the one before: the smallest
// gains are differences of rounded numbers.
const noise = 1e-4

// Settled reports whether a climb with gains before and gain in its last two steps will gain at
// most limit in all later steps together. EM converges linearly: each gain is about the same share
// r of the one before, so that gain·r/(1-r) is still to come, by which Aitken's estimate of the
// limit exceeds the objective (Böhning, Dietz, Schaub, Schlattmann and Lindsay 1994). A single
// small gain may be one of many: if r is .99, a hundred times as much follows.
func Settled(gain, before, limit float64) bool {
	return gain <= noise*limit || gain <= limit && gain < before && gain*gain <= limit*(before-gain)
}
