"""Published comparisons of two scores, to compare with our models."""

from typing import NamedTuple


class PaperResult(NamedTuple):
    source: str
    better: str
    worse: str
    finding: str  # what the paper found, with BLEU scores


PAPER_RESULTS = (
    PaperResult("Luong et al. 2015, Table 4", "dot", "bilinear", "dot 18.6, bilinear 17.3"),
    PaperResult("… unknown words replaced", "dot", "bilinear", "dot 20.5, bilinear 19.1"),
    PaperResult("Britz et al. 2017", "additive", "bilinear", "additive slightly ahead"),
)
