"""Makes torch.json, the values that learn/torch_test.go compares the layer with.

An independent PyTorch version of the KD layer, in float64: the plain layer on all
occurrences of a batch, where package learn composes each distinct symbol once. It
follows the paper and the recipes, not the Go code:

  one-hot codes forward and softmax backward; batch norms with epsilon 1e-3 over all
  but the last axis; mean, sum, concatenation, nn.LSTM with its own initial state, or
  the appendix's LSTM cell; guidance by u, online (all f(c) or all u) or pre-trained,
  with and without the auto-encoder; entropy.

Run with:  python3 reference.py > torch.json      (PyTorch 1.13 was used)
"""
import json
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(1)
torch.set_default_dtype(torch.float64)
N, D, K, DIM, HIDDEN = 7, 3, 4, 6, 5
IDS = torch.tensor([2, 5, 2, 0, 6, 4, 2, 5, 0, 2])  # 1 and 3 do not occur
T = len(IDS)
GATES = [1, 0, 3, 2]  # nn.LSTM has i, f, g, o; the code file t (= f), i, o, m (= g)


class BatchNorm(nn.Module):
    """Over all but the last axis."""

    def __init__(self, n):
        super().__init__()
        self.bn = nn.BatchNorm1d(n, eps=1e-3, momentum=0.01)
        nn.init.uniform_(self.bn.weight, 0.5, 1.5)
        nn.init.uniform_(self.bn.bias, -0.5, 0.5)

    def forward(self, x):
        flat = x.reshape(-1, x.shape[-1])
        self.statistics = flat.mean(0), flat.var(0, unbiased=False)
        return self.bn(flat).view(x.shape)


def uniform(*shape):
    return nn.Parameter(torch.empty(*shape).uniform_(-0.7, 0.7))


class KD(nn.Module):
    def __init__(self, case):
        super().__init__()
        self.case, kind = case, case["composition"]
        width = case["code_dim"]
        self.logits, self.logits_norm = uniform(N, D, K), BatchNorm(K)
        self.W = uniform(K, width) if case["shared"] else uniform(D, K, width)
        self.out_norm = BatchNorm(DIM)
        if kind in ("mean", "sum") and width != DIM:
            self.code_norm, self.H = BatchNorm(width), nn.Linear(width, DIM)
        if kind == "lstm":
            self.lstm = nn.LSTM(width, HIDDEN, batch_first=True)
            self.lstm.bias_hh_l0.requires_grad_(False).zero_()
            self.state = uniform(2, HIDDEN)
            self.H = nn.Linear(HIDDEN, DIM, bias=False)
        if kind == "paper-lstm":
            self.U, self.b = uniform(4, width, width), uniform(4, width)  # t, i, o, m
            if width != DIM:
                self.H = nn.Linear(width, DIM, bias=False)
        self.u = nn.Parameter(torch.empty(N, DIM).uniform_(-1, 1), requires_grad=case["guidance"].startswith("odg"))
        if case["guidance"] == "pdg-auto":
            self.g, self.g_norm = nn.Linear(DIM, D * K), BatchNorm(K)

    def codes(self, pi):
        soft = (pi / self.case["temperature"]).softmax(-1)
        hard = F.one_hot(pi.argmax(-1), K).to(pi)
        return hard + soft - soft.detach(), soft

    def compose(self, o):
        kind = self.case["composition"]
        e = torch.einsum("tjk,kw->tjw" if self.case["shared"] else "tjk,jkw->tjw", o, self.W)
        if kind in ("mean", "sum"):
            v = e.mean(1) if kind == "mean" else e.sum(1)
            if self.case["code_dim"] != DIM:
                v = self.H(self.code_norm(v))
        elif kind == "concat":
            v = e.flatten(1)
        elif kind == "lstm":
            h0, m0 = (s.expand(1, len(e), HIDDEN).contiguous() for s in self.state)
            v = self.H(self.lstm(e, (h0, m0))[0].mean(1))
        else:
            h = m = torch.zeros(len(e), self.case["code_dim"])
            v = 0
            for j in range(D):
                t, i, out = (torch.sigmoid(e[:, j] + h @ self.U[q] + self.b[q]) for q in range(3))
                m = t * m + i * torch.tanh(e[:, j] + h @ self.U[3] + self.b[3])
                h = out * torch.tanh(m)
                v = v + h
            if self.case["code_dim"] != DIM:
                v = self.H(v)
        return self.out_norm(v)

    def forward(self, ids):
        """Returns the embeddings [T, DIM] and the layer's own loss."""
        kind = self.case["guidance"]
        pi, u = self.logits_norm(self.logits[ids]), self.u[ids]
        both = pi
        if kind == "pdg-auto":
            g = self.g_norm(self.g(u).view(T, D, K))
            both = torch.cat([pi, g])
        o, soft = self.codes(both)
        v = self.compose(o)
        reg = -self.case["entropy"] * (soft * soft.log()).sum(-1).mean()
        if kind != "none":
            reg = reg + self.case["match"] * F.mse_loss(v[:T], u.detach())
        if kind == "pdg-auto":
            reg = reg + 100 * F.mse_loss(v[T:], u) + 10 * F.mse_loss(g, pi)
        if kind == "odg-u":
            return u, reg
        return v[:T], reg

    def named(self):
        """Pairs the Go layer's variables with tensors, by a function that lays a tensor out as they are."""
        same = lambda x: x
        pairs = {"codes/logits": (self.logits, same), "code_embeddings": (self.W, same)}

        def norm(path, bn):
            pairs[path + "/scale"], pairs[path + "/offset"] = (bn.bn.weight, same), (bn.bn.bias, same)

        norm("codes/norm", self.logits_norm)
        norm("embedding_norm", self.out_norm)
        if hasattr(self, "code_norm"):
            norm("code_norm", self.code_norm)
        if hasattr(self, "H"):
            pairs["projection"] = (self.H.weight, torch.t)
            if self.H.bias is not None:
                pairs["bias"] = (self.H.bias, same)
        if hasattr(self, "lstm"):
            gates = lambda x: x.view(4, HIDDEN, -1)[GATES].transpose(1, 2)
            pairs["lstm/input"], pairs["lstm/recurrent"] = (self.lstm.weight_ih_l0, gates), (self.lstm.weight_hh_l0, gates)
            pairs["lstm/bias"] = (self.lstm.bias_ih_l0, lambda x: x.view(4, HIDDEN)[GATES])
            pairs["lstm/state"] = (self.state, same)
        if hasattr(self, "U"):
            pairs["lstm/recurrent"], pairs["lstm/bias"] = (self.U, same), (self.b, same)
        if self.case["guidance"] != "none":
            pairs["guide"] = (self.u, same)
        if hasattr(self, "g"):
            pairs["encoder/weight"], pairs["encoder/bias"] = (self.g.weight, torch.t), (self.g.bias, same)
            norm("encoder/norm", self.g_norm)
        return pairs


