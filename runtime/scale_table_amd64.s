//go:build amd64 && !purego

#include "textflag.h"

// Rescaling with AVX2, sixteen numbers a step. SI walks over the numbers, CX counts the steps.

// LARGER makes each lane of top the larger of itself and the integer at off.
#define LARGER(off, x, top) \
	VMOVUPD off(SI), x \
	VPCMPGTQ top, x, Y8 \
	VBLENDVPD Y8, x, top, top

// func topOfVectors4(x []float64) int64
TEXT ·topOfVectors4(SB), NOSPLIT, $0-32
	MOVQ x_base+0(FP), SI
	MOVQ x_len+8(FP), CX
	SHRQ $4, CX
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1
	VPXOR Y2, Y2, Y2
	VPXOR Y3, Y3, Y3

step:
	LARGER(0, Y4, Y0)
	LARGER(32, Y5, Y1)
	LARGER(64, Y6, Y2)
	LARGER(96, Y7, Y3)
	ADDQ $128, SI
	DECQ CX
	JNZ  step
	VPCMPGTQ Y0, Y1, Y8
	VBLENDVPD Y8, Y1, Y0, Y0
	VPCMPGTQ Y2, Y3, Y8
	VBLENDVPD Y8, Y3, Y2, Y2
	VPCMPGTQ Y0, Y2, Y8
	VBLENDVPD Y8, Y2, Y0, Y0
	VEXTRACTF128 $1, Y0, X1
	VPCMPGTQ X0, X1, X8
	VBLENDVPD X8, X1, X0, X0
	VPERMILPD $1, X0, X1
	VPCMPGTQ X0, X1, X8
	VBLENDVPD X8, X1, X0, X0
	VMOVQ X0, AX
	MOVQ AX, ret+24(FP)
	VZEROUPPER
	RET

// func multiplyVectors4(x []float64, f float64)
TEXT ·multiplyVectors4(SB), NOSPLIT, $0-32
	MOVQ x_base+0(FP), SI
	MOVQ x_len+8(FP), CX
	SHRQ $4, CX
	VBROADCASTSD f+24(FP), Y0

next:
	VMULPD 0(SI), Y0, Y1
	VMULPD 32(SI), Y0, Y2
	VMULPD 64(SI), Y0, Y3
	VMULPD 96(SI), Y0, Y4
	VMOVUPD Y1, 0(SI)
	VMOVUPD Y2, 32(SI)
	VMOVUPD Y3, 64(SI)
	VMOVUPD Y4, 96(SI)
	ADDQ $128, SI
	DECQ CX
	JNZ  next
	VZEROUPPER
	RET
