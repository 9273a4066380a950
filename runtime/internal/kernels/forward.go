package main

import "slices"

// forward returns the kernels of steps of hidden Markov models.
func forward() *file {
	f := newFile("forward_amd64.s", `
// The kernels of steps of hidden Markov models: see forward.go. A filter has 48 bytes of in: the
// slices of its belief and of its column. DX is the offset of a block of eight new states, AX that
// of a state before.`)
	f.top(data("forwardOne", "$1.0"))
	f.wideMacros()
	f.forwardWide()
	f.narrowMacros()
	f.forwardNarrow()
	f.begin("forwardScale4", "(to, from *float64, n int, by float64)", "$0-32", "")
	f.along(1, "VBROADCASTSD by+24(FP), Y0", "VMULPD (SI), Y0, Y1", "VMULSD (SI), X0, X1")
	return f
}

// beforeNext goes on to the next state before, and ends the loop over them.
const beforeNext = `ADDQ $64, SI
	ADDQ $8, AX
	CMPQ AX, CX
	JLT  before`

// wideMacros writes the macros of the kernel with AVX-512.
func (f *file) wideMacros() {
	f.top(`
// STEP adds the products of the elements in Z16 and of one number of a belief.
#define STEP(belief, product, sum) \
	VMULPD.BCST (belief)(AX*1), Z16, product \
	VADDPD product, sum, sum

// BLOCK multiplies the sums of filter i for a block by its column, stores them at BX, and adds them
// to the sums of all blocks. BX goes on to the next filter.
#define BLOCK(i, sum, total) \
	MOVQ (48*i+24)(DI), AX \
	VMOVUPD.Z (AX)(DX*1), K1, Z16 \
	VMULPD Z16, sum, sum \
	VADDPD sum, total, total \
	VMOVUPD sum, (BX)(DX*1) \
	ADDQ size-8(SP), BX

// PAIR sets sum to sums of two neighbours of a and b in turn.
#define PAIR(a, b, sum) \
	VUNPCKLPD b, a, Z16 \
	VUNPCKHPD b, a, Z17 \
	VADDPD Z17, Z16, sum

// QUAD sets sum to sums of two neighbouring pairs: of a, and then of b.
#define QUAD(a, b, sum) \
	VSHUFF64X2 $0x88, b, a, Z16 \
	VSHUFF64X2 $0xdd, b, a, Z17 \
	VADDPD Z17, Z16, sum`)
}

// forwardWide writes the kernel with AVX-512.
func (f *file) forwardWide() {
	f.begin("forwardRows8", "(table, rows *float64, roots, inverse *[ForwardRows]float64, in *[ForwardRows]ForwardRow, states int)", "$24-48", `
// The sums of filter i for a block are in Zi, those of all blocks in Zi+24. K1 selects the states
// of a block that there are.`)
	f.text(`MOVQ table+0(FP), SI
		MOVQ rows+8(FP), BX
		MOVQ in+32(FP), DI
		MOVQ states+40(FP), CX
		LEAQ 7(CX), AX
		SHRQ $3, AX
		SHLQ $6, AX
		MOVQ AX, size-8(SP) // bytes of a row
		NEGQ CX
		ANDQ $7, CX
		MOVL $255, AX
		SHRL CX, AX
		MOVQ AX, last-16(SP) // the states of the last block
		MOVQ states+40(FP), CX
		SHLQ $3, CX`)
	f.repeat(8, "MOVQ %d(DI), R%d", 0, 48, 8, 1)
	f.repeat(8, "VPXORQ Z%[1]d, Z%[1]d, Z%[1]d", 24, 1)
	f.text("XORL DX, DX", "block:")
	f.repeat(8, "VPXORQ Z%[1]d, Z%[1]d, Z%[1]d", 0, 1)
	f.text("XORL AX, AX", "before:", "VMOVUPD (SI), Z16")
	f.repeat(7, "STEP(R%d, Z%d, Z%d)", 8, 1, 17, 1, 0, 1)
	f.text("STEP(R15, Z8, Z7)") // sums of all blocks begin at Z24
	f.text(beforeNext, `MOVL $255, AX
		ADDQ $64, DX
		CMPQ DX, size-8(SP)
		CMOVQEQ last-16(SP), AX
		SUBQ $64, DX
		KMOVW AX, K1`)
	f.repeat(8, "BLOCK(%d, Z%[1]d, Z%[2]d)", 0, 1, 24, 1)
	f.text(`MOVQ rows+8(FP), BX
		ADDQ $64, DX
		CMPQ DX, size-8(SP)
		JLT  block`)
	f.repeat(4, "PAIR(Z%d, Z%d, Z%d)", 24, 2, 25, 2, 0, 1)
	f.repeat(3, "QUAD(Z%d, Z%d, Z%d)", 0, 2, 1, 2, 4, 1)
	f.text(`MOVQ roots+16(FP), AX
		VMOVUPD Z6, (AX)
		VBROADCASTSD forwardOne<>(SB), Z7
		VDIVPD Z6, Z7, Z7
		MOVQ inverse+24(FP), AX
		VMOVUPD Z7, (AX)`)
	f.end()
}

