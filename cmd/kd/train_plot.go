package main

import "github.com/kdcode/kdcode/learn"

func drawEpochs(path, title string, epochs []learn.Epoch) error { return nil }
