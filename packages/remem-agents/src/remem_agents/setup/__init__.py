"""Set-up and its way back: what each agent's configuration gets from us, and how it goes again.

An agent's own `setup` module says what it needs; `edits` change a file's text and nothing of it
that is not ours; `plan` turns files into changes without touching any, `apply` writes them whole or
not at all, `manifest` remembers them, `removal` plans the way back, and `proof` tells whether what
was wired still works.
"""
