//go:build !amd64 || noasm

package kernel

func supported() level { return portable }
