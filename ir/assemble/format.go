package assemble

// The numbers of this file are the format of the code, which package runtime reads. The runtime
// keeps its own, unexported: generated packages copy its files, and what they copy should hold no
// more than runs. TestFormat compares each constant here with that of the same name in the
// runtime's files.

// The operations that every machine runs. The files of the runtime document their operands.
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
)

// The operations of iterative methods, for RunLoopTape.
const (
	tapeDamp = 64 + iota
	tapeBoltzmann
	tapeTallySum
	tapeTallyLog
	tapeTallyEntropy
	tapePowers
)

// The operations of samplers, for RunChainTape.
const (
	tapeResample = 96 + iota
	tapeSeek
	tapeFoldClear
	tapeFoldBatch
	tapeFoldHalf
	tapeFoldRun
	tapeFoldHalfReal
	tapeFoldRunReal
)

// The operation of trials, for RunTrialTape, and what it does by its third word.
const (
	tapeTrial = 112

	tapeTrialLogs    = 0
	tapeTrialClear   = 1
	tapeTrialForward = 2
	tapeTrialScore   = 3
	tapeTrialVeto    = 4
	tapeTrialTemper  = 5
	tapeTrialTabu    = 6
	tapeTrialAdd     = 7
	tapeTrialError   = 8
	tapeTrialKeep    = 9
	tapeTrialRestore = 10
)

// The operations on energies, for RunEnergyTape.
const (
	tapeMinSum = 128 + iota
	tapeSpread
	tapeEnergy
	tapeChoose
	tapeJudge
)

// The operations of lanes, for RunLanes.
const (
	laneSum = iota
	laneMax
	laneScale
	laneInvert
	laneClear
	laneObserve
)

// The header of a contraction by tiles.
const (
	nestKernel = 2 + iota
	nestClear
	nestRows
	nestLen
	nestMoving
	nestStill
	nestOperands
	nestData
	nestFixed
	nestOuter
	nestOut
	nestOutRow
	nestOutStep
	nestHeader
)

// The largest contraction that tiles can hold.
const (
	nestMaxOperands = 16
	nestMaxOuter    = 32
)

// The kernels of a tile.
const (
	nestFold1 = iota
	nestFold2
	nestFoldN
	nestSpread1
	nestSpread2
	nestSpreadN
	nestGather1
	nestGather2
	nestGather3
	nestGatherN
)

// The header of a contraction without tiles.
const (
	plainMax = 2 + iota
	plainOperands
	plainFixed
	plainOut
	plainReduced
	plainHeader
)

// The header of a walk.
const (
	walkDraw = 2 + iota
	walkRoot
	walkStack
	walkHeader
)
