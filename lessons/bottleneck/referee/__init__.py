"""Experiment `referee`: the claims of this lesson, tested."""

from lessons.bottleneck.referee.claims import CLAIMS
from lessons.kit.referee import referee

EXPERIMENT = referee(CLAIMS)
