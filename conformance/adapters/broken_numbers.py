"""Lets a number through that a double can't hold."""

import minimal
import tiny_codec

tiny_codec.whole = int  # type: ignore[assignment]
tiny_codec.real = float  # type: ignore[assignment]
minimal.main()
