"""Ed25519 as SHR-010 has it, and keys that are written down."""

import random as seeded

import pytest

from remem_protocol import BadSignatureError, MalformedError, is_id
from remem_share.keys import PrivateKey, PublicKey, from_recovery_text, generate, recovery_text

ORDER = 2**252 + 27742317777372353535851937790883648493  # of the group, RFC 8032 section 5.1

# RFC 8032 section 7.1, tests 1 to 3: private key, public key, message, signature.
RFC_8032 = [
    (
        "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701"
        "cf9b46bd25bf5f0595bbe24655141438e7a100b",
    ),
    (
        "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d"
        "0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
    ),
    (
        "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        "af82",
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f7609"
        "84dc6594a7c15e9716ed28dc027beceea1ec40a",
    ),
]

# Values of ed25519-speccheck (Chalkias, Garillot, Nikolaenko: Taming the many EdDSAs; Apache-2.0):
# what is odd about them, public key, message, signature. Libraries in use accept some of these.
EDGES = [
    (
        "A and R of small order, S = 0",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
        "8c93255d71dcab10e8f379c26200f3c7bd5f09d9bc3068d3ef4edeb4853022b6",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a" + 64 * "0",
    ),
    (
        "A of small order",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
        "9bd9f44f4dcc75bd531b56b2cd280b0bb38fc1cd6d1230e14861d861de092e79",
        "f7badec5b8abeaf699583992219b7b223f1df3fbbea919844e3f7c554a43dd43"
        "a5bb704786be79fc476f91d3f3f89b03984d8068dcf1bb7dfc6637b45450ac04",
    ),
    (
        "R of small order",
        "f7badec5b8abeaf699583992219b7b223f1df3fbbea919844e3f7c554a43dd43",
        "aebf3f2601a0c8c5d39cc7d8911642f740b78168218da8471772b35f9d35b9ab",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa"
        "8c4bd45aecaca5b24fb97bc10ac27ac8751a7dfe1baff8b953ec9f5833ca260e",
    ),
    (
        "valid with the cofactor only",
        "cdb267ce40c5cd45306fa5d2f29731459387dbf9eb933b7bd5aed9a765b88d4d",
        "e47d62c63f830dc7a6851a0b1f33ae4bb2f507fb6cffec4011eaccd55b53f56c",
        "160a1cb0dc9c0258cd0a7d23e94d8fa878bcb1925f2c64246b2dee1796bed512"
        "5ec6bc982a269b723e0668e540911a9a6a58921d6925e434ab10aa7940551a09",
    ),
    (
        "valid with the cofactor only, multiplied before reducing",
        "cdb267ce40c5cd45306fa5d2f29731459387dbf9eb933b7bd5aed9a765b88d4d",
        "e47d62c63f830dc7a6851a0b1f33ae4bb2f507fb6cffec4011eaccd55b53f56c",
        "21122a84e0b5fca4052f5b1235c80a537878b38f3142356b2c2384ebad4668b7"
        "e40bc836dac0f71076f9abe3a53f9c03c1ceeeddb658d0030494ace586687405",
    ),
    (
        "S over the order",
        "442aad9f089ad9e14647b1ef9099a1ff4798d78589e66f28eca69c11f582a623",
        "85e241a07d148b41e47d62c63f830dc7a6851a0b1f33ae4bb2f507fb6cffec40",
        "e96f66be976d82e60150baecff9906684aebb1ef181f67a7189ac78ea23b6c0e"
        "547f7690a0e2ddcd04d87dbc3490dc19b3b3052f7ff0538cb68afb369ba3a514",
    ),
    (
        "S far over the order",
        "442aad9f089ad9e14647b1ef9099a1ff4798d78589e66f28eca69c11f582a623",
        "85e241a07d148b41e47d62c63f830dc7a6851a0b1f33ae4bb2f507fb6cffec40",
        "8ce5b96c8f26d0ab6c47958c9e68b937104cd36e13c33566acd2fe8d38aa1942"
        "7e71f98a473474f2f13f06f97c20d58cc3f54b8bd0d272f42b695dd7e89a8c22",
    ),
    (
        "R not canonical",
        "f7badec5b8abeaf699583992219b7b223f1df3fbbea919844e3f7c554a43dd43",
        "9bedc267423725d473888631ebf45988bad3db83851ee85c85e241a07d148b41",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
        "03be9678ac102edcd92b0210bb34d7428d12ffc5df5f37e359941266a4e35f0f",
    ),
    (
        "A not canonical",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
        "e96b7021eb39c1a163b6da4e3093dcd3f21387da4cc4572be588fafae23c155b",
        "a9d55260f765261eb9b84e106f665e00b867287a761990d7135963ee0a7d59dc"
        "a5bb704786be79fc476f91d3f3f89b03984d8068dcf1bb7dfc6637b45450ac04",
    ),
]

# The points of order 1, 2, 4 and 8, and the spellings of them that are not canonical.
SMALL_ORDER = [
    "0100000000000000000000000000000000000000000000000000000000000000",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "0000000000000000000000000000000000000000000000000000000000000000",
    "0000000000000000000000000000000000000000000000000000000000000080",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
    "0100000000000000000000000000000000000000000000000000000000000080",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
    "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
    "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
]


def key(seed: int = 1) -> PrivateKey:
    return generate(seeded.Random(seed).randbytes)


