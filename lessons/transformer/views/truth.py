"""✓ or ✗ behind what the model wrote, where the truth is known."""

Words = tuple[str, ...]


def mark(right: bool | None) -> str:
    return "" if right is None else "✓" if right else "✗"


def verdict(right: bool | None, truth: Words | None) -> str:
    """A sentence about the whole translation, or nothing where nobody knows."""
    if right is None or truth is None:
        return ""
    return (
        " The translation is right ✓."
        if right
        else f" The translation is wrong ✗, it should be “{' '.join(truth)}”."
    )
