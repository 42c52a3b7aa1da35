"""The translators of this lesson: one for each place where the query can come from."""

WIRINGS = {"query after": "translation-additive-64-s0", "query before": "translation-before-64-s0"}
ADDITIVE = WIRINGS["query after"]
