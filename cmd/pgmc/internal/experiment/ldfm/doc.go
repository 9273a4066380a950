// Package ldfm repeats tables 2, 4 and 5 of Chu, Jiang and Tu 2017, Latent dependency forest
// models: how well models learned from rows of nine networks predict some variables given others.
package ldfm
