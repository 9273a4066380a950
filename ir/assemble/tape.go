package assemble

// The operations that every machine runs.
const (
	tapeSum = iota
	tapeMax
	tapePlain
	tapeArgmax
	tapeDraw
	tapeNormalize
	tapeRescale
	tapeZero
	tapeZeroInts
	tapeSums
	tapeMaxima
	tapeWalk
	tapeLookup
	tapeInvert
)

// tapeRows are the steps that every machine runs.
var tapeRows = []row{
	newRow(tape, (*Assembler).contract, contractPrice),
	newRow(tape, (*Assembler).sums, sumsPrice),
	newRow(tape, (*Assembler).walk, walkPrice),
	newRow(tape, (*Assembler).pick, pickPrice),
	newRow(tape, (*Assembler).normalize, normalizePrice),
	newRow(tape, (*Assembler).invert, invertPrice),
	newRow(tape, (*Assembler).rescale, rescalePrice),
	newRow(tape, (*Assembler).zero, zeroPrice),
	newRow(tape, (*Assembler).lookup, lookupPrice),
}
