package pgmrt

import "math"

// Normal returns a number from the normal distribution of mean 0 and variance 1, by the ziggurat of
// Marsaglia and Tsang 2000 with 128 layers of equal area. Seven bits choose the layer and 53 others
// the place in it, so that the two are independent (Doornik 2005). 97 of 100 numbers take one draw,
// a multiplication and a comparison.
func (r *Rand) Normal() float64 {
	x, layer := normalPlace(r.Uint64())
	if math.Abs(x) < normalEdges[layer+1] {
		return x
	}
	return r.normalBeyond(x, layer)
}

// normalPlace returns the place that random bits choose, and its layer.
func normalPlace(u uint64) (x float64, layer uint64) {
	layer = u & (normalLayers - 1)
	return float64(int64(u)>>11) * 0x1p-52 * normalEdges[layer], layer
}

// normalBeyond returns a number for the place x in a layer, which is beyond the layer above: x
// itself if it is below the curve, one from the tail, or another draw's.
func (r *Rand) normalBeyond(x float64, layer uint64) float64 {
	for {
		if layer == 0 {
			if x < 0 {
				return -r.normalTail()
			}
			return r.normalTail()
		}
		low, high := normalHeights[layer], normalHeights[layer+1]
		if low+float64(r.Float64()*(high-low)) < expFalling(-.5*float64(x*x)) {
			return x
		}
		if x, layer = normalPlace(r.Uint64()); math.Abs(x) < normalEdges[layer+1] {
			return x
		}
	}
}

// normalTail returns a number beyond the right edge of the lowest layer (Marsaglia 1964).
func (r *Rand) normalTail() float64 {
	edge := normalEdges[1]
	for {
		x, y := -Ln(1-r.Float64())/edge, -Ln(1-r.Float64())
		if y+y >= float64(x*x) {
			return edge + x
		}
	}
}

// Noise sets the numbers of out to independent draws of [Rand.Normal], and to 0 without a draw
// where known, if it is not nil, is not 0.
func Noise(out, known []float64, r *Rand) {
	state := *r
	for i := range out {
		if i < len(known) && known[i] != 0 {
			out[i] = 0
			continue
		}
		next, u := state.after()
		state = next
		x, layer := normalPlace(u)
		if !(math.Abs(x) < normalEdges[layer+1]) {
			*r = state
			x = r.normalBeyond(x, layer)
			state = *r
		}
		out[i] = x
	}
	*r = state
}

const normalLayers = 128

// normalEdges holds the right edges of the layers, from the lowest up. The first is the width of a
// rectangle with the area of the lowest layer, which includes the tail.
var normalEdges = [normalLayers + 1]float64{
	3.7130862467403625, 3.442619855896652, 3.2230849845786183, 3.0832288582142136, 2.9786962526450167, 2.8943440070186703, 2.823125350545966, 2.7611693723841535,
	2.706113573118722, 2.656406411258192, 2.6109722484286126, 2.5690336259216386, 2.530009672385466, 2.4934545220919504, 2.4590181774083497, 2.4264206455302113,
	2.395434278007467, 2.3658713701139873, 2.3375752413355304, 2.310413683695002, 2.2842740596736566, 2.2590595738653296, 2.234686395587057, 2.2110814088747275,
	2.1881804320720204, 2.1659267937448408, 2.1442701823562613, 2.12316570866979, 2.102573135184999, 2.082456237987725, 2.062782274503964, 2.0435215366506703,
	2.0246469733729344, 2.0061338699589673, 1.9879595741230611, 1.9701032608497138, 1.9525457295488893, 1.9352692282919006, 1.9182573008597323, 1.9014946531003178,
	1.8849670357028696, 1.8686611409895424, 1.8525645117230873, 1.836665460253384, 1.820952996591005, 1.8054167642140486, 1.790046982594619, 1.7748343955807693,
	1.759770224894232, 1.7448461281083767, 1.7300541605582438, 1.7153867407081167, 1.7008366185643011, 1.6863968467734864, 1.6720607540918524, 1.6578219209482077,
	1.6436741568569828, 1.6296114794646783, 1.615628095037133, 1.601718380215277, 1.5878768648844008, 1.5740982160167498, 1.5603772223598409, 1.5467087798535037,
	1.5330878776675563, 1.519509584759371, 1.5059690368565504, 1.4924614237746154, 1.478981976983098, 1.465525957335795, 1.4520886428822168, 1.4386653166774617,
	1.4252512545068619, 1.4118417124397606, 1.3984319141236068, 1.3850170377251492, 1.3715922024197327, 1.3581524543224233, 1.3446927517457135, 1.331207949657677,
	1.3176927832013434, 1.304141850120422, 1.2905495919178736, 1.2769102735517002, 1.2632179614460288, 1.2494664995643343, 1.2356494832544818, 1.2217602305309632,
	1.2077917504067581, 1.1937367078237726, 1.1795873846544611, 1.1653356361550473, 1.1509728421389764, 1.136489852003076, 1.1218769225722545, 1.1071236475235358,
	1.0922188768965542, 1.077150624881938, 1.06190596368362, 1.0464709007525808, 1.030830236056456, 1.0149673952393001, 0.9988642334806442, 0.9825008035027611,
	0.9658550793881314, 0.9489026254979128, 0.9316161966013545, 0.9139652510088027, 0.8959153525662393, 0.8774274290977166, 0.8584568431780517, 0.8389522142812083,
	0.8188539066833185, 0.7980920606262756, 0.7765839878761491, 0.7542306644345107, 0.730911910621882, 0.7064796113136088, 0.680747918645905, 0.6534786387150432,
	0.624358597309089, 0.5929629424419789, 0.5586921783755191, 0.5206560387251462, 0.47743783725378924, 0.4265479863033068, 0.3628714310284204, 0.272320864704667,
	0.0,
}

// normalHeights holds the heights of the edges: the density there, times the square root of 2π.
var normalHeights = func() (h [normalLayers + 1]float64) {
	for i, x := range normalEdges {
		h[i] = expFalling(-.5 * float64(x*x))
	}
	return h
}()