@pytest.mark.parametrize(("seed", "public", "message", "signature"), RFC_8032)
def test_signature_is_that_of_rfc_8032(
    seed: str, public: str, message: str, signature: str
) -> None:
    private = PrivateKey(bytes.fromhex(seed))
    assert private.public.raw.hex() == public
    assert private.sign(bytes.fromhex(message)).hex() == signature
    PublicKey(bytes.fromhex(public)).verify(bytes.fromhex(message), bytes.fromhex(signature))


@pytest.mark.parametrize(
    ("public", "message", "signature"), [e[1:] for e in EDGES], ids=[e[0] for e in EDGES]
)
def test_signature_that_libraries_disagree_on_is_refused(
    public: str, message: str, signature: str
) -> None:
    with pytest.raises(BadSignatureError):
        PublicKey(bytes.fromhex(public)).verify(bytes.fromhex(message), bytes.fromhex(signature))


def test_valid_signature_of_a_key_of_mixed_order_is_taken() -> None:
    """The control: of the same source, and valid without the cofactor."""
    public = PublicKey(
        bytes.fromhex("cdb267ce40c5cd45306fa5d2f29731459387dbf9eb933b7bd5aed9a765b88d4d")
    )
    public.verify(
        bytes.fromhex("9bd9f44f4dcc75bd531b56b2cd280b0bb38fc1cd6d1230e14861d861de092e79"),
        bytes.fromhex(
            "9046a64750444938de19f227bb80485e92b83fdb4b6506c160484c016cc1852f"
            "87909e14428a7a1d62e9f22f3d3ad7802db02eb2e688b6c52fcd6648a98bd009"
        ),
    )


@pytest.mark.parametrize("point", SMALL_ORDER)
def test_key_of_small_order_signs_nothing(point: str) -> None:
    # With such a key, S = 0 and R of small order satisfy the equation for a share of all messages;
    # for the neutral element, for every one.
    public = PublicKey(bytes.fromhex(point))
    for r in SMALL_ORDER:
        for message in (b"", b"a", b"b", b"c"):
            with pytest.raises(BadSignatureError):
                public.verify(message, bytes.fromhex(r) + bytes(32))


def test_signature_with_the_order_added_is_refused() -> None:
    signature = key().sign(b"lesson")
    larger = int.from_bytes(signature[32:], "little") + ORDER
    key().public.verify(b"lesson", signature)
    with pytest.raises(BadSignatureError):
        key().public.verify(b"lesson", signature[:32] + larger.to_bytes(32, "little"))


@pytest.mark.parametrize("at", [0, 31, 32, 63])
def test_changed_signature_is_refused(at: int) -> None:
    signature = bytearray(key().sign(b"lesson"))
    signature[at] ^= 1
    with pytest.raises(BadSignatureError):
        key().public.verify(b"lesson", bytes(signature))


@pytest.mark.parametrize("signature", [b"", bytes(63), bytes(65)])
def test_signature_of_another_length_is_refused(signature: bytes) -> None:
    with pytest.raises(BadSignatureError, match="64 bytes"):
        key().public.verify(b"lesson", signature)


def test_other_message_and_other_key_are_refused() -> None:
    signature = key().sign(b"lesson")
    with pytest.raises(BadSignatureError):
        key().public.verify(b"lessom", signature)
    with pytest.raises(BadSignatureError):
        key(2).public.verify(b"lesson", signature)


@pytest.mark.parametrize("length", [0, 31, 33, 64])
def test_key_of_another_length_is_malformed(length: int) -> None:
    with pytest.raises(MalformedError, match="32 bytes"):
        PublicKey(bytes(length))
    with pytest.raises(MalformedError, match="32 bytes"):
        PrivateKey(bytes(length))


def test_origin_is_an_id_of_the_whole_key() -> None:
    public = PublicKey(bytes.fromhex(RFC_8032[0][1]))
    assert public.origin == "pwsrnlwclvptegj2blwjpuhl4epjeqbk"
    assert is_id(public.origin)
    last_byte_differs = PublicKey(public.raw[:-1] + bytes([public.raw[-1] ^ 1]))
    assert last_byte_differs.origin != public.origin


def test_private_key_is_not_shown() -> None:
    private = key()
    shown = f"{private!r} {private}"
    assert private.seed.hex() not in shown
    assert repr(private.seed) not in shown


def test_new_keys_differ() -> None:
    assert generate() != generate()


def test_recovery_text_gives_the_key_back() -> None:
    text = recovery_text(key())
    assert [len(group) for group in text.split()] == [4] * 14
    assert from_recovery_text(text) == key()
    assert from_recovery_text(text.lower().replace(" ", "-\n")) == key()


def test_recovery_text_may_be_read_with_digits_for_letters() -> None:
    text = next(t for n in range(99) if {"O", "I", "B"} <= set(t := recovery_text(key(n))))
    misread = text.replace("O", "0").replace("I", "1").replace("B", "8")
    assert misread != text
    assert from_recovery_text(misread) == from_recovery_text(text)


def test_miswritten_recovery_text_is_refused() -> None:
    text = recovery_text(key()).replace(" ", "")
    for at in range(len(text)):
        wrong = text[:at] + ("A" if text[at] != "A" else "C") + text[at + 1 :]
        with pytest.raises(MalformedError, match="miswritten"):
            from_recovery_text(wrong)


@pytest.mark.parametrize("text", ["", "AAAA", "ß" * 56, "A" * 55, "A" * 64, "9" * 56])
def test_something_else_is_no_recovery_text(text: str) -> None:
    with pytest.raises(MalformedError):
        from_recovery_text(text)
