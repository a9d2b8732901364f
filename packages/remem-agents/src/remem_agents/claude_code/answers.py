"""What a person typed when the agent asked with a list of choices, and none of them fitted."""

import msgspec


class _Option(msgspec.Struct):
    label: str = ""


class _Question(msgspec.Struct):
    question: str = ""
    options: list[_Option] = []


class _Asked(msgspec.Struct):
    questions: list[_Question] = []
    answers: dict[str, str] = {}


_decode = msgspec.json.Decoder(_Asked).decode


def typed_answers(result: msgspec.Raw) -> list[str]:
    """List the answers in an AskUserQuestion result that are not merely choices offered."""
    try:
        asked = _decode(result)
    except msgspec.MsgspecError:  # a refusal's result is a string
        return []
    offered = {
        question.question: [option.label for option in question.options]
        for question in asked.questions
    }
    return [
        answer.strip()
        for question, answer in asked.answers.items()
        if question in offered and _beyond(answer, offered[question])
    ]


def _beyond(answer: str, labels: list[str]) -> str:
    """What is left of an answer without the choices; several are joined by commas."""
    for label in sorted(filter(None, labels), key=len, reverse=True):
        answer = answer.replace(label, "")
    return answer.strip(" ,\n")
