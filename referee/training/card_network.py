"""The card classifiers: small two-headed convolutional networks on straightened crops of cards and corners."""

from __future__ import annotations

from torch import Tensor, nn

from referee.training.crops import COLOURS, SYMBOLS
from referee.training.sign_crops import SIGNS


def _block(inputs: int, outputs: int, stride: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False), nn.BatchNorm2d(outputs), nn.ReLU(inplace=True)
    )


class CardNetwork(nn.Module):
    """Crops (n, 3, 96, 64) RGB 0..1 -> logits of symbols (n, len(SYMBOLS)) and colours (n, len(COLOURS))."""

    def __init__(self) -> None:
        super().__init__()
        self.features = nn.Sequential(
            _block(3, 24, 2),
            _block(24, 32),
            _block(32, 64, 2),
            _block(64, 64),
            _block(64, 96, 2),
            _block(96, 128),
            _block(128, 128),
            nn.AvgPool2d(2),
        )
        self.trunk = nn.Sequential(nn.Flatten(), nn.Dropout(0.2), nn.Linear(128 * 6 * 4, 128), nn.ReLU(inplace=True))
        self.symbol = nn.Linear(128, len(SYMBOLS))
        self.colour = nn.Linear(128, len(COLOURS))

    def forward(self, crops: Tensor) -> tuple[Tensor, Tensor]:
        """Logits of symbols and colours."""
        trunk = self.trunk(self.features(crops - 0.5))
        return self.symbol(trunk), self.colour(trunk)


class SignNetwork(nn.Module):
    """Corners (n, 3, 56, 48) RGB 0..1 -> logits of signs (n, len(SIGNS)) and colours (n, len(COLOURS))."""

    def __init__(self) -> None:
        super().__init__()
        self.features = nn.Sequential(
            _block(3, 24, 2), _block(24, 32), _block(32, 64, 2), _block(64, 64), _block(64, 96, 2), _block(96, 96)
        )
        self.trunk = nn.Sequential(nn.Flatten(), nn.Dropout(0.2), nn.Linear(96 * 7 * 6, 96), nn.ReLU(inplace=True))
        self.symbol = nn.Linear(96, len(SIGNS))
        self.colour = nn.Linear(96, len(COLOURS))

    def forward(self, crops: Tensor) -> tuple[Tensor, Tensor]:
        """Logits of signs and colours."""
        trunk = self.trunk(self.features(crops - 0.5))
        return self.symbol(trunk), self.colour(trunk)


def parameters_of(network: nn.Module) -> int:
    """Number of trained numbers in a network."""
    return sum(p.numel() for p in network.parameters())
