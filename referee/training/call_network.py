"""The call spotter: a small network of separable convolutions on the log-mel picture of 1.12 s of sound."""

from __future__ import annotations

from torch import Tensor, cat, nn

from referee.hearing.features import BANDS, FRAMES


class _Separable(nn.Module):
    """Each band pattern by itself, then mixed; added to what came in where the shapes agree."""

    def __init__(self, inputs: int, outputs: int, kernel: tuple[int, int], stride: tuple[int, int] = (1, 1)) -> None:
        super().__init__()
        padding = (kernel[0] // 2, kernel[1] // 2)
        self.same = inputs == outputs and stride == (1, 1)
        self.path = nn.Sequential(
            nn.Conv2d(inputs, inputs, kernel, stride, padding, groups=inputs, bias=False),
            nn.BatchNorm2d(inputs),
            nn.Conv2d(inputs, outputs, 1, bias=False),
            nn.BatchNorm2d(outputs),
        )
        self.cut = nn.ReLU(inplace=True)

    def forward(self, x: Tensor) -> Tensor:
        """Same form, stride apart."""
        y = self.path(x)
        z: Tensor = self.cut(x + y) if self.same else self.cut(y)
        return z


class CallNetwork(nn.Module):
    """Windows (n, 1, 40, FRAMES), levelled -> logits (n, classes)."""

    def __init__(self, classes: int) -> None:
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, 24, 5, 2, 2, bias=False),
            nn.BatchNorm2d(24),
            nn.ReLU(inplace=True),
            _Separable(24, 40, (3, 3), (2, 2)),
            _Separable(40, 40, (3, 3)),
            _Separable(40, 40, (3, 3)),
            _Separable(40, 72, (3, 3), (2, 2)),
            _Separable(72, 72, (3, 3)),
            _Separable(72, 72, (3, 3)),
            nn.Conv2d(72, 128, (BANDS // 8, 1), bias=False),  # all bands of a moment
            nn.BatchNorm2d(128),
            nn.ReLU(inplace=True),
            _Separable(128, 128, (1, 5)),
            _Separable(128, 128, (1, 5)),
        )
        self.mean = nn.AvgPool2d((1, FRAMES // 8))
        self.most = nn.MaxPool2d((1, FRAMES // 8))
        self.head = nn.Sequential(nn.Flatten(), nn.Dropout(0.15), nn.Linear(256, classes))

    def forward(self, windows: Tensor) -> Tensor:
        """Logits."""
        x = self.features(windows)
        logits: Tensor = self.head(cat([self.mean(x), self.most(x)], 1))
        return logits
