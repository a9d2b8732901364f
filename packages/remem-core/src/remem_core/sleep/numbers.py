"""The numbers of sleep, in one place, each with where it comes from (behaviour.md, "Sleep")."""

HALF_LIFE_DAYS = 45.0  # strength halves in this time without a touch; a starting value
FADED = 0.15  # below it a memory is archived: after 123 days at strength 1
DUE_DAYS = 14  # a prediction that nothing bore out in this time has failed
PREDICTS = 1.0  # the strength from which a lesson predicts
JOINED = 0.5  # what each further source adds to a lesson's strength
CONFIRMED = 0.25  # what a prediction that came true adds
MISSED = 0.8  # what a failed one leaves of it
CAP = 3.0  # so that an old habit can still be unlearned in a season
# A theme is split when its parts are less alike than this share of the cut that joined them, so
# that no pair is joined one night and split the next.
APART = 0.6
# The length of a passing remark's row: two such are linked from 1.32 of the cut, one and a wish
# from 1.15. Remarks on one piece of work resemble each other by it (of the real ones that reach the
# plain cut none meant the same), so only nearly the same words count as said again.
PASSING = 0.87
SHOWN = 24  # of a lesson's sources, how many are compared: the latest, so that cost stays bounded
FADE_BATCH = 1_000  # episodes that one ARCHIVE puts aside
