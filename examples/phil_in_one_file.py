"""PHIL in one file: learn a search heuristic by imitation, then search with it.

The paper's method in plain torch and numpy; only the maps come from the library. Read it from top
to bottom: the graphs and the oracle, the network (Algorithm 2), best-first search, and training
(Algorithm 1). Names in square brackets are the paper's. It runs in a minute. The library trains and
runs the same network with compiled kernels, and extends the method as docs/how.md describes.

python examples/phil_in_one_file.py
"""

from __future__ import annotations

import copy
import heapq
import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from phil.problems.generated import generate_maps


@dataclass(frozen=True)
class Settings:
    """The paper's settings on grids, with smaller maps and a smaller network."""

    family: str = "alternating_gaps"  # walls across the map, with gaps at alternating ends
    side: int = 41
    maps: tuple[int, int, int] = (200, 20, 50)  # for training, validation and testing

    width: int = 64  # of every layer
    memory: int = 32  # [d] dimensions of the memory z

    iterations: int = 36  # [N]
    rollouts: int = 8  # [m] trajectories per iteration
    horizon: int = 256  # [T] maximum expansions, including the roll-in
    rollout: int = 32  # [t_tau] expansions per trajectory
    beta: float = 0.7  # [beta_0] in iteration i, the share of oracle steps is beta_0 ** i
    steps: int = 30  # Adam steps per iteration
    batch: int = 16  # trajectories per Adam step
    learning_rate: float = 2e-3  # initially; it decays to 0 along a cosine
    seed: int = 0


# ---------------------------------------------------------------------------- Graphs and the oracle

MOVES = np.array([(1, 1), (1, -1), (-1, -1), (-1, 1), (1, 0), (0, -1), (-1, 0), (0, 1)])  # dx, dy


def tensor(array: np.ndarray) -> Tensor:
    return torch.from_numpy(array.astype(np.float32))


class Maps:
    """Grid maps as one graph with a component per map; cells have up to eight neighbours.

    Searches run from the bottom-left cell of a map to its top-right cell. Node features x_i are
    coordinates in [-1, 1], edge features e_ij are directions. Distances are relative to the side of
    a map, so that a heuristic transfers to maps of other sizes.
    """

    def __init__(self, free: np.ndarray, neighbors: int = 8, seed: int = 0) -> None:
        count, rows, columns = free.shape
        self.cells, self.side = rows * columns, max(rows, columns) - 1
        first = np.arange(count) * self.cells
        self.start, self.goal = first + (rows - 1) * columns, first + columns - 1
        _, row, column = np.indices(free.shape).reshape(3, -1)
        xy = np.stack([column, rows - 1 - row], 1)
        self.features = tensor((2 * xy - [columns - 1, rows - 1]) / self.side)  # x_i
        self.goal_features = self.features[np.repeat(self.goal, self.cells)]  # x_g, for each node
        padded = np.pad(free, [(0, 0), (1, 1), (1, 1)])
        there = [padded[:, 1 - y :, 1 + x :][:, :rows, :columns] for x, y in MOVES]
        self.exists = (free[..., None] & np.stack(there, -1)).reshape(-1, 8)  # is a move possible?
        node = np.arange(free.size)[:, None]
        self.neighbors = np.where(self.exists, node - MOVES[:, 1] * columns + MOVES[:, 0], node)
        # N_i, what the convolution sees: at most n neighbours of each node, sampled uniformly.
        draw = np.random.default_rng(seed).random(self.exists.shape)
        rank = np.where(self.exists, draw, 2).argsort(1).argsort(1)
        self.sampled = torch.from_numpy(self.exists & (rank < neighbors))
        self.distance = self.distances_to_goals() / self.side

    def distances_to_goals(self) -> np.ndarray:
        """The oracle h*: moves from every node to the goal, by breadth-first search."""
        distance = np.full(len(self.features), np.inf)
        front, moves = self.goal, 0
        while front.size:
            distance[front] = moves
            moves += 1
            reached = np.unique(self.neighbors[front][self.exists[front]])
            front = reached[np.isinf(distance[reached])]
        return distance


# ---------------------------------------------------------------- The network h_theta (Algorithm 2)


def mlp(layers: nn.ModuleList, x: Tensor) -> Tensor:
    for layer in layers[:-1]:
        x = functional.leaky_relu(layer(x))
    return layers[-1](x)


