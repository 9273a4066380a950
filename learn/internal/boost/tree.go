package boost

// tree is a regression tree; node 0 is the root.
type tree struct{ nodes []node }

// node is a leaf if v is negative. Otherwise it tests whether v has a state.
type node struct {
	v, state int
	yes, no  int32
	value    float64 // of a leaf
}

// sums holds sums over the rows of a node, or over part of them: of the slopes of the
// log-likelihood, of its curvatures and of the weights.
type sums struct{ slope, curve, weight float64 }

func (s *sums) add(slope, curve, weight float64) {
	s.slope += slope
	s.curve += curve
	s.weight += weight
}

func (s sums) less(t sums) sums {
	return sums{s.slope - t.slope, s.curve - t.curve, s.weight - t.weight}
}

// gain returns twice the improvement of the log-likelihood by the best step.
func (s sums) gain() float64 { return s.slope * s.slope / (max(0, s.curve) + ridge) }

// step returns the Newton step of the sums, with the ridge.
func (s sums) step() float64 { return s.slope / (max(0, s.curve) + ridge) }

// open is a leaf that may be split.
type open struct {
	node     int32
	all      sums
	best     float64 // gain
	v, state int     // the best split; v is -1 if there is none
	yes      sums
}

// nowhere marks rows that are in no open leaf.
const nowhere = -1

// least is the least gain of a split: more than rounding errors.
const least = 1e-9

// grow grows a tree for the log-odds of state k.
func (f *fit) grow(k int) tree {
	p := f.p[k]
	slope, curve := make([]float64, len(p)), make([]float64, len(p))
	place := make([]int32, len(p)) // by row: its index among the open leaves
	for i := range place {
		place[i] = nowhere
	}
	root := open{v: -1}
	for _, r := range f.train.known {
		w := f.train.weight[r]
		slope[r], curve[r] = -w*p[r], w*p[r]*(1-p[r])
		if int(f.train.state[r]) == k {
			slope[r] += w
		}
		place[r] = 0
		root.all.add(slope[r], curve[r], w)
	}
	t := tree{nodes: []node{{v: -1, value: f.o.Shrinkage * root.all.step()}}}
	leaves := []open{root}
	for depth := 0; depth < f.o.Depth && len(leaves) > 0; depth++ {
		f.splits(leaves, place, slope, curve)
		leaves = f.split(&t, leaves, place)
	}
	return t
}

// splits finds the best split of each open leaf. Ties go to the first variable and state.
func (f *fit) splits(leaves []open, place []int32, slope, curve []float64) {
	part := make([]sums, len(leaves))
	for v, states := range f.d.having {
		if v == f.target {
			continue
		}
		for s, rows := range states {
			if len(rows) == 0 {
				continue
			}
			clear(part)
			for _, r := range rows {
				if at := place[r]; at != nowhere {
					part[at].add(slope[r], curve[r], f.train.weight[r])
				}
			}
			for i := range leaves {
				l := &leaves[i]
				no := l.all.less(part[i])
				if part[i].weight < f.o.MinCount || no.weight < f.o.MinCount || part[i].weight <= 0 || no.weight <= 0 {
					continue
				}
				if gain := part[i].gain() + no.gain() - l.all.gain(); gain > l.best+least {
					l.best, l.v, l.state, l.yes = gain, v, s, part[i]
				}
			}
		}
	}
}

// split makes the splits that were found, moves the rows to the new leaves and returns the leaves
// that are open then.
func (f *fit) split(t *tree, leaves []open, place []int32) []open {
	var next []open
	to := make([][2]int32, len(leaves)) // by leaf: the new leaves of rows that have the state and of the others
	leaf := func(all sums) int32 {
		t.nodes = append(t.nodes, node{v: -1, value: f.o.Shrinkage * all.step()})
		next = append(next, open{node: int32(len(t.nodes) - 1), all: all, v: -1})
		return int32(len(t.nodes) - 1)
	}
	for i, l := range leaves {
		to[i] = [2]int32{nowhere, nowhere}
		if l.v < 0 {
			continue
		}
		to[i] = [2]int32{int32(len(next)), int32(len(next) + 1)}
		yes, no := leaf(l.yes), leaf(l.all.less(l.yes))
		t.nodes[l.node] = node{v: l.v, state: l.state, yes: yes, no: no}
	}
	for _, r := range f.train.known {
		at := place[r]
		if at == nowhere {
			continue
		}
		l := &leaves[at]
		if place[r] = to[at][1]; l.v >= 0 && f.train.columns[l.v].At(int(r)) == l.state {
			place[r] = to[at][0]
		}
	}
	return next
}
