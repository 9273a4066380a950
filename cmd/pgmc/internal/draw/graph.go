package draw

// Kind is the meaning of a graph's edges.
type Kind uint8

// The kinds of graph.
const (
	Directed   Kind = iota // edges have heads
	Rooted                 // edges lead away from roots and have no heads
	Undirected             // edges have no direction
)

// Shape is the outline of a node.
type Shape uint8

// The shapes.
const (
	Oval  Shape = iota // for one line
	Round              // a box with round corners
	Box
	Circle // for one character
)

// Tone is the colour of a node.
type Tone uint8

// The tones.
const (
	Blue Tone = iota
	Green
	Amber
	Grey
)

// Node is one node of a graph.
type Node struct {
	Lines []string // its label
	Note  string   // tooltip; may be empty
	Shape Shape
	Tone  Tone
	Bold  bool  // a heavy outline
	Bars  []Bar // below the lines; for boxes
}

// Bar is a probability that a node shows as a bar with a percentage.
type Bar struct {
	Label string
	P     float64 // 0 to 1
	Was   float64 // drawn as a thin bar below; negative for none
}

// Edge joins two different nodes, by number.
type Edge struct {
	From, To int
	Style    Style
	Width    float64 // of the line in pixels; 0 is the usual one
	Note     string  // tooltip; may be empty
}

// Style is the look of an edge.
type Style uint8

// The styles.
const (
	Plain   Style = iota
	Added         // green
	Missing       // red and dashed
	Turned        // amber
)

// Graph is a graph to draw.
type Graph struct {
	Name  string
	Kind  Kind
	Nodes []Node
	Edges []Edge
	Key   []KeyEntry // explains styles, below the picture

	// Slices are the titles of the slices of a directed graph that is a sequence; nil for others.
	// Each slice has the same number of nodes, in the same order and of the same shapes. Edges
	// are within a slice, or from one to the next. Frames are drawn around the slices.
	Slices []string
	Heavy  int // the number, from 1, of the slice with a heavy frame; 0 for none
}

// KeyEntry explains the edges of a style.
type KeyEntry struct {
	Style Style
	Text  string
}
