package vectors

import (
	"encoding/json"
	"maps"
	"path/filepath"
	"slices"

	"github.com/kdcode/kdcode/internal/safetensors"
)

// maxIndex is the longest index read.
const maxIndex = 64 << 20

// newShardDecoder reads an index such as model.safetensors.index.json and opens
// the shard that has the tensor. On success the index itself is closed.
func newShardDecoder(in *input, name string) (*matrix, error) {
	if in.c == nil {
		return nil, badf(in.name, "an index of safetensors files: give its path, so that the files beside it can be opened")
	}
	var list struct {
		Files map[string]string `json:"weight_map"`
	}
	if err := readJSON(in, &list, maxIndex); err != nil {
		return nil, err
	}
	file, ok := list.Files[name]
	if !ok {
		var err error
		if file, name, err = chooseShard(in.name, name, list.Files); err != nil {
			return nil, err
		}
	}
	shard, err := openShard(in.name, file)
	if err != nil {
		return nil, err
	}
	m, err := newSafetensorsDecoder(shard, name)
	if err != nil {
		shard.Close()
		return nil, err
	}
	in.Close()
	return m, nil
}

// openShard opens a file that the index names: one below the index's folder.
func openShard(index, file string) (*input, error) {
	if !filepath.IsLocal(filepath.FromSlash(file)) {
		return nil, badf(index, "weight_map names %q, which is not below the index's folder", clip(file))
	}
	return openInput(filepath.Join(filepath.Dir(index), filepath.FromSlash(file)))
}

// chooseShard reads the headers of all shards to find the only table, or to
// say which there are.
func chooseShard(index, name string, files map[string]string) (file, tensor string, err error) {
	var all []safetensors.Tensor
	for _, file := range slices.Compact(slices.Sorted(maps.Values(files))) {
		tensors, err := shardTensors(index, file)
		if err != nil {
			return "", "", err
		}
		for _, t := range tensors {
			if files[t.Name] == file {
				all = append(all, t)
			}
		}
	}
	t, err := choose(index, name, all)
	return files[t.Name], t.Name, err
}

func shardTensors(index, file string) ([]safetensors.Tensor, error) {
	in, err := openShard(index, file)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	h, err := readHeader(in)
	if err != nil {
		return nil, err
	}
	return h.Tensors, nil
}

// readJSON reads the whole of in into v.
func readJSON(in *input, v any, most int64) error {
	text, err := readText(in, most)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, v); err != nil {
		return badf(in.name, "%v", err)
	}
	return nil
}
