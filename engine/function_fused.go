package engine

import (
	"slices"

	"github.com/gomlx/compute"
)

// Fused operations that are only ever delegated. Operands may be missing, nil:
// optional keeps their places.

// optional records an operation of one or several results of which operands may
// be nil. The build sees nil in their places.
func (f *function) optional(op compute.OpType, b func(g compute.Function, in []value) ([]value, error), operands ...value) ([]value, error) {
	var inputs []value
	for _, v := range operands {
		if v != nil {
			inputs = append(inputs, v)
		}
	}
	return f.several(op, func(g compute.Function, in []value, _ []compute.Function) ([]value, error) {
		full := slices.Clone(operands)
		for i := range full {
			if full[i] != nil {
				full[i], in = in[0], in[1:]
			}
		}
		return b(g, full)
	}, nil, inputs...)
}

func first(v []value, err error) (value, error) {
	if err != nil {
		return nil, err
	}
	return v[0], nil
}

func single(v value, err error) ([]value, error) { return []value{v}, err }

func (f *function) FusedGelu(x value, exact bool) (value, error) {
	return f.one(compute.OpTypeFusedGelu, nil, func(g compute.Function, in []value) (value, error) { return g.FusedGelu(in[0], exact) }, x)
}

func (f *function) FusedLayerNorm(x value, over []int, epsilon float64, gamma, beta value) (value, error) {
	over = slices.Clone(over)
	return first(f.optional(compute.OpTypeFusedLayerNorm, func(g compute.Function, in []value) ([]value, error) {
		return single(g.FusedLayerNorm(in[0], over, epsilon, in[1], in[2]))
	}, x, gamma, beta))
}

func (f *function) FusedDense(x, weight, bias value, options compute.DenseConfig) (value, error) {
	return first(f.optional(compute.OpTypeFusedDense, func(g compute.Function, in []value) ([]value, error) {
		return single(g.FusedDense(in[0], in[1], in[2], options))
	}, x, weight, bias))
}

// attention is the options of an attention with its values as operands.
func attention(options *compute.ScaledDotProductAttentionConfig) ([]value, func(in []value) *compute.ScaledDotProductAttentionConfig) {
	if options == nil {
		return make([]value, 4), func([]value) *compute.ScaledDotProductAttentionConfig { return nil }
	}
	o := *options
	return []value{o.QuerySeqLen, o.KeyValueSeqLen, o.Bias, o.Mask}, func(in []value) *compute.ScaledDotProductAttentionConfig {
		with := o
		with.QuerySeqLen, with.KeyValueSeqLen, with.Bias, with.Mask = in[0], in[1], in[2], in[3]
		return &with
	}
}

func (f *function) FusedScaledDotProductAttention(query, key, val value, layout compute.AttentionAxesLayout, options *compute.ScaledDotProductAttentionConfig) (value, []value, error) {
	more, with := attention(options)
	all, err := f.optional(compute.OpTypeFusedScaledDotProductAttention, func(g compute.Function, in []value) ([]value, error) {
		output, states, err := g.FusedScaledDotProductAttention(in[0], in[1], in[2], layout, with(in[3:]))
		return append([]value{output}, states...), err
	}, append([]value{query, key, val}, more...)...)
	if err != nil {
		return nil, nil, err
	}
	return all[0], all[1:], nil
}

func (f *function) FusedScaledDotProductAttentionVJP(query, key, val value, layout compute.AttentionAxesLayout, options *compute.ScaledDotProductAttentionConfig, output value, states []value, gradient value) (toQuery, toKey, toValue value, err error) {
	more, with := attention(options)
	operands := append([]value{query, key, val, output, gradient}, more...)
	return three(f.optional(compute.OpTypeFusedScaledDotProductAttentionVJP, func(g compute.Function, in []value) ([]value, error) {
		return asSlice(g.FusedScaledDotProductAttentionVJP(in[0], in[1], in[2], layout, with(in[5:9]), in[3], in[9:], in[4]))
	}, append(operands, states...)...))
}

// quantization is the parameters of quantized weights with its values as
// operands.
func quantization(q *compute.Quantization) ([]value, func(in []value) *compute.Quantization) {
	if q == nil {
		return make([]value, 2), func([]value) *compute.Quantization { return nil }
	}
	o := *q
	return []value{o.Scale, o.ZeroPoint}, func(in []value) *compute.Quantization {
		with := o
		with.Scale, with.ZeroPoint = in[0], in[1]
		return &with
	}
}

func (f *function) QuantizedEmbeddingLookup(data, indices value, q *compute.Quantization) (value, error) {
	more, with := quantization(q)
	return first(f.optional(compute.OpTypeQuantizedEmbeddingLookup, func(g compute.Function, in []value) ([]value, error) {
		return single(g.QuantizedEmbeddingLookup(in[0], in[1], with(in[2:])))
	}, append([]value{data, indices}, more...)...))
}

func (f *function) FusedQuantizedDense(x, weights, bias value, q *compute.Quantization, activation compute.ActivationType) (value, error) {
	more, with := quantization(q)
	return first(f.optional(compute.OpTypeFusedQuantizedDense, func(g compute.Function, in []value) ([]value, error) {
		return single(g.FusedQuantizedDense(in[0], in[1], in[2], with(in[3:]), activation))
	}, append([]value{x, weights, bias}, more...)...))
}

func (f *function) FusedAttentionQKVProjection(x, w, biasQ, biasK, biasV value, queryDim, keyValueDim int) (query, key, val value, err error) {
	return three(f.optional(compute.OpTypeFusedAttentionQKVProjection, func(g compute.Function, in []value) ([]value, error) {
		return asSlice(g.FusedAttentionQKVProjection(in[0], in[1], in[2], in[3], in[4], queryDim, keyValueDim))
	}, x, w, biasQ, biasK, biasV))
}
