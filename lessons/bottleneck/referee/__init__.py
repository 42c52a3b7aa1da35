"""Experiment `referee`: which claims of this lesson hold?"""

from lessons.bottleneck.referee.claims import CLAIMS
from lessons.kit.referee import referee

EXPERIMENT = referee(CLAIMS)
