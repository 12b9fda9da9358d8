// Package text trains the paper's text classifier: the mean of a text's word
// embeddings, and a softmax layer on it. The embeddings are any layer of package
// learn. The trained model is one code file, from which package classify
// predicts.
//
// Letters as in package learn; further: B texts a batch, C labels.
package text
