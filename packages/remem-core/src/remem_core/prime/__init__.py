"""Which lessons bear on what is happening right now. Silence is the default: a lesson is put in
front of an agent only where what was corrected, or failed, is about to happen again.

Importing this package loads no model and no numpy.
"""
