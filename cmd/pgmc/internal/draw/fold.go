package draw

import "math"

// The shape that fold aims at.
const (
	foldWidth  = 1600.0 // pixels; narrower layers stay as they are
	foldHeight = 90.0   // of a layer with its distance from the next one, in pixels
	foldAspect = 2.0    // width of the picture as a multiple of its height
	foldSlack  = .25    // share of its width by which a layer may be too wide
)

// fold replaces each layer that is too wide by several, to which it deals the layer's nodes in
// turn, and reports whether there was one. Networks of hundreds of variables otherwise are many
// times as wide as high, since most of their variables are roots or leaves. The nodes of a layer
// are not joined by edges, so that edges still lead downwards; neighbours come to lie side by side
// and one below the other.
func (l *layered) fold() bool {
	wide, count, area := make([]float64, len(l.layers)), make([]int, len(l.layers)), 0.0
	for y, layer := range l.layers {
		for _, v := range layer {
			if !l.vs[v].bend {
				wide[y] += l.vs[v].w + nodeGap
				count[y]++
			}
		}
		area += float64(wide[y] * foldHeight)
	}
	limit := max(foldWidth, math.Sqrt(area*foldAspect))
	next := 0
	for y, layer := range l.layers {
		parts := max(1, min(count[y], int(math.Ceil(wide[y]/limit-foldSlack))))
		k := 0
		for _, v := range layer {
			if !l.vs[v].bend {
				l.vs[v].layer = next + k%parts
				k++
			}
		}
		next += parts
	}
	return next > len(l.layers)
}
