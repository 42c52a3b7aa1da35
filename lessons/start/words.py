"""When it was found, what it is good for, how others write it, and what the words mean. In `code marks`, _ is a subscript."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Moment:
    year: str
    what: str
    why: str
    source: str  # with an address: arXiv or DOI
    lesson: str  # that opens it up


# a translator before 2014: its parts, each made on its own
PARTS = (
    (
        "Phrase table",
        (
            "Pairs of short stretches of words, cut out of sentences aligned word by word, with how often"
            " each was seen."
        ),
    ),
    ("Language model", "Counts of a few words in a row in the target language: does the output read well?"),
    ("Reordering", "What it costs when a phrase does not stay in its place."),
    ("Balance", "How much each part counts, tuned last of all, on sentences set apart."),
)


@dataclass(frozen=True)
class Figure:
    """A neural translator against a phrase-based one, as published."""

    year: str
    who: str
    found: str
    source: str
    lesson: str  # that opens up such a network


FIGURES = (
    Figure(
        "2014",
        "Five LSTM networks together, one vector per sentence",
        "34.81 BLEU against 33.30 of a phrase-based baseline, English to French. The best system of the year"
        " was still ahead.",
        "Sutskever, Vinyals, Le 2014, Table 1 and abstract. arXiv:1409.3215",
        "bottleneck",
    ),
    Figure(
        "2015",
        "One network with attention",
        "26.75 BLEU against 17.82 of the same kind of network with one vector. Trained longer it reaches"
        " 28.45 against 33.30 of a phrase-based system, and 36.15 against 35.63 on the sentences without"
        " unknown words.",
        "Bahdanau, Cho, Bengio 2015, Table 1: RNNsearch-50, RNNencdec-50, RNNsearch-50⋆ and Moses."
        " arXiv:1409.0473",
        "attention",
    ),
    Figure(
        "2016",
        "Google’s translator",
        "About 60% fewer errors, on average, than its phrase-based forerunner, as people scored simple"
        " sentences side by side.",
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
        "A recurrent encoder and decoder, with a new gated cell, score the phrases of a phrase-based"
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
        "Passing a long sentence through one vector of fixed size is hard to learn, so the decoder attends to"
        " every source word.",
        "Bahdanau, Cho, Bengio: Neural Machine Translation by Jointly Learning to Align and Translate. ICLR"
        " 2015, arXiv:1409.0473",
        "attention",
    ),
    Moment(
        "2015",
        "Dot and bilinear scores",
        "Shorter formulas for where to look, compared side by side.",
        "Luong, Pham, Manning: Effective Approaches to Attention-based Neural Machine Translation. EMNLP"
        " 2015, arXiv:1508.04025",
        "scores",
    ),
    Moment(
        "2016",
        "A public translator turns neural",
        "Google Translate begins to replace its phrase-based system, starting with Chinese to English.",
        "Wu et al.: Google’s Neural Machine Translation System. arXiv:1609.08144; Google Research Blog, 27"
        " September 2016",
        "bottleneck",
    ),
    Moment(
        "2017",
        "The Transformer",
        "The recurrence goes; attention, with a way to tell positions apart, does the reading and the"
        " writing.",
        "Vaswani et al.: Attention Is All You Need. NIPS 2017, arXiv:1706.03762",
        "transformer",
    ),
)


@dataclass(frozen=True)
class Example:
    """Something that turns one sequence into another. A live one names the model that writes the output, and where to run it."""

    task: str
    source: str
    target: str = ""
    model: str = ""
    lesson: str = ""


EXAMPLES = (
    Example(
        "Translation",
        "the black cat did not see the old dog .",
        model="translation-additive-64-s0",
        lesson="attention",
    ),
    Example("Character addition", "27+59", model="addition-none-128-s0", lesson="bottleneck"),
    Example("Written dates", "26 mar '92", model="dates-none-64-s0", lesson="bottleneck"),
    Example("Reversal", "window", model="reversal-none-64-s0", lesson="bottleneck"),
    Example(
        "Summarisation",
        "The council met for three hours , heard forty speakers and put off the vote on the bridge until"
        " May .",
        "Bridge vote put off until May .",
    ),
    Example("Dialogue", "Is the library open on Sunday ?", "Yes , from ten to four ."),
    Example("Parsing", "the cat sees a dog", "(S (NP the cat ) (VP sees (NP a dog ) ) )"),
    Example(
        "Code generation", "add up the even numbers in a list", "sum ( n for n in numbers if n % 2 == 0 )"
    ),
)

# (in the app, also written, meaning); every symbol of an equation is here, and stands for one thing
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
    ("`m`", "`h`, hidden size", "how many numbers a hidden state has"),
    (
        "`d`, `d_1`, `d_2`, `d_3`",
        "`D`, `D_X`, `d_model`",
        "how many numbers a vector has; a key, a query, inside the additive score",
    ),
    (
        "`d_X`, `d_Q`, `d_K`, `d_V`",
        "`D_X`, `D_Q`, `D_K`, `D_V`",
        "the same, where they differ: of an input, of a row that asks, of a query or key, of a value",
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
    ("`W_s`, `b_s`", "", "from the fixed context to the decoder’s first state"),
    ("`i_t`, `f_t`, `o_t`", "`Γ_u`, `Γ_f`, `Γ_o`", "gates of an LSTM: let in, keep, let out"),
    ("`z_t`, `r_t`", "`u_t`; some courses keep `1 − z_t`", "gates of a GRU: keep, read back"),
    ("`g_t`, `n_t`", "`c̃_t`, `h̃_t`", "candidate, what a step would write: in an LSTM, in a GRU"),
    ("cell", "`c_t`", "the memory of an LSTM"),
    ("`σ`", "sigmoid; some courses write σ for the softmax", "takes any number to one between 0 and 1"),
    ("`∘`", "`⊙`, `*`", "product, number by number"),
    ("`λ`", "", "eigenvalue of `W_hh`"),
    ("`ρ`", "spectral radius", "the factor of one silent step: `|λ|`, or what a gate makes of it"),
    ("`P`, `p_w`", "`p(…)`, `Pr`", "probability; that of word w"),
    ("`L_t`", "`J`", "loss at step t"),
    (
        "`a`, `μ`, `η`, `ε`",
        "",
        "what you set by hand: scale, share of the other, loudness of the noise; and the noise",
    ),
    ("`U`", "", "from what the probe reads to all words"),
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
        "weights of a small network: additive score, FC, probe of word i",
    ),
    ("`τ`", "`T`", "temperature"),
    ("`δ_ij`", "", "1 if i is j, else 0"),
    ("query before", "Bahdanau wiring", "score with `s_{t−1}`; `c_t` enters the cell that makes `s_t`"),
    ("query after", "Luong wiring", "score with `s_t`; `[c_t ; s_t]` goes to the output layer"),
    (
        "`q`, `k_i`, `v_i`",
        "",
        "a query, a key, a value; in lessons 3 and 4 `q` is `s_t`, and `k_i` and `v_i` are `h_i`",
    ),
    ("`X`, `H`, `S`, `C`", "", "inputs, states of the encoder, of the decoder, contexts: one in each row"),
    ("`X_Q`", "`Q`, before any matrix", "the rows that ask, where they are not `X` itself"),
    ("`M`, `κ_j`", "", "fixed weights between places: any table, a window"),
    (
        "`Q`, `K`, `V`, `E`, `A`, `Y`",
        "`Y` is `C` or `Z` elsewhere",
        "`E = Q Kᵀ / √d`, `A = softmax_rows(E)`, `Y = A V`",
    ),
    ("`W_Q`, `W_K`, `W_V`, `W_O`", "`W^Q`, …", "learned: what makes `Q`, `K` and `V`; what mixes the heads"),
    ("`n_head`, `d_head`", "`h`, `H`; `d_k`", "how many heads; how many numbers each has"),
    ("`PE`", "`P`", "positions, as numbers that are added"),
    ("`Π`", "`π`, `P`", "another order"),
    ("`I`", "", "the identity: `I x = x`"),
    ("`d_FC`", "`d_ff`", "how many numbers the point-wise FC has inside"),
    ("`γ`, `β`", "", "learned stretch and shift of a norm"),
    ("`u_w`", "`z_w`, `l_w`", "logit of word w"),
    ("`θ`", "", "repetition penalty"),
    ("`k`, `p`", "", "how many are kept: numbers of `c`, words by top-k; how much probability top-p keeps"),
    ("`n`", "`N`", "how many draws, or words in a row"),
)
ROLES = {  # the colours of LOOK, by symbol
    "source": "xhK",
    "target": "ysQ",
    "weight": "αA",
    "context": "cVY",
}

# term → (the lesson where it is taught, one sentence)
GLOSSARY = {
    "AER": ("attention", "Alignment error rate: how far the attention map is from the gold links between words; 0 is perfect."),
    "alignment": ("attention", "Which source words each target word comes from."),
    "attention": ("attention", "A weighted look at many vectors at once, with weights worked out anew at every step."),
    "attention weight": ("attention", "The share of the look that one source word gets; the weights of one step add up to 1."),
    "beam": ("decoding", "The few best unfinished sentences that are kept while searching; its width says how many."),
    "BOS and EOS": ("bottleneck", "Two tokens that are no words: begin writing, and this is the end."),
    "bottleneck": ("bottleneck", "One vector for a whole sentence: bounded by the size of `c`, and hard to learn."),
    "byte-pair encoding": ("basics", "Splits a text into pieces by joining, again and again, the most frequent pair of pieces."),
    "causal mask": ("qkv", "The mask that hides the future, so that no position can look at words still to be written."),
    "context": ("bottleneck", "What the decoder knows of the source: one fixed `c`, or, with attention, a new `c_t` at each step."),
    "cosine": ("basics", "The dot product of two vectors divided by their lengths: 1 for the same direction, 0 for a right angle."),
    "cross-attention": ("qkv", "Attention from one sequence to another: queries from the target, keys and values from the source."),
    "cross-entropy": ("basics", "The mean surprisal of the true tokens: the loss of a model that gives probabilities."),
    "decoder": ("bottleneck", "The half of the model that writes the output, token by token."),
    "dropout": ("training", "Leaving units out at random in each step of training, so that none can be relied on alone."),
    "embedding": ("basics", "The list of numbers that stands for a token, learned like every other weight."),
    "encoder": ("bottleneck", "The half of the model that reads the input."),
    "exact match": ("bottleneck", "The share of sentences that come out without a single mistake."),
    "gate": ("recurrence", "A number between 0 and 1 that says how much may pass: let in, kept or let out."),
    "gradient": ("basics", "How much the result would move if a number moved a little; training follows it downhill."),
    "greedy": ("decoding", "Always take the most likely next token, and never look back."),
    "head": ("qkv", "One of several attentions side by side, each with its own queries, keys and values."),
    "hidden state": ("recurrence", "The network’s memory at one step: a vector made from the last state and the new input."),
    "key": ("qkv", "The vector by which a position can be found: queries are compared with it."),
    "language model": ("recurrence", "A model that gives every possible next token a probability."),
    "layer norm": ("transformer", "Shifts and scales a vector to mean 0 and spread 1, then lets learned weights stretch it again."),
    "learning rate": ("basics", "How far a training step goes along the slope: the factor of the gradient."),
    "logits": ("basics", "The raw scores of all tokens, before the softmax makes probabilities of them."),
    "loss": ("basics", "How surprised the model is by the right answer; training makes it smaller."),
    "mask": ("qkv", "Marks positions that must not be looked at; their weight becomes 0."),
    "masked-word prediction": ("qkv", "Filling in a word that was left out, from the words on both sides of it."),
    "one-hot": ("basics", "A vector with a 1 at one place, the number of a token, and 0 elsewhere."),
    "overfitting": ("training", "Learning the examples by heart: right on what was trained on, wrong on what is new."),
    "parameter": ("qkv", "A number that training sets, such as one entry of a weight matrix."),
    "perplexity": ("basics", "How many equally likely tokens the model’s doubt is worth, on average; 1 means no doubt at all."),
    "positional encoding": ("qkv", "A pattern of numbers added to each embedding that says where it stands."),
    "post-norm": ("transformer", "Norm(x + block(x)): a block’s result is added to the stream, and the sum is normed."),
    "pre-norm": ("transformer", "x + block(Norm(x)): a block reads the stream normed, and adds to it unnormed."),
    "query": ("qkv", "The vector that asks: it is compared with every key."),
    "recurrence": ("recurrence", "The same cell applied at every step, fed with its own last state."),
    "residual": ("transformer", "A shortcut that adds a block’s input to its output, so the block only has to learn the change."),
    "score": ("scores", "One number that says how well a query and a key go together, before the softmax."),
    "seed": ("decoding", "The number that fixes all chance: same seed, same result."),
    "self-attention": ("qkv", "Attention of a sequence to itself: queries, keys and values all come from the same words."),
    "softmax": ("basics", "Turns any numbers into positive shares that add up to 1; larger numbers get more."),
    "spectral radius": ("recurrence", "How much a matrix stretches in the long run: below 1 an echo fades, above 1 it can grow."),
    "surprisal": ("basics", "The negative logarithm of the probability of what happened, in bits: one more bit for every halving."),
    "teacher forcing": ("bottleneck", "In training, the decoder is fed the right previous token, not the one it wrote itself."),
    "temperature": ("basics", "What scores are divided by before the softmax: low makes it sharp, high makes it even."),
    "token": ("basics", "One item of a sequence: a word, a mark, a character, or a piece of a word."),
    "top-k": ("decoding", "Keep only the k most likely tokens before sampling."),
    "top-p": ("decoding", "Keep the fewest tokens whose probabilities together reach p, then sample; also called nucleus."),
    "value": ("qkv", "The vector that a position hands over, as much of it as its weight says."),
    "vanishing gradient": ("recurrence", "A gradient that shrinks at every step back, until early words no longer teach anything."),
    "vocabulary": ("basics", "All tokens a model knows; it can read and write no other."),
    "warm-up": ("training", "Small learning rates in the first steps of a training, up to the full one."),
    "weight decay": ("training", "A pull of every weight towards nought in each step of training, against learning by heart."),
}  # fmt: skip

# also words of every day: they mean the term only from the lesson on that teaches it
EVERYDAY = {"context", "head", "key", "mask", "query", "score", "value"}
