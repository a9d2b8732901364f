"""What a person typed when the agent asked with a list of choices, and none of them fitted."""

import msgspec


class _Option(msgspec.Struct):
    label: str = ""


class _Question(msgspec.Struct):
    options: list[_Option] = []


class _Asked(msgspec.Struct):
    questions: list[_Question] = []


class _Given(msgspec.Struct):
    answers: dict[str, str] = {}


def typed_answers(arguments: bytes, result: str) -> list[str]:
    """List the answers in an `ask_user` result that are not merely choices offered."""
    try:
        questions = msgspec.json.decode(arguments, type=_Asked).questions
        answers = msgspec.json.decode(result, type=_Given).answers
    except (msgspec.MsgspecError, RecursionError):
        return []
    typed = []
    for number, answer in answers.items():
        place = int(number) if number.isdecimal() else len(questions)
        labels = (
            [option.label for option in questions[place].options] if place < len(questions) else []
        )
        left = answer
        for label in sorted(filter(None, labels), key=len, reverse=True):
            left = left.replace(label, "")
        if left.strip(" ,\n"):
            typed.append(answer.strip())
    return typed
