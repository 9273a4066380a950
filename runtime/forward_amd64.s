//go:build amd64 && !purego

#include "textflag.h"

// The kernels of steps of hidden Markov models: see forward.go. A filter has 48 bytes of in: the
// slices of its belief and of its column. DX is the offset of a block of eight new states, AX that
// of a state before.

DATA forwardOne<>+0(SB)/8, $1.0
GLOBL forwardOne<>(SB), RODATA|NOPTR, $8

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
	VADDPD Z17, Z16, sum

// func forwardRows8(table, rows *float64, roots, inverse *[ForwardRows]float64, in *[ForwardRows]ForwardRow, states int)
// The sums of filter i for a block are in Zi, those of all blocks in Zi+24. K1 selects the states of
// a block that there are.
TEXT ·forwardRows8(SB), NOSPLIT, $24-48
	MOVQ table+0(FP), SI
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
	SHLQ $3, CX
	MOVQ 0(DI), R8
	MOVQ 48(DI), R9
	MOVQ 96(DI), R10
	MOVQ 144(DI), R11
	MOVQ 192(DI), R12
	MOVQ 240(DI), R13
	MOVQ 288(DI), R14
	MOVQ 336(DI), R15
	VPXORQ Z24, Z24, Z24
	VPXORQ Z25, Z25, Z25
	VPXORQ Z26, Z26, Z26
	VPXORQ Z27, Z27, Z27
	VPXORQ Z28, Z28, Z28
	VPXORQ Z29, Z29, Z29
	VPXORQ Z30, Z30, Z30
	VPXORQ Z31, Z31, Z31
	XORL DX, DX

block:
	VPXORQ Z0, Z0, Z0
	VPXORQ Z1, Z1, Z1
	VPXORQ Z2, Z2, Z2
	VPXORQ Z3, Z3, Z3
	VPXORQ Z4, Z4, Z4
	VPXORQ Z5, Z5, Z5
	VPXORQ Z6, Z6, Z6
	VPXORQ Z7, Z7, Z7
	XORL AX, AX

before:
	VMOVUPD (SI), Z16
	STEP(R8, Z17, Z0)
	STEP(R9, Z18, Z1)
	STEP(R10, Z19, Z2)
	STEP(R11, Z20, Z3)
	STEP(R12, Z21, Z4)
	STEP(R13, Z22, Z5)
	STEP(R14, Z23, Z6)
	STEP(R15, Z8, Z7)
	ADDQ $64, SI
	ADDQ $8, AX
	CMPQ AX, CX
	JLT  before
	MOVL $255, AX
	ADDQ $64, DX
	CMPQ DX, size-8(SP)
	CMOVQEQ last-16(SP), AX
	SUBQ $64, DX
	KMOVW AX, K1
	BLOCK(0, Z0, Z24)
	BLOCK(1, Z1, Z25)
	BLOCK(2, Z2, Z26)
	BLOCK(3, Z3, Z27)
	BLOCK(4, Z4, Z28)
	BLOCK(5, Z5, Z29)
	BLOCK(6, Z6, Z30)
	BLOCK(7, Z7, Z31)
	MOVQ rows+8(FP), BX
	ADDQ $64, DX
	CMPQ DX, size-8(SP)
	JLT  block
	PAIR(Z24, Z25, Z0)
	PAIR(Z26, Z27, Z1)
	PAIR(Z28, Z29, Z2)
	PAIR(Z30, Z31, Z3)
	QUAD(Z0, Z1, Z4)
	QUAD(Z2, Z3, Z5)
	QUAD(Z4, Z5, Z6)
	MOVQ roots+16(FP), AX
	VMOVUPD Z6, (AX)
	VBROADCASTSD forwardOne<>(SB), Z7
	VDIVPD Z6, Z7, Z7
	MOVQ inverse+24(FP), AX
	VMOVUPD Z7, (AX)
	VZEROUPPER
	RET

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
	ADDQ R13, BX

