// Package text trains the paper's text classifier: the mean of a text's word
// embeddings, and a softmax layer on it. The embeddings are any layer of package
// learn. The trained model is one code file, from which package classify
// predicts.
//
// # Basics
//
//	c, err := text.Read(text.Source{Train: "train.csv", Test: "test.csv", HoldOut: 0.1})
//	words := learn.NewKD(len(c.Words), 300)
//	r, err := text.Train(ctx, c, words, text.Options{Backend: backend})
//	m, err := r.Model()
//	err = codefile.WriteFile("news.kd", m)
//
// kd train text does this; docs/learn.md has its results.
//
// Letters are those of package learn, and B texts a batch, C labels.
package text
