"""When it was found, what it is good for, how others write it, and what the words mean. In `code marks`, _ is a subscript."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Moment:
    year: str
    what: str
    why: str
    source: str
    lesson: str  # that opens it up


TIMELINE = (
    Moment(
        "2014",
        "Sequence to sequence",
        "One recurrent network reads the sentence into one vector, a second one writes the translation from it.",
        "Sutskever, Vinyals, Le: Sequence to Sequence Learning with Neural Networks. NIPS 2014, arXiv:1409.3215",
        "bottleneck",
    ),
    Moment(
        "2014/15",
        "Additive attention",
        "One vector is too narrow for long sentences, so the decoder learns to look back at every source word.",
        "Bahdanau, Cho, Bengio: Neural Machine Translation by Jointly Learning to Align and Translate. ICLR 2015, arXiv:1409.0473",
        "attention",
    ),
    Moment(
        "2015",
        "Dot and bilinear scores",
        "Shorter formulas for where to look, compared side by side.",
        "Luong, Pham, Manning: Effective Approaches to Attention-based Neural Machine Translation. EMNLP 2015, arXiv:1508.04025",
        "scores",
    ),
    Moment(
        "2016",
        "A public translator turns neural",
        "Google Translate begins to replace its phrase-based system, starting with Chinese to English.",
        "Wu et al.: Google’s Neural Machine Translation System. arXiv:1609.08144; Google Research Blog, 27 September 2016",
        "bottleneck",
    ),
    Moment(
        "2017",
        "The Transformer",
        "The recurrence goes; attention, with a way to tell positions apart, does the reading and the writing.",
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
    Example("Translation", "the black cat did not see the small dog .", model="translation-additive-64-s0", lesson="attention"),
    Example("Character addition", "27+58", model="addition-none-64-s0", lesson="bottleneck"),
    Example("Written dates", "3 mar '92", model="dates-none-64-s0", lesson="bottleneck"),
    Example("Reversal", "memory", model="reversal-none-64-s0", lesson="bottleneck"),
    Example(
        "Summarisation",
        "The council met for three hours , heard forty speakers and put off the vote on the bridge until May .",
        "Bridge vote put off until May .",
    ),
    Example("Dialogue", "Is the library open on Sunday ?", "Yes , from ten to four ."),
    Example("Parsing", "the cat sees a dog", "(S (NP the cat ) (VP sees (NP a dog ) ) )"),
    Example("Code generation", "add up the even numbers in a list", "sum ( n for n in numbers if n % 2 == 0 )"),
)

# (in the app, also written, meaning)
ROSETTA = (
    ("`x_t`, `x_1…x_T`", "`y_1…y_T` for the input, in some courses", "source tokens, or their vectors"),
    ("`y_t`, `y_1…y_T′`", "`x_t` for the output, in some courses", "target tokens"),
    ("`h_t`", "", "hidden state of the encoder, or of the only network; m numbers"),
    ("`s_t`", "`h_t` of the decoder", "hidden state of the decoder"),
    ("`c`, `c_t`", "`a_t`, attention output, context vector", "the fixed context; the context at step t"),
    ("`e_ti`", "`e^t_i`, energy, similarity", "score of source word i at target step t, before the softmax"),
    ("`α_ti`", "`a_ti`", "attention weight, after the softmax over i"),
    (
        "additive",
        "Bahdanau, concat, MLP, original",
        "`e = vᵀ tanh(W_1 h_i + W_2 s)`, the same function as `w_2ᵀ tanh(W [h_i ; s])`",
    ),
    ("bilinear", "multiplicative, general, Luong", "`e = sᵀ W h_i`"),
    ("scaled bilinear", "learnable scaled dot product", "`e = h_iᵀ W_g s / √m`"),
    ("dot, scaled dot", "", "`e = sᵀ h_i`, `e = sᵀ h_i / √d`"),
    ("query before", "Bahdanau wiring", "score with `s_{t−1}`; `c_t` enters the cell that makes `s_t`"),
    ("query after", "Luong wiring", "score with `s_t`; `[c_t ; s_t]` goes to the output layer"),
    ("`Q`, `K`, `V`, `E`, `A`, `Y`", "`S`, `H`, `C`", "`E = Q Kᵀ / √d`, `A = softmax_rows(E)`, `Y = A V`"),
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
    "bottleneck": ("bottleneck", "A place so narrow that not everything fits through: here, one vector for a whole sentence."),
    "causal mask": ("qkv", "The mask that hides the future, so that no position can look at words still to be written."),
    "context": ("bottleneck", "What the decoder knows of the source: one fixed `c`, or, with attention, a new `c_t` at each step."),
    "cross-attention": ("qkv", "Attention from one sequence to another: queries from the target, keys and values from the source."),
    "decoder": ("bottleneck", "The half of the model that writes the output, token by token."),
    "embedding": ("recurrence", "The list of numbers that stands for a token, learned like every other weight."),
    "encoder": ("bottleneck", "The half of the model that reads the input."),
    "exact match": ("bottleneck", "The share of sentences that come out without a single mistake."),
    "gate": ("recurrence", "A number between 0 and 1 that says how much may pass: let in, kept or let out."),
    "gradient": ("recurrence", "How much the result would move if a number moved a little; training follows it downhill."),
    "greedy": ("decoding", "Always take the most likely next token, and never look back."),
    "head": ("qkv", "One of several attentions side by side, each with its own queries, keys and values."),
    "hidden state": ("recurrence", "The network’s memory at one step: a vector made from the last state and the new input."),
    "key": ("qkv", "The vector by which a position can be found: queries are compared with it."),
    "language model": ("recurrence", "A model that gives every possible next token a probability."),
    "layer norm": ("transformer", "Shifts and scales a vector to mean 0 and spread 1, then lets learned weights stretch it again."),
    "logits": ("decoding", "The raw scores of all tokens, before the softmax makes probabilities of them."),
    "loss": ("bottleneck", "How surprised the model is by the right answer; training makes it smaller."),
    "mask": ("qkv", "Marks positions that must not be looked at; their weight becomes 0."),
    "parameter": ("qkv", "A number that training sets, such as one entry of a weight matrix."),
    "perplexity": ("decoding", "How many equally likely tokens the model’s doubt is worth, on average; 1 means no doubt at all."),
    "positional encoding": ("qkv", "A pattern of numbers added to each embedding that says where it stands."),
    "query": ("qkv", "The vector that asks: it is compared with every key."),
    "recurrence": ("recurrence", "The same cell applied at every step, fed with its own last state."),
    "residual": ("transformer", "A shortcut that adds a block’s input to its output, so the block only has to learn the change."),
    "score": ("scores", "One number that says how well a query and a key go together, before the softmax."),
    "seed": ("decoding", "The number that fixes all chance: same seed, same result."),
    "self-attention": ("qkv", "Attention of a sequence to itself: queries, keys and values all come from the same words."),
    "softmax": ("scores", "Turns any numbers into positive shares that add up to 1; larger numbers get more."),
    "spectral radius": ("recurrence", "How much a matrix stretches in the long run: below 1 an echo fades, above 1 it can grow."),
    "teacher forcing": ("bottleneck", "In training, the decoder is fed the right previous token, not the one it wrote itself."),
    "temperature": ("scores", "What scores are divided by before the softmax: low makes it sharp, high makes it even."),
    "token": ("recurrence", "One item of a sequence: here a word, a mark or a character."),
    "top-k": ("decoding", "Keep only the k most likely tokens before sampling."),
    "top-p": ("decoding", "Keep the fewest tokens whose probabilities together reach p, then sample; also called nucleus."),
    "value": ("qkv", "The vector that a position hands over, as much of it as its weight says."),
    "vanishing gradient": ("recurrence", "A gradient that shrinks at every step back, until early words no longer teach anything."),
    "vocabulary": ("recurrence", "All tokens a model knows; it can read and write no other."),
}  # fmt: skip

# also words of every day: they mean the term only from the lesson on that teaches it
EVERYDAY = {"context", "head", "key", "mask", "query", "score", "value"}
