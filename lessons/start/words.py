"""The texts of the map, the table of notations and the glossary. In `code marks`, _ is a subscript."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlencode


@dataclass(frozen=True)
class Moment:
    year: str
    what: str
    why: str
    source: str  # citation with an arXiv or DOI link
    lesson: str  # the lesson that teaches it


# parts of a machine translation system before 2014, each built separately
PARTS = (
    (
        "Phrase table",
        (
            "Pairs of short phrases from sentences that were aligned word by word, and how often each pair"
            " occurred."
        ),
    ),
    ("Language model", "Counts of short word sequences in the target language: does the output sound right?"),
    ("Reordering", "The cost of moving a phrase to another position."),
    ("Balance", "The weight of each part, tuned at the end on held-out sentences."),
)


@dataclass(frozen=True)
class Figure:
    """Published scores of a neural translator and of a phrase-based one."""

    year: str
    who: str
    found: str
    source: str
    lesson: str  # the lesson that teaches this kind of network


FIGURES = (
    Figure(
        "2014",
        "Five LSTM networks with one vector per sentence",
        "34.81 BLEU from English to French, compared with 33.30 for a phrase-based baseline. The best system"
        " of"
        " the year was still better.",
        "Sutskever, Vinyals, Le 2014, Table 1 and abstract. arXiv:1409.3215",
        "bottleneck",
    ),
    Figure(
        "2015",
        "One network with attention",
        "26.75 BLEU, compared with 17.82 for the same kind of network with one vector. After longer training:"
        " 28.45, compared with 33.30 for a phrase-based system. On sentences without unknown words: 36.15,"
        " compared with 35.63.",
        "Bahdanau, Cho, Bengio 2015, Table 1: RNNsearch-50, RNNencdec-50, RNNsearch-50⋆ and Moses."
        " arXiv:1409.0473",
        "attention",
    ),
    Figure(
        "2016",
        "Google’s translator",
        "About 60% fewer errors on average than its phrase-based predecessor, when people compared"
        " translations of simple sentences.",
        "Wu et al. 2016, abstract. arXiv:1609.08144",
        "attention",
    ),
)

TIMELINE = (
    Moment(
        "1997",
        "The LSTM",
        "Gates protect a memory cell, so that its gradient neither vanishes nor explodes over many steps.",
        "Hochreiter, Schmidhuber: Long Short-Term Memory. Neural Computation 9(8), 1997,"
        " doi:10.1162/neco.1997.9.8.1735",
        "recurrence",
    ),
    Moment(
        "2014",
        "Encoder, decoder and the GRU",
        "A recurrent encoder and decoder with a new gated cell score the phrases of a phrase-based"
        " translator.",
        "Cho et al.: Learning Phrase Representations using RNN Encoder–Decoder for Statistical Machine"
        " Translation. EMNLP 2014, arXiv:1406.1078",
        "recurrence",
    ),
    Moment(
        "2014",
        "Sequence to sequence",
        "One recurrent network encodes the sentence as one vector; a second one writes the whole translation"
        " from it.",
        "Sutskever, Vinyals, Le: Sequence to Sequence Learning with Neural Networks. NIPS 2014,"
        " arXiv:1409.3215",
        "bottleneck",
    ),
    Moment(
        "2014/15",
        "Additive attention",
        "One vector of fixed size is hard to learn for a long sentence, so the decoder attends to every"
        " source word.",
        "Bahdanau, Cho, Bengio: Neural Machine Translation by Jointly Learning to Align and Translate. ICLR"
        " 2015, arXiv:1409.0473",
        "attention",
    ),
    Moment(
        "2015",
        "Dot and bilinear scores",
        "Simpler scores for attention, compared side by side.",
        "Luong, Pham, Manning: Effective Approaches to Attention-based Neural Machine Translation. EMNLP"
        " 2015, arXiv:1508.04025",
        "scores",
    ),
    Moment(
        "2016",
        "A public translator becomes neural",
        "Google Translate begins to replace its phrase-based system, starting with Chinese to English.",
        "Wu et al.: Google’s Neural Machine Translation System. arXiv:1609.08144; Google Research Blog, 27"
        " September 2016",
        "bottleneck",
    ),
    Moment(
        "2017",
        "The Transformer",
        "A model without recurrence: it reads and writes with attention and positional encodings.",
        "Vaswani et al.: Attention Is All You Need. NIPS 2017, arXiv:1706.03762",
        "transformer",
    ),
)


@dataclass(frozen=True)
class Example:
    """A task that turns one sequence into another. A live example names the model that writes its output."""

    task: str
    source: str
    target: str = ""
    model: str = ""
    lesson: str = ""
    state: Mapping[str, str] = field(default_factory=dict)  # the experiment to open and its controls
    columns: int = 0  # tokens per line of a source that is a picture

    @property
    def query(self) -> str:
        return f"?{urlencode(self.state)}" if self.state else ""


def run_in_bottleneck(task: str, text: str, model: str, option: str) -> Example:
    """An example that opens in the first experiment of lesson `bottleneck`."""
    state = {"experiment": "translate", "task": option, "text": text}
    return Example(task, text, model=model, lesson="bottleneck", state=state)


EXAMPLES = (
    Example(
        "Translation",
        "the black cat did not see the old dog .",
        model="everyday-additive-64-s0",
        lesson="attention",
        state={"experiment": "step", "source": "the black cat did not see the old dog ."},
    ),
    run_in_bottleneck("Pronunciation", "castle", "pronounce-none-128-s0", "word → sounds"),
    Example(
        "A picture into words",
        "·······▖·▐▀▜▝▛·▐·▐···▝▀▀············",
        model="drawings-additive-64-s0",
        lesson="attention",
        state={"experiment": "picture", "drawing": "00000001f21171121101f000000000000000"},
        columns=6,
    ),
    run_in_bottleneck(
        "Parsing",
        "the farmer watched the doctor with the telescope .",
        "parsing-none-128-s0",
        "sentence → tree",
    ),
    run_in_bottleneck("Code generation", "add two to x and print it .", "code-none-128-s0", "command → code"),
    run_in_bottleneck(
        "Summarisation",
        "mira lost her red kite near the barn . paul found it behind the tower .",
        "summaries-none-128-s0",
        "story → summary",
    ),
    run_in_bottleneck(
        "Question answering",
        "lena had a green ring . she lost the ring near the well . leo walked to the well . there he found it"
        " . what colour was the ring ?",
        "answers-none-128-s0",
        "story + question → answer",
    ),
    run_in_bottleneck("Character addition", "27+59", "addition-none-128-s0", "addition"),
    run_in_bottleneck("Written dates", "26 mar '92", "dates-none-64-s0", "dates"),
    run_in_bottleneck("Reversal", "window", "reversal-none-64-s0", "reversal"),
    Example(
        "Dialogue",
        "Is the library open on Sunday ?",
        "Yes , from ten to four .",
        lesson="real",
        state={"experiment": "chat"},
    ),
)

# (symbol in the course, other notations, meaning); lists every symbol once, with a single meaning
ROSETTA = (
    ("`x_t`, `x_1…x_T`", "`y_1…y_T` for the input, in some courses", "source tokens, or their vectors"),
    ("`y_t`, `y_1…y_T′`", "`x_t` for the output, in some courses", "target tokens"),
    ("`h_t`", "`s_t`, in some courses", "hidden state of the encoder, or of the only network"),
    ("`s_t`", "`h_t` of the decoder", "hidden state of the decoder"),
    ("`c`, `c_t`", "`a_t`, attention output, context vector", "the fixed context; the context at step t"),
    (
        "`e_ti`",
        "`e^t_i`, `a(q, k)`, energy, similarity",
        "score of source word i at target step t, before the softmax",
    ),
    ("`α_ti`", "`a_ti`", "attention weight, after the softmax over i"),
    (
        "`t`, `i`, `j`, `w`, `ℓ`",
        "`l`",
        (
            "which step; which source word; which other place, number or head; which word of the vocabulary;"
            " which layer"
        ),
    ),
    ("`T`, `T′`", "`N`, `N_X`; `N_Q`", "how many source words, or rows; how many target words, or queries"),
    ("`m`", "`h`, hidden size", "size of a hidden state"),
    (
        "`d`, `d_1`, `d_2`, `d_3`",
        "`D`, `D_X`, `d_model`",
        "size of a vector; of a key, of a query, inside the additive score",
    ),
    (
        "`d_X`, `d_Q`, `d_K`, `d_V`",
        "`D_X`, `D_Q`, `D_K`, `D_V`",
        "sizes, where they differ: of an input, of a query’s input, of a query or key, of a value",
    ),
    (
        "marks: ˜ ˆ ′ * → ←",
        "",
        (
            "`c̃` changed by you, `ŷ` the model’s own, `c′` another one, `y*` the true one, `→h`, `←h` read"
            " from left, from right"
        ),
    ),
    (
        "`W_hh`, `W_xh`, `b_h`",
        "`W`, `U`, `b`",
        "weights of the recurrence, from the last state and from the input; its bias",
    ),
    ("`W_o`, `b_o`", "`W_hy`, `V`, `b_y`", "the output layer: from a state to all words"),
    ("`W_c`, `b_c`", "", "from context and state to the attentional vector"),
    ("`W_s`, `b_s`", "", "from the fixed context to the decoder’s first state"),
    ("`i_t`, `f_t`, `o_t`", "`Γ_u`, `Γ_f`, `Γ_o`", "gates of an LSTM: input gate, forget gate, output gate"),
    ("`z_t`, `r_t`", "`u_t`; some courses keep `1 − z_t`", "gates of a GRU: update gate, reset gate"),
    ("`g_t`, `n_t`", "`c̃_t`, `h̃_t`", "candidate state: in an LSTM, in a GRU"),
    ("cell", "`c_t`", "the memory of an LSTM"),
    ("`σ`", "sigmoid; some courses write σ for the softmax", "maps any number to one between 0 and 1"),
    ("`∘`", "`⊙`, `*`", "element-wise product"),
    ("`λ`", "", "eigenvalue of `W_hh`"),
    ("`ρ`", "spectral radius", "the factor of one step without input: `|λ|`, or what a gate makes of it"),
    ("`P`, `p_w`", "`p(…)`, `Pr`", "probability; that of word w"),
    ("`L_t`", "`J`", "loss at step t"),
    (
        "`a`, `μ`, `η`, `ε`",
        "",
        "set by you: a scale, the weight of another vector, the size of the noise; and the noise itself",
    ),
    ("`U`", "", "weights of a probe, from its input to all words"),
    ("`G`, `Ĝ`", "`S`; `A`", "gold links between words; the model’s links"),
    ("`Δ`", "", "change"),
    (
        "additive",
        "Bahdanau, concat, MLP, original",
        "`e = v_aᵀ tanh(W_1 h_i + W_2 s)`, the same function as `v_aᵀ tanh(W [h_i ; s])`",
    ),
    ("bilinear", "multiplicative, general, Luong", "`e = sᵀ W h_i`"),
    ("scaled bilinear", "learnable scaled dot product", "`e = h_iᵀ W_g s / √m`"),
    ("dot, scaled dot", "", "`e = sᵀ h_i`, `e = sᵀ h_i / √d`"),
    ("`v_a`", "`v`, `w_v`", "the vector of the additive score"),
    ("`W`, `W_g`", "`W_a`", "the matrix between two vectors in a score"),
    (
        "`W_1`, `W_2`, `b_1`, `b_2`",
        "`U_a`, `W_a`; `W_in`, `W_out`",
        "weights of a small network: additive score, FFN, probe of word i",
    ),
    ("`τ`", "`T`", "temperature"),
    ("`δ_ij`", "", "1 if i is j, else 0"),
    ("query before", "Bahdanau", "score with `s_{t−1}`; `c_t` enters the cell that makes `s_t`"),
    ("query after", "Luong", "score with `s_t`; `[c_t ; s_t]` goes to the output layer"),
    (
        "`q`, `k_i`, `v_i`",
        "",
        "a query, a key, a value; in lessons 3 and 4 `q` is `s_t`, and `k_i` and `v_i` are `h_i`",
    ),
    ("`X`, `H`, `S`, `C`", "", "inputs, encoder states, decoder states, contexts: one per row"),
    ("`X_Q`", "`Q`, before any matrix", "the inputs of the queries, where they are not `X`"),
    ("`M`, `κ_j`", "", "fixed weights between positions: any table, a window"),
    (
        "`Q`, `K`, `V`, `E`, `A`, `Y`",
        "`Y` is `C` or `Z` elsewhere",
        "`E = Q Kᵀ / √d`, `A = softmax_rows(E)`, `Y = A V`",
    ),
    (
        "`W_Q`, `W_K`, `W_V`, `W_O`",
        "`W^Q`, …",
        "learned matrices: they make `Q`, `K` and `V`, and mix the heads",
    ),
    ("`n_head`, `d_head`", "`h`, `H`; `d_k`", "number of heads; size of each"),
    ("`PE`", "`P`", "positional encoding, added to the embeddings"),
    ("`Π`", "`π`, `P`", "a permutation of the positions"),
    ("`I`", "", "the identity: `I x = x`"),
    ("`d_ff`", "`d_ff`", "hidden size of the position-wise feed-forward network (FFN)"),
    ("`γ`, `β`", "", "learned stretch and shift of a norm"),
    (
        "`W_gate`, `W_up`, `W_down`",
        "",
        "weights of a gated feed-forward network: the gate, the layer it multiplies, and the way back to d",
    ),
    ("`u_w`", "`z_w`, `l_w`", "logit of word w"),
    ("`θ`", "", "repetition penalty"),
    ("`k`, `p`", "", "what is kept: dimensions of `c`, words by top-k; the probability that top-p keeps"),
    ("`n`", "`N`", "number of draws, or of words in a row"),
)
ROLES = {  # role (determines the colour) → its symbols
    "source": "xhK",
    "target": "ysQ",
    "weight": "αA",
    "context": "cVY",
}

# term → (the lesson that teaches it, a one-sentence definition)
GLOSSARY = {
    "ablation": (
        "transformer",
        "Switching off one part of a model to see what it is needed for: zero ablation, mean ablation.",
    ),
    "AER": (
        "attention",
        "Alignment error rate: how far the attention map is from the gold links between words; 0 is perfect.",
    ),
    "alignment": ("attention", "Which source words each target word comes from."),
    "attention": (
        "attention",
        "A weighted mean of many vectors, with weights that are computed at every step.",
    ),
    "attention weight": (
        "attention",
        "How much one source word counts in the context of one step; the weights of a step add up to 1.",
    ),
    "backpropagation": (
        "recurrence",
        "The chain rule from the loss back to all weights: how the gradient is computed.",
    ),
    "Bahdanau attention": (
        "attention",
        "Attention whose query is the previous decoder state `s_{t−1}`; the context is an input of the cell.",
    ),
    "batch": ("training", "The examples of one training step; the gradient is the mean over them."),
    "beam": ("decoding", "The best unfinished hypotheses that a search keeps; its width is their number."),
    "bidirectional": (
        "bottleneck",
        "Reading a sequence from both ends: each state knows the words before and after it.",
    ),
    "BOS and EOS": ("bottleneck", "Two special tokens that mark the beginning and the end of a sequence."),
    "bottleneck": (
        "bottleneck",
        "The single vector that must carry a whole sentence: limited by the size of `c`, and hard to learn.",
    ),
    "byte-pair encoding": (
        "basics",
        "Builds pieces of words by joining the most frequent pair of pieces, again and again.",
    ),
    "causal mask": ("qkv", "The mask that hides the future, so that no position attends to later ones."),
    "cell state": (
        "recurrence",
        "The memory of an LSTM, which the forget gate keeps and the input gate changes.",
    ),
    "clamp": ("recurrence", "To hold a number at a fixed value while the rest of the model runs on."),
    "cliff": ("bottleneck", "Our word for the length at which most sentences begin to go wrong."),
    "context": (
        "bottleneck",
        "What the decoder knows of the source: one fixed `c`, or, with attention, a new `c_t` at each step.",
    ),
    "context vector": (
        "bottleneck",
        "The vector that the decoder reads the source from: one fixed `c`, or a new `c_t` at each step.",
    ),
    "cosine": (
        "basics",
        "The dot product of two vectors divided by their lengths: 1 for one direction, 0 for a right angle.",
    ),
    "cross-attention": (
        "qkv",
        "Attention from one sequence to another: queries from the target, keys and values from the source.",
    ),
    "cross-entropy": (
        "basics",
        "The mean surprisal of the true tokens: the loss of a model that gives probabilities.",
    ),
    "decoder": ("bottleneck", "The part of the model that writes the output, token by token."),
    "dimension": ("basics", "How many numbers a vector has; also one of these numbers."),
    "disambiguating word": ("qkv", "The word that tells which meaning of an ambiguous word is right."),
    "diverged": ("training", "A training run has diverged if its loss is infinite or not a number (NaN)."),
    "dropout": (
        "training",
        "Leaving out random units in each training step, so that the network relies on no single unit.",
    ),
    "eigenvalue": (
        "recurrence",
        "A factor `λ` of a matrix: there is a direction in which the matrix only multiplies by `λ`.",
    ),
    "echo": ("recurrence", "Our word for what one input leaves in the states of the steps after it."),
    "embedding": ("basics", "The vector of a token, learned like every other weight."),
    "encoder": ("bottleneck", "The part of the model that reads the input."),
    "epoch": ("training", "One pass of training over all training examples."),
    "exact match": ("bottleneck", "The fraction of sentences without a single error."),
    "feed-forward network": (
        "transformer",
        "Layers without recurrence or attention; in a Transformer, the same one at every position.",
    ),
    "forget gate": (
        "recurrence",
        "The gate `f` of an LSTM, which sets how much of the old cell state stays.",
    ),
    "gate": (
        "recurrence",
        "A number between 0 and 1 that decides how much passes, such as the input, forget and output gate.",
    ),
    "gold": (
        "attention",
        "Known to be correct: a gold link joins two words that our grammar made as a translation pair.",
    ),
    "gradient": ("basics", "How the loss changes with each weight; training moves the weights against it."),
    "greedy": ("decoding", "Decoding that always takes the likeliest next token."),
    "GRU": (
        "recurrence",
        "Gated recurrent unit: a recurrent cell with two gates, the update gate and the reset gate.",
    ),
    "head": ("qkv", "One of several attentions in parallel, each with its own queries, keys and values."),
    "hidden state": (
        "recurrence",
        "The memory of a recurrent network: a vector computed from the last state and the new input.",
    ),
    "hypothesis": ("decoding", "One candidate output of a search, finished or not, with its probability."),
    "input gate": (
        "recurrence",
        "The gate `i` of an LSTM, which sets how much of the candidate enters the cell state.",
    ),
    "Jensen–Shannon divergence": (
        "attention",
        "How different two distributions are: 0 nats if they are equal, at most ln 2 nats.",
    ),
    "key": ("qkv", "The vector of a position with which queries are compared."),
    "KV cache": (
        "real",
        "The stored keys and values of earlier tokens, so that each new token needs only one step.",
    ),
    "language model": ("recurrence", "A model that gives every possible next token a probability."),
    "layer norm": (
        "transformer",
        "Brings a vector to mean 0 and standard deviation 1, then applies a learned scale and shift.",
    ),
    "learning rate": ("basics", "The factor by which the gradient is multiplied in a training step."),
    "learning-rate decay": (
        "training",
        "Making the learning rate smaller towards the end of a training run.",
    ),
    "linear probe": (
        "bottleneck",
        "A linear layer trained to read one fact from a model’s states, while the model stays as it is.",
    ),
    "logit bias": (
        "decoding",
        "A number that you add to the logit of a token, to make it more or less probable or to ban it.",
    ),
    "logits": ("basics", "The scores of all tokens, which the softmax turns into probabilities."),
    "loss": ("basics", "How surprised the model is by the right answer; training makes it smaller."),
    "LSTM": (
        "recurrence",
        "Long short-term memory: a recurrent cell with a cell state and three gates (input, forget, output).",
    ),
    "Luong attention": (
        "attention",
        "Attention whose query is the current decoder state `s_t`; the context goes to the output layer.",
    ),
    "mask": ("qkv", "Marks positions that must not be attended to; their weight becomes 0."),
    "masked-word prediction": ("qkv", "Predicting a missing word from the words on both sides of it."),
    "mean ablation": ("transformer", "Replacing the output of a part by its mean over many sentences."),
    "memorise": ("training", "To learn single examples instead of a rule that also holds for unseen ones."),
    "n-gram": ("decoding", "A sequence of n tokens; a bigram has two tokens."),
    "n-gram blocking": ("decoding", "Forbidding every token that would repeat an n-gram of the output."),
    "nats": ("basics", "The unit of surprisal with the natural logarithm, −ln P: 1 nat is 1.44 bits."),
    "one-hot": ("basics", "A vector with a 1 at the index of a token, and 0 elsewhere."),
    "output gate": (
        "recurrence",
        "The gate `o` of an LSTM, which sets how much of the cell state is visible in `h`.",
    ),
    "overfitting": ("training", "Memorising the training examples: right on these, wrong on unseen ones."),
    "parameter": ("qkv", "A number that training sets, such as one entry of a weight matrix."),
    "perplexity": (
        "basics",
        "How many equally probable tokens would make the model as unsure; 1 means certain.",
    ),
    "position-wise": (
        "transformer",
        "Applied to each position separately, with the same weights everywhere.",
    ),
    "positional encoding": (
        "qkv",
        "A pattern of numbers that is added to each embedding and encodes its position.",
    ),
    "post-norm": (
        "transformer",
        "Norm(x + block(x)): the output of a block is added to the stream, and the sum is normalised.",
    ),
    "pre-norm": (
        "transformer",
        "x + block(Norm(x)): a block reads the normalised stream and adds its output to the stream.",
    ),
    "prompt": ("decoding", "The text that a language model continues."),
    "query": ("qkv", "The vector that is compared with every key."),
    "recurrence": ("recurrence", "The same cell is applied at every step, with its last state as an input."),
    "referee": (
        "bottleneck",
        "Our word for the test that says which claims of a lesson hold for new sentences and seeds.",
    ),
    "reset gate": (
        "recurrence",
        "The gate `r` of a GRU, which sets how much of the old state enters the candidate.",
    ),
    "residual": (
        "transformer",
        "A connection that adds a block’s input to its output, so the block only has to learn the change.",
    ),
    "residual stream": (
        "transformer",
        "The vector of a position on its way through the layers; each block reads it and adds its output.",
    ),
    "score": ("scores", "A number for how well a query and a key match, before the softmax."),
    "seed": (
        "decoding",
        "The number that starts a random generator; training again with another seed gives other weights.",
    ),
    "self-attention": (
        "qkv",
        "Attention of a sequence to itself: queries, keys and values all come from the same words.",
    ),
    "softmax": (
        "basics",
        "Turns any numbers into probabilities that add up to 1; a larger number gets a larger one.",
    ),
    "spectral radius": (
        "recurrence",
        "The largest |λ| of a matrix: below 1 an echo fades in the long run, above 1 it can grow.",
    ),
    "step": (
        "recurrence",
        "One use of a recurrent cell, to read or write one token; a training step updates all weights once.",
    ),
    "surprisal": ("basics", "−log₂ P of what happened, in bits: one more bit for every halving of P."),
    "teacher forcing": (
        "bottleneck",
        "In training, the decoder is fed the right previous token, not the one it wrote itself.",
    ),
    "temperature": (
        "basics",
        "The divisor of the scores before the softmax; a high one makes the probabilities more even.",
    ),
    "token": ("basics", "One item of a sequence: a word, a mark, a character, or a piece of a word."),
    "top-k": ("decoding", "Sampling only from the k most likely tokens."),
    "top-p": (
        "decoding",
        "Sampling only from the fewest tokens whose probabilities add up to p; also called nucleus sampling.",
    ),
    "total variation distance": (
        "recurrence",
        "Half of the sum of all differences between two distributions: the probability that has moved.",
    ),
    "training step": ("training", "One update of all weights, computed from one batch."),
    "unidirectional": (
        "attention",
        "Reading a sequence from left to right only: each state knows the words up to its own.",
    ),
    "unseen": ("basics", "Not in the training data."),
    "untrained": ("recurrence", "With the random weights from before the first training step."),
    "update gate": (
        "recurrence",
        "The gate `z` of a GRU, which sets how much of the old state stays; the candidate fills the rest.",
    ),
    "value": ("qkv", "The vector of a position that attention averages, multiplied by its weight."),
    "vanishing gradient": (
        "recurrence",
        "A gradient that shrinks at every step back, until nothing is learned from early words.",
    ),
    "vocabulary": ("basics", "All tokens that a model can read and write."),
    "warm-up": (
        "training",
        "A learning rate that grows from small to full in the first steps of a training.",
    ),
    "weight decay": ("training", "Pulls every weight towards 0 in each training step, against overfitting."),
    "zero ablation": ("transformer", "Replacing the output of a part by zeros."),
}

# everyday words; they are linked as terms only from the lesson that teaches them onwards
EVERYDAY = {"context", "head", "key", "mask", "query", "score", "value"}
# words that mean something else in other lessons; they are linked only in the lesson that teaches them
AMBIGUOUS = {"value", "cliff", "echo"}