// narrowMacros writes the macros of the kernel with AVX2.
func (f *file) narrowMacros() {
	f.top(`
// ADD is STEP for the elements in Y8 and Y9.
#define ADD(belief, low, high) \
	VBROADCASTSD (belief)(AX*1), Y10 \
	VMULPD Y8, Y10, Y11 \
	VADDPD Y11, low, low \
	VMULPD Y9, Y10, Y12 \
	VADDPD Y12, high, high

// HALF is BLOCK for the states that Y13 and Y14 select. SI goes along the sums of all blocks.
#define HALF(i, low, high) \
	MOVQ (48*i+24)(DI), AX \
	VMASKMOVPD (AX)(DX*1), Y13, Y10 \
	VMULPD Y10, low, low \
	VADDPD (64*i)(R12), low, Y11 \
	VMOVUPD Y11, (64*i)(R12) \
	VMOVUPD low, (BX)(DX*1) \
	VMASKMOVPD 32(AX)(DX*1), Y14, Y10 \
	VMULPD Y10, high, high \
	VADDPD (64*i+32)(R12), high, Y11 \
	VMOVUPD Y11, (64*i+32)(R12) \
	VMOVUPD high, 32(BX)(DX*1) \
	ADDQ R13, BX`)
	f.top("// forwardMask holds, from byte 8k on, the mask of a block without its last k states." +
		data("forwardMask", slices.Concat(slices.Repeat([]string{"$-1"}, 8), slices.Repeat([]string{"$0"}, 8))...))
}

// forwardNarrow writes the kernel with AVX2.
func (f *file) forwardNarrow() {
	f.begin("forwardRows4", "(table, rows *float64, sums *[ForwardRows * ForwardRows]float64, in *[ForwardRows]ForwardRow, states int)", "$16-40", `
// Four filters at a time. The sums of filter i for a block are in Y2i and Y2i+1. R12 is the place
// of their sums of all blocks, R13 the bytes of a row.`)
	f.text(`MOVQ rows+8(FP), BX
		MOVQ sums+16(FP), R12
		MOVQ in+24(FP), DI
		MOVQ states+32(FP), CX
		LEAQ 7(CX), R13
		SHRQ $3, R13
		SHLQ $6, R13
		SHLQ $3, CX
		MOVQ $2, four-8(SP)
		four:
		MOVQ BX, begin-16(SP)
		MOVQ table+0(FP), SI`)
	f.repeat(4, "MOVQ %d(DI), R%d", 0, 48, 8, 1)
	f.zero(1)
	f.repeat(8, "VMOVUPD Y0, %d(R12)", 0, 32)
	f.text("XORL DX, DX", "block:")
	f.zero(8)
	f.text("XORL AX, AX", "before:", "VMOVUPD (SI), Y8", "VMOVUPD 32(SI), Y9")
	f.repeat(4, "ADD(R%d, Y%d, Y%d)", 8, 1, 0, 2, 1, 2)
	f.text(beforeNext, `LEAQ forwardMask<>(SB), R15
		LEAQ 64(DX), AX
		SUBQ CX, AX // bytes of the block beyond the last state
		MOVL $0, R14
		CMOVQLT R14, AX
		VMOVUPD (R15)(AX*1), Y13
		VMOVUPD 32(R15)(AX*1), Y14`)
	f.repeat(4, "HALF(%d, Y%d, Y%d)", 0, 1, 0, 2, 1, 2)
	f.text(`MOVQ begin-16(SP), BX
		ADDQ $64, DX
		CMPQ DX, R13
		JLT  block
		LEAQ (BX)(R13*4), BX
		ADDQ $256, R12
		ADDQ $192, DI
		DECQ four-8(SP)
		JNZ  four`)
	f.end()
}
