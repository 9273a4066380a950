package acmn

// published holds published mean test log-likelihoods, by model, in the order of experiment.Sets.
// ACMN, ACBN, LTM: Lowd and Rooshenas 2013, table 2, which the poster shows; mixtures of trees,
// LearnSPN, ID-SPN: Rooshenas and Lowd 2014, table 1; cutset networks: Rahman, Kothalkar and
// Gogate's CNet as of Yang, Gala and Peharz 2023, table 1, and 40 of them as of Di Mauro et al.
// 2021, table 7.
var published = map[string][]float64{
	"ACMN":     {-6.01, -6.04, -2.15, -12.89, -40.32, -53.35, -57.26, -9.77, -35.62, -161.30, -89.54, -159.56},
	"ACBN":     {-6.02, -6.04, -2.16, -12.85, -41.13, -54.43, -57.75, -9.81, -36.02, -159.85, -89.27, -159.65},
	"LTM":      {-6.49, -6.52, -2.18, -16.39, -41.90, -55.17, -58.53, -10.21, -34.22, -156.84, -91.23, -156.77},
	"MT":       {-6.01, -6.07, -2.13, -12.95, -40.08, -53.08, -56.74, -9.85, -34.63, -156.86, -85.90, -154.24},
	"LearnSPN": {-6.11, -6.11, -2.18, -12.98, -40.50, -53.48, -57.33, -10.25, -35.89, -158.20, -85.07, -155.93},
	"ID-SPN":   {-6.02, -6.04, -2.13, -12.54, -39.79, -52.86, -56.36, -9.73, -34.14, -151.84, -83.35, -151.47},
	"CNet":     {-6.113, -6.057, -2.185, -13.187, -44.571, -61.670, -65.572, -10.060, -37.293, -161.650, -88.386, -162.488},
	"CNet bag": {-6.00, -6.08, -2.14, -12.32, -40.09, -52.88, -56.55, -9.77, -35.55, -153.12, -83.71, -156.09},
}

// publishedKL holds the divergences of the poster's table, in the order of experiment.Sets: the
// difference of the test log-likelihoods of ACMN and ACBN, and KL(ACBN, ACMN) by rows that ACBN
// generates.
var publishedKL = [][2]float64{
	{0.01, 0.08}, {0.00, 0.02}, {0.01, 0.08}, {0.04, 1.43}, {0.81, 2.46}, {1.08, 3.14},
	{0.49, 2.57}, {0.04, 0.56}, {0.49, 0.73}, {1.45, 14.57}, {0.27, 6.98}, {0.09, 10.13},
}
