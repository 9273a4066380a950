package pgmrt

// TapeRow is the weights of the joint states of some variables, given those of others: products of tables and trees.
type TapeRow struct {
	Drawn    []TapeVar
	Standing []int // places of the states
	Tables   []NestView
	Trees    []TapeTree
}

// TapeVar is where the state of a variable is, and how many it has. The views of a row have a stride for each variable that is drawn,
// then one for each that stands.
type TapeVar struct{ Place, Size int }

// TapeTree is a decision tree: the first node is the root, and without nodes there is one leaf. A leaf is numbers at an offset from
// Offset; Stride apart where they are one for each state of a child.
type TapeTree struct {
	Data          bool // in data memory
	Offset        int
	Child, Stride int // the place of the child's state; -1 where leaves are one number
	Nodes         []TapeTest
}

// TapeTest looks at the state at Place: state i leads to node Next[i], or to the leaf at -1-Next[i].
type TapeTest struct {
	Place int
	Next  []int32
}

func appendRow(code []int32, row *TapeRow) []int32 {
	code = append(code, int32(len(row.Drawn)), int32(len(row.Standing)), int32(len(row.Tables)), int32(len(row.Trees)))
	for _, v := range row.Drawn {
		code = append(code, int32(v.Place), int32(v.Size))
	}
	for _, place := range row.Standing {
		code = append(code, int32(place))
	}
	for _, v := range row.Tables {
		code = append(code, tapeBit(v.Data), int32(v.Offset))
		for _, n := range v.Stride {
			code = append(code, int32(n))
		}
	}
	for i := range row.Trees {
		code = appendTree(code, &row.Trees[i])
	}
	return code
}

func appendTree(code []int32, tree *TapeTree) []int32 {
	word := make([]int32, len(tree.Nodes)+1) // where each node begins
	for i, n := range tree.Nodes {
		word[i+1] = word[i] + 1 + int32(len(n.Next))
	}
	code = append(code, tapeBit(tree.Data), int32(tree.Offset), int32(tree.Child), int32(tree.Stride), word[len(tree.Nodes)])
	for _, n := range tree.Nodes {
		code = append(code, int32(n.Place))
		for _, next := range n.Next {
			if next >= 0 {
				next = word[next]
			}
			code = append(code, next)
		}
	}
	return code
}

// AppendResample appends the instruction that draws the variables of a row, whose weights go to offset weights of work memory, and adds their shares to tallies, a
// place for each of them, or -1.
func AppendResample(code []int32, row *TapeRow, weights int, tallies []int, scaled bool) []int32 {
	start := len(code)
	code = append(code, tapeResample, 0, int32(len(row.Drawn)), int32(weights), tapeBit(scaled))
	for _, at := range tallies {
		code = append(code, int32(at))
	}
	return closeTape(appendRow(code, row), start)
}

// TapeLevel is a variable in a search for a start: where the weights of its row go, and the level to go back to, or -1.
type TapeLevel struct {
	Row     TapeRow
	Weights int
	Back    int
}

// AppendSeek appends the instruction that searches a start, and puts what came of it at offset outcome.
func AppendSeek(code []int32, outcome int, levels []TapeLevel) []int32 {
	start := len(code)
	code = append(code, tapeSeek, 0, int32(outcome), int32(len(levels)))
	table := len(code)
	for range levels {
		code = append(code, 0)
	}
	for i := range levels {
		code[table+i] = int32(len(code) - start)
		code = append(code, int32(levels[i].Weights), int32(levels[i].Back))
		code = appendRow(code, &levels[i].Row)
	}
	return closeTape(code, start)
}

// TapeFold is a method of ChainStats.
type TapeFold int32

// The methods of ChainStats.
const (
	TapeFoldClear TapeFold = tapeFoldClear
	TapeFoldBatch TapeFold = tapeFoldBatch
	TapeFoldHalf  TapeFold = tapeFoldHalf
	TapeFoldRun   TapeFold = tapeFoldRun

	TapeFoldHalfReal TapeFold = tapeFoldHalfReal
	TapeFoldRunReal  TapeFold = tapeFoldRunReal
)

// AppendFold appends the instruction that calls a method of the statistics at six offsets, of n numbers each; the numbers of the run are
// the share of a sweep in a batch, how many chains, how many sweeps a batch, R-hat, the effective sample size and the standard error.
func AppendFold(code []int32, kind TapeFold, n int, stats, run [6]int) []int32 {
	code = append(code, int32(kind), 15, int32(n))
	for _, at := range append(stats[:], run[:]...) {
		code = append(code, int32(at))
	}
	return code
}