def dump(x):
    return [float(f"{v:.9g}") for v in x.detach().flatten().tolist()]


def run(case):
    layer = KD(case)
    v, reg = layer(IDS)
    a, b = torch.empty(T, DIM).uniform_(-1, 1), torch.empty(T, DIM).uniform_(-1, 1)
    loss = (a * v + b * v**2 / 2).sum() + reg
    loss.backward()
    out = dict(case, a=dump(a), b=dump(b), v=dump(v), loss=loss.item(), reg=reg.item(), variables={}, gradients={}, statistics={})
    for path, (p, layout) in layer.named().items():
        out["variables"][path] = dump(layout(p))
        if p.requires_grad:
            out["gradients"][path] = dump(layout(torch.zeros_like(p) if p.grad is None else p.grad))
    for path, bn in ("codes/norm", layer.logits_norm), ("embedding_norm", layer.out_norm):
        out["statistics"][path + "/mean"], out["statistics"][path + "/variance"] = map(dump, bn.statistics)
    return out


def cases():
    base = dict(composition="mean", code_dim=DIM, shared=False, temperature=1.0, entropy=0.2, guidance="none", match=0.0)
    for shared in (False, True):
        for kind, width in [("mean", 6), ("mean", 4), ("sum", 6), ("sum", 4), ("concat", 2), ("lstm", 4), ("paper-lstm", 6), ("paper-lstm", 4)]:
            yield dict(base, composition=kind, code_dim=width, shared=shared)
    yield dict(base, temperature=0.5)
    for kind, match in [("pdg", 1000.0), ("pdg-auto", 1000.0), ("odg-f", 0.1), ("odg-u", 0.1)]:
        yield dict(base, guidance=kind, match=match, code_dim=4)
    yield dict(base, guidance="pdg-auto", match=1000.0, composition="lstm", code_dim=4)


print(json.dumps(dict(n=N, d=DIM, length=D, ways=K, hidden=HIDDEN, ids=IDS.tolist(), cases=[run(case) for case in cases()]), separators=(",", ":")))