class DeeperGCN(nn.Module):
    """g_i = phi(x_i + sum_j softmax_j(s m_j) m_j), with messages m_j = ReLU(x_j + W e_ij) + eps."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.edge = nn.Linear(2, width, bias=False)  # W
        self.sharpness = nn.Parameter(torch.ones(1))  # s
        self.update = nn.Linear(width, width)  # phi

    def forward(self, node: Tensor, near: Tensor, seen: Tensor) -> Tensor:
        """From embeddings of nodes (B, w) and of their neighbours (B, 8, w) to (B, w)."""
        message = functional.relu(near + self.edge(tensor(MOVES))) + 1e-7
        weight = (self.sharpness * message).masked_fill(~seen[..., None], -1e30).softmax(1)
        return self.update(node + (weight * message * seen[..., None]).sum(1))


class Network(nn.Module):
    """Predicts the distance of new fringe nodes to the goal, given what the search has seen."""

    def __init__(self, width: int, memory: int) -> None:
        super().__init__()
        self.f = nn.ModuleList([nn.Linear(size, width) for size in (6, width, width)])
        self.convolution = DeeperGCN(width)
        self.gru = nn.GRUCell(width, memory)
        sizes = [(memory + 2, width), (width, width), (width, 1)]
        self.out = nn.ModuleList([nn.Linear(before, after) for before, after in sizes])

    def embed(self, maps: Maps, nodes: np.ndarray) -> Tensor:
        """g_i (B, w): the embedding of nodes, which does not depend on the search."""
        # f is computed once per distinct node, whether it occurs as a node or as a neighbour.
        around = np.column_stack([nodes, maps.neighbors[nodes]])
        met, place = np.unique(around, return_inverse=True)
        here, goal = maps.features[met], maps.goal_features[met]
        euclidean = (here - goal).norm(dim=1, keepdim=True)
        cosine = 1 - functional.cosine_similarity(here, goal)[:, None]
        x = mlp(self.f, torch.cat([here, goal, euclidean, cosine], 1))
        x = x.index_select(0, torch.from_numpy(place.ravel())).view(*around.shape, -1)
        return self.convolution(x[:, 0], x[:, 1:], maps.sampled[nodes])

    def value(self, z: Tensor, goal: Tensor) -> Tensor:
        """The predicted distances (B,)."""
        return mlp(self.out, torch.cat([z, goal], 1))[:, 0]


class LearnedHeuristic:
    """h_theta in one search: evaluates V_new and updates the memory."""

    @torch.inference_mode()
    def __init__(self, network: Network, maps: Maps, number: int) -> None:
        nodes = number * maps.cells + np.arange(maps.cells)
        self.network, self.first = network, nodes[0]
        self.embedding, self.goal = network.embed(maps, nodes), maps.goal_features[nodes[:1]]
        self.memory = torch.zeros(1, network.gru.hidden_size)  # z_0

    @torch.inference_mode()
    def __call__(self, new: np.ndarray) -> np.ndarray:
        g = self.embedding[new - self.first]
        z = self.network.gru(g, self.memory.expand(len(new), -1))  # z_(i, t+1), also called g'_i
        self.memory = z.mean(0, keepdim=True)  # z_(t+1)
        return self.network.value(z, self.goal.expand(len(new), -1)).numpy()


# -------------------------------------------------------------------------------- Best-first search

Heuristic = Callable[[np.ndarray], np.ndarray]  # values of new fringe nodes


class Search:
    """Greedy best-first search on one map, with a second queue ordered by the oracle."""

    def __init__(self, maps: Maps, number: int, heuristic: Heuristic) -> None:
        self.maps, self.heuristic = maps, heuristic
        self.start, self.goal = int(maps.start[number]), int(maps.goal[number])
        self.open = [(0.0, 0, self.start)]  # by heuristic value, then by age
        self.oracle = [(0.0, 0, self.start)]  # the same nodes by exact distance
        self.met, self.closed = {self.start}, set()

    def expand(self, queue: list[tuple[float, int, int]]) -> np.ndarray:
        """Move the first node of a queue to CLOSE, and its new neighbours V_new to OPEN."""
        node = heapq.heappop(queue)[2]
        while node in self.closed:  # already taken from the other queue
            node = heapq.heappop(queue)[2]
        self.closed.add(node)
        around = self.maps.neighbors[node][self.maps.exists[node]].tolist()
        new = np.array([other for other in around if other not in self.met], np.int64)
        if new.size:
            for other, value in zip(new.tolist(), self.heuristic(new).tolist(), strict=True):
                self.met.add(other)
                heapq.heappush(self.open, (value, len(self.met), other))
                heapq.heappush(self.oracle, (self.maps.distance[other], len(self.met), other))
        return new


def mean_expansions(maps: Maps, heuristic: Callable[[int], Heuristic]) -> float:
    """|CLOSE| when the goal has been expanded, averaged over all maps."""
    searches = [Search(maps, number, heuristic(number)) for number in range(len(maps.goal))]
    for search in searches:
        while search.goal not in search.closed:
            search.expand(search.open)
    return float(np.mean([len(search.closed) for search in searches]))


def euclidean(maps: Maps, number: int) -> Heuristic:
    """The classical heuristic for comparison."""
    goal = maps.features[maps.goal[number]]
    return lambda new: (maps.features[new] - goal).norm(dim=1).numpy()


# --------------------------------------------------------------------------- Training (Algorithm 1)


Trajectory = tuple[list[np.ndarray], Tensor]  # tau: V_new of each step; z_t before the first step


def roll_out(
    network: Network, maps: Maps, share: float, settings: Settings, random: np.random.Generator
) -> Trajectory:
    """Roll in with the learner, then roll out with the mixture of learner and oracle."""
    number = int(random.integers(len(maps.goal)))
    heuristic = LearnedHeuristic(network, maps, number)
    search = Search(maps, number, heuristic)
    for _ in range(random.integers(settings.horizon - settings.rollout + 1)):
        if search.goal not in search.closed:
            search.expand(search.open)
    memory, steps = heuristic.memory.clone(), []
    for _ in range(settings.rollout):
        steps.append(search.expand(search.oracle if random.random() < share else search.open))
    return steps, memory


def sequence_loss(network: Network, maps: Maps, chosen: list[Trajectory]) -> Tensor:
    """The mean squared error of a batch of trajectories, for backpropagation through time."""
    steps = list(zip(*(new for new, _ in chosen), strict=True))
    nodes = np.concatenate([new for step in steps for new in step])
    embedded = network.embed(maps, nodes).split([sum(map(len, step)) for step in steps])
    memory, pieces = torch.cat([memory for _, memory in chosen]), []
    for g, step in zip(embedded, steps, strict=True):
        owner = torch.from_numpy(np.repeat(np.arange(len(chosen)), [len(new) for new in step]))
        z = network.gru(g, memory[owner])
        pieces.append(z)
        # z_(t+1) is the mean over V_new; if no node was uncovered, the memory is unchanged.
        count = torch.bincount(owner, minlength=len(chosen))[:, None]
        mean = torch.zeros_like(memory).index_add(0, owner, z) / count.clamp(min=1)
        memory = torch.where(count > 0, mean, memory)
    values = network.value(torch.cat(pieces), maps.goal_features[nodes])
    return (values - tensor(maps.distance[nodes])).square().mean()


def train(maps: Maps, validation: Maps, settings: Settings) -> Network:
    """Roll out, aggregate, fit, validate; keep the best network."""
    torch.manual_seed(settings.seed)
    random = np.random.default_rng(settings.seed)
    network = Network(settings.width, settings.memory)
    optimiser = torch.optim.Adam(network.parameters(), lr=settings.learning_rate)
    decay = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, settings.iterations)
    trajectories: list[Trajectory] = []  # D
    best, fewest = network, math.inf
    for i in range(1, settings.iterations + 1):
        for _ in range(settings.rollouts):
            trajectories.append(roll_out(network, maps, settings.beta**i, settings, random))
        for _ in range(settings.steps):
            some = random.permutation(len(trajectories))[: settings.batch]
            loss = sequence_loss(network, maps, [trajectories[k] for k in some])
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            optimiser.step()
        decay.step()
        if i % 3 == 0:
            found = mean_expansions(validation, lambda k: LearnedHeuristic(network, validation, k))
            print(f"iteration {i}: loss {loss.item():.4f}, validation expansions {found:.0f}")
            if found < fewest:
                best, fewest = copy.deepcopy(network), found
    return best


def main(settings: Settings | None = None) -> tuple[float, float]:
    """Train, then search unseen maps; returns mean expansions of PHIL and of greedy Euclidean."""
    torch.set_num_threads(1)
    chosen = settings or Settings()
    maps, validation, test = (
        Maps(generate_maps(chosen.family, count, chosen.seed, split, (chosen.side, chosen.side)))
        for split, count in zip(("train", "validation", "test"), chosen.maps, strict=True)
    )
    network = train(maps, validation, chosen)
    learned = mean_expansions(test, lambda number: LearnedHeuristic(network, test, number))
    classical = mean_expansions(test, lambda number: euclidean(test, number))
    print(f"On unseen maps: PHIL {learned:.0f} expansions, greedy Euclidean {classical:.0f}")
    return learned, classical


if __name__ == "__main__":
    main()
