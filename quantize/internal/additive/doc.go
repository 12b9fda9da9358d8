// Package additive learns codes and code embeddings for the sum composition
// (additive quantization): W and c that make
//
//	Σ_i w_i·‖v_i − Σ_j W^j[c_ij]‖²
//
// small, for N vectors v_i of width d with weights w_i, codes of D digits with K
// values each, and code embeddings W: [D, K, d].
//
// # The way
//
// It starts with residual k-means (start.go): each digit's values are the means
// of what the digits before leave over. Then rounds alternate two steps that
// each make the error smaller: code embeddings by least squares for the codes as
// they are (leastsquares.go), and codes by tabu search for the code embeddings
// as they are (search.go). The search is what the result depends on: the
// energy of a code is a sum over pairs of digits, and walks on the tabulated
// inner products of code embeddings find far better codes than descent does.
// Where K·D is too large for such tables, descent has to do (sweep.go).
//
// A table of more rows than the sample is learned from a sample, then
// encoded in chunks; code embeddings are fitted once more to all rows
// (pass.go).
//
// # Numbers
//
// Results depend on the seed, not on the number of threads nor on timing. The
// instruction sets round products differently and thus lead to different
// codes, of errors that differ little.
//
// Letters in comments: N rows, K values, D digits, d floats; n rows in memory;
// stride is d, lanes is D, each padded to whole vectors.
package additive
