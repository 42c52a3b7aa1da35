"""Seq2See. `python app.py` serves the page.

The lessons are not here yet; the page shows what they will stand on: every trained model, with the figures of its card.
"""

import gradio as gr
import pandas as pd
import torch

from models import zoo


def models_table() -> pd.DataFrame:
    """One row a model: what it is, and how good it is on sentences it never saw."""
    rows = []
    for name, card in zoo.cards().items():
        natural = card.metrics["natural"]
        rows.append(
            {
                "model": name,
                "task": card.task,
                "parameters": card.parameters,
                "training (s)": card.seconds,
                "all right": natural.get("exact_match", natural.get("accuracy")),  # whole sentences, or senses
                "AER": natural.get("aer"),
                "perplexity": natural.get("perplexity"),
            }
        )
    return pd.DataFrame(rows)


def build_app() -> gr.Blocks:
    with gr.Blocks(title="Seq2See") as page:
        gr.Markdown(
            "# Seq2See\nWatch a sequence model think. These are the trained models that the lessons will open up; "
            "“all right” is the share of new sentences without a single mistake."
        )
        gr.Dataframe(models_table(), interactive=False, show_search="filter")
    return page


def main() -> None:
    torch.set_num_threads(1)  # sentences are small; a second thread only waits
    build_app().launch()


if __name__ == "__main__":
    main()
