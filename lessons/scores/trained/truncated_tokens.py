"""Token lines of which the picture shows only the beginning."""

from dataclasses import dataclass

from pandas import DataFrame

from lessons.kit.pictures.tokens import Tokens


@dataclass(frozen=True)
class TruncatedTokens(Tokens):
    """Token lines truncated in the picture but not in the data, because a model may never stop writing."""

    full: Tokens

    def frame(self) -> DataFrame:
        return self.full.frame()
