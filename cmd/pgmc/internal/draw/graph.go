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
	Bold  bool // a heavy outline
}

// Edge joins two different nodes, by number.
type Edge struct{ From, To int }

// Graph is a graph to draw.
type Graph struct {
	Name  string
	Kind  Kind
	Nodes []Node
	Edges []Edge
}