// forwardMask holds, from byte 8k on, the mask of a block without its last k states.
DATA forwardMask<>+0(SB)/8, $-1
DATA forwardMask<>+8(SB)/8, $-1
DATA forwardMask<>+16(SB)/8, $-1
DATA forwardMask<>+24(SB)/8, $-1
DATA forwardMask<>+32(SB)/8, $-1
DATA forwardMask<>+40(SB)/8, $-1
DATA forwardMask<>+48(SB)/8, $-1
DATA forwardMask<>+56(SB)/8, $-1
DATA forwardMask<>+64(SB)/8, $0
DATA forwardMask<>+72(SB)/8, $0
DATA forwardMask<>+80(SB)/8, $0
DATA forwardMask<>+88(SB)/8, $0
DATA forwardMask<>+96(SB)/8, $0
DATA forwardMask<>+104(SB)/8, $0
DATA forwardMask<>+112(SB)/8, $0
DATA forwardMask<>+120(SB)/8, $0
GLOBL forwardMask<>(SB), RODATA|NOPTR, $128

// func forwardRows4(table, rows *float64, sums *[ForwardRows * ForwardRows]float64, in *[ForwardRows]ForwardRow, states int)
// Four filters at a time. The sums of filter i for a block are in Y2i and Y2i+1. R12 is the place of
// their sums of all blocks, R13 the bytes of a row.
TEXT ·forwardRows4(SB), NOSPLIT, $16-40
	MOVQ rows+8(FP), BX
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
	MOVQ table+0(FP), SI
	MOVQ (DI), R8
	MOVQ 48(DI), R9
	MOVQ 96(DI), R10
	MOVQ 144(DI), R11
	VXORPD X0, X0, X0
	VMOVUPD Y0, 0(R12)
	VMOVUPD Y0, 32(R12)
	VMOVUPD Y0, 64(R12)
	VMOVUPD Y0, 96(R12)
	VMOVUPD Y0, 128(R12)
	VMOVUPD Y0, 160(R12)
	VMOVUPD Y0, 192(R12)
	VMOVUPD Y0, 224(R12)
	XORL DX, DX

block:
	VXORPD X0, X0, X0
	VXORPD X1, X1, X1
	VXORPD X2, X2, X2
	VXORPD X3, X3, X3
	VXORPD X4, X4, X4
	VXORPD X5, X5, X5
	VXORPD X6, X6, X6
	VXORPD X7, X7, X7
	XORL AX, AX

before:
	VMOVUPD (SI), Y8
	VMOVUPD 32(SI), Y9
	ADD(R8, Y0, Y1)
	ADD(R9, Y2, Y3)
	ADD(R10, Y4, Y5)
	ADD(R11, Y6, Y7)
	ADDQ $64, SI
	ADDQ $8, AX
	CMPQ AX, CX
	JLT  before
	LEAQ forwardMask<>(SB), R15
	LEAQ 64(DX), AX
	SUBQ CX, AX // bytes of the block beyond the last state
	MOVL $0, R14
	CMOVQLT R14, AX
	VMOVUPD (R15)(AX*1), Y13
	VMOVUPD 32(R15)(AX*1), Y14
	HALF(0, Y0, Y1)
	HALF(1, Y2, Y3)
	HALF(2, Y4, Y5)
	HALF(3, Y6, Y7)
	MOVQ begin-16(SP), BX
	ADDQ $64, DX
	CMPQ DX, R13
	JLT  block
	LEAQ (BX)(R13*4), BX
	ADDQ $256, R12
	ADDQ $192, DI
	DECQ four-8(SP)
	JNZ  four
	VZEROUPPER
	RET

// func forwardScale4(to, from *float64, n int, by float64)
TEXT ·forwardScale4(SB), NOSPLIT, $0-32
	MOVQ to+0(FP), DI
	MOVQ from+8(FP), SI
	MOVQ n+16(FP), CX
	VBROADCASTSD by+24(FP), Y0
	SUBQ $4, CX
	JLT  few

four:
	VMULPD (SI), Y0, Y1
	VMOVUPD Y1, (DI)
	ADDQ $32, SI
	ADDQ $32, DI
	SUBQ $4, CX
	JGE  four

few:
	ADDQ $4, CX
	JZ   end

one:
	VMULSD (SI), X0, X1
	VMOVSD X1, (DI)
	ADDQ $8, SI
	ADDQ $8, DI
	DECQ CX
	JNZ  one

end:
	VZEROUPPER
	RET
