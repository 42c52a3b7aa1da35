"""Colours by role. They are the same in all pictures and suit colour-blind readers."""

ROLES = {
    "source": ("#0072B2", "#56B4E9"),  # source, encoder, keys, inputs
    "target": ("#C04F00", "#FF8A3D"),  # target, decoder, queries, outputs
    "weight": ("#007A5A", "#2EC4A0"),  # attention weights, probabilities
    "context": ("#8E5EA2", "#C79BD8"),  # context, values
    "gold": ("#E69F00", "#FFC04D"),  # reference: dashed outline, never fill
    "plus": ("#C62828", "#FF7961"),  # positive activations: red; opacity shows the size
    "minus": ("#1565C0", "#64A8FF"),  # negative activations: blue
    "paper": ("#FFFFFF", "#0F172A"),
    "ink": ("#1E293B", "#E2E8F0"),
    "quiet": ("#5B6779", "#9AA8BC"),  # axes, secondary words
    "line": ("#D5DCE6", "#334155"),  # rules and grids
}
SERIES = ("source", "target", "weight", "context", "gold", "quiet")  # curves, in order
# role of each TeX macro, which sets its colour
EQUATION_ROLES = {"src": "source", "tgt": "target", "att": "weight", "ctx": "context"}
LIGHT = {role: tones[0] for role, tones in ROLES.items()}


def variables(theme: int) -> str:
    """CSS custom properties for a theme: 0 is light, 1 is dark."""
    return "".join(f"--{role}:{tones[theme]};" for role, tones in ROLES.items())
