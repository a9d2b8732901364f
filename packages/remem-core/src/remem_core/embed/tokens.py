"""Texts to the numbers of their tokens. The only module that knows the tokenizers package."""

from tokenizers import BertWordPieceTokenizer, Tokenizer

from remem_core.embed.wordpiece import MAX_TOKENS, VOCABULARY

# A word is at most 100 characters to WordPiece. A text that needs more characters than this for
# its 256 tokens is not prose, and tokenising megabytes to drop them costs seconds.
MAX_CHARACTERS = 16_384


class Tokens:
    """A tokenizer, cut to what a model reads."""

    def __init__(self, tokenizer: BertWordPieceTokenizer | Tokenizer) -> None:
        self._tokenizer = tokenizer
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(max_length=MAX_TOKENS)
        # A text of special tokens only has no words; how many those are depends on the model.
        self.special = len(self.of(""))

    def of(self, text: str) -> list[int]:
        """Return a text's tokens, special ones included."""
        # One call a text: a batch call starts threads, after which a fork warns on stderr.
        # Lone surrogates (arguments that are not UTF-8) would be refused.
        clean = text[:MAX_CHARACTERS].encode("utf-8", "replace").decode("utf-8")
        ids: list[int] = self._tokenizer.encode(clean).ids
        return ids


def default_tokenizer() -> BertWordPieceTokenizer:
    """Return the tokenizer of the default model: lower-case, accents stripped, WordPiece."""
    return BertWordPieceTokenizer(str(VOCABULARY), lowercase=True)


def tokens_of_json(text: str) -> Tokens:
    """Return the tokens of a `tokenizer.json`; raises what the tokenizers package does."""
    return Tokens(Tokenizer.from_str(text))
