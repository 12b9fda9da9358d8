package learn_test

import (
	"bytes"
	"fmt"
	"log"
	"math/rand/v2"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	_ "github.com/gomlx/compute/gobackend"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/layers"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/train"
	"github.com/gomlx/gomlx/ml/train/loss"

	"github.com/kdcode/kdcode"
	"github.com/kdcode/kdcode/learn"
)

// A model of one's own: it guesses which items of a shop a customer likes. The
// KD layer stands where the items' embedding would, and becomes a code file when
// the model is trained.
func Example() {
	const customers, items, dim = 40, 400, 16
	layer := learn.NewKD(items, dim).Ways(8).CodeLength(6)

	likes := func(scope *model.Scope, customer, item *Node) *Node {
		u := layers.Embedding(scope.In("customers"), customer, dtypes.Float32, customers, dim) // [B, d]
		v := learn.Embed(layer, scope.In("items"), item)                                       // [B, d]
		return InsertAxes(ReduceSum(Mul(u, v), -1), -1)                                        // [B, 1]
	}

	backend, err := compute.NewWithConfig("go")
	if err != nil {
		log.Fatal(err)
	}
	store := model.NewStore()
	if err := learn.SetSeed(store, 1); err != nil {
		log.Fatal(err)
	}
	trainer := train.NewTrainer(backend, store, likes, loss.BinaryCrossentropyLogits,
		learn.LazyAdam(0.02).Codes(learn.Rule{Adam: true, Scale: 5}), nil, nil)
	rng := rand.New(rand.NewPCG(1, 1))
	for range 400 {
		if _, err := trainer.TrainStep(sales(rng, customers, items)); err != nil {
			log.Fatal(err)
		}
	}

	// The table is for anyone who wants the items' embeddings, without GoMLX.
	m, err := layer.Export(store.Scope("/items"))
	if err != nil {
		log.Fatal(err)
	}
	var file bytes.Buffer
	if _, err := m.WriteTo(&file); err != nil {
		log.Fatal(err)
	}
	table, err := kdcode.FromBytes(file.Bytes())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d items of width %d, %.1f times smaller than a full table\n", table.Len(), table.Dim(), layer.Size().Ratio())

	right, err := model.CallOnce(backend, store, func(scope *model.Scope, customer, item, label *Node) *Node {
		guess := ConvertDType(IsPositive(likes(scope, customer, item)), label.DType())
		return ReduceAllMean(ConvertDType(Equal(guess, label), label.DType()))
	}, arguments(sales(rng, customers, items))...)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("it learned what they like:", tensors.ToScalar[float32](right) > 0.9)
	// Output:
	// 400 items of width 16, 6.2 times smaller than a full table
	// it learned what they like: true
}

// How small the large language model's words become, before any training.
func ExampleNewDPQ() {
	const words, dim = 10_000, 1500
	kd := learn.NewKD(words, dim).CodeDim(300) // K = D = 32
	dpq := learn.NewDPQ(words, dim).Ways(16).CodeLength(50).Shared(true)
	fmt.Printf("KD %.1f, DPQ %.1f times smaller than a full table\n", kd.Size().Ratio(), dpq.Size().Ratio())
	// Output: KD 18.5, DPQ 238.2 times smaller than a full table
}

// sales are customers, items, and whether they like them: each customer likes
// one department.
func sales(rng *rand.Rand, customers, items int) train.Batch {
	const size, departments = 128, 4
	customer, item, label := make([]int32, size), make([]int32, size), make([]float32, size)
	for i := range label {
		c, it := rng.IntN(customers), rng.IntN(items)
		if i%2 == 0 {
			it = it/departments*departments + c%departments
		}
		if c%departments == it%departments {
			label[i] = 1
		}
		customer[i], item[i] = int32(c), int32(it)
	}
	return train.Batch{
		Inputs: []*tensors.Tensor{tensors.FromValue(customer), tensors.FromValue(item)},
		Labels: []*tensors.Tensor{tensors.FromFlatDataAndDimensions(label, size, 1)},
	}
}

// arguments returns a batch as arguments of a graph.
func arguments(b train.Batch) []any {
	return []any{b.Inputs[0], b.Inputs[1], b.Labels[0]}
}
