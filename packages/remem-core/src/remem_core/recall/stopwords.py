"""Words that stand in nearly every text of a language: they cost time and rank nothing.

Only such as are no telling word in another of these languages ("die" and "was" are left to
English, where they tell something or are listed too).
"""

import re
from functools import cache

_WORDS = """
a about am an and any are as at be been being but by can could did do does doing for from had has
have having how i if in into is it its me my myself no nor not of on or our ours should so some such
than that the their theirs them then there these they this those to too us was we were what when
where which who whom whose why will with would you your yours

al como con cual cuando de del donde el ella en es esta este esto la las lo los para pero por porque
qué que quien se ser si sin sobre su sus un una uno y

aux avec ce ces cette comme dans des du elle est et il ils je le les leur mais nous ou où par pas
pour qu quand que qui sa ses sont sur un une vous

aber als auch auf aus bei das dem den der dass ein eine einem einen einer für hat ich ihr im ist
kein mit nach nicht oder sich sie sind und uns vom von wann warum was wenn wer wie wir wird wo zu
zum zur

com da das do dos e em essa esse está eu foi isso mais mas na nas no nos não o os ou para pela pelo
qual quando que quem se seu sua são também um uma

che chi ci come con cosa da dal dei del della di dove gli ha il io la le lo ma mi nel nella non per
perché più quale quando questo se si sono su un una

aan als bij dat de deze die dit een en er het hoe ik in is je maar met naar niet of om op te van
voor waar wanneer waarom wat we welke wie wij zijn

ale czy dla do gdzie jak jest kiedy kto które ma na nie od po przez się są to w z za że

и в во не что он на я с со как а то все она так его но да ты к у же вы за бы по только ее мне было
вот от меня еще нет о из ему теперь когда даже ну ли если уже или ни быть был него до вас опять уж
вам ведь там потом себя ничего ей может они тут где есть надо ней для мы тебя их чем была сам чтоб
без будто чего раз тоже себе под будет кто этот это какой какая почему

але або бо в від він вона вони до є з за і й його її їх коли мене ми на не ні про та так те ти то у
хто це чому що як який

ama bir bu da de değil diye en gibi hangi ile için kim ki mi mu mı ne neden nasıl nerede olan ve
veya ya

من في على عن ما هل هو هي هذا هذه ذلك التي الذي أن إن أو و لا مع ثم قد كان متى أين كيف لماذا

של את על עם אל הוא היא זה זו זאת לא כן גם או אם כי אז מה מי איך איפה מתי למה איזה איזו כל אני
אתה אנחנו הם היה הייתה היו יש אין אבל

ο η το οι τα του της των τον την στο στη στον στην στα και να θα με για από σε που πώς ποιο ποια
ποιος τι πού πότε γιατί είναι ήταν δεν μας σας μου ένα ένας μια αυτό αν ή

এই ওই কি কী কে কেন কোথায় কখন কীভাবে এবং ও না হয় ছিল আছে থেকে জন্য সেই এটা আমরা আমি

என்ன எங்கே எப்போது எப்படி ஏன் எந்த இது அது ஒரு மற்றும்

का की के को है हैं में से पर और यह वह क्या था थी थे नहीं ने तो भी कि जो कौन कब कहाँ कैसे क्यों
"""
STOP_WORDS = frozenset(_WORDS.split())

# The same in scripts without spaces, the longer first. No single letter that others contain.
_RUNS = """
为什么 為什麼 为什麼 什么 什麼 甚麼 怎么 怎麼 怎样 怎樣 哪里 哪裡 哪個 哪个
如何 我们 我們 你们 你們 他们 他們 是否 可以 这个 這個 那个 那個 多少 吗 嗎 呢

でしょうか ください について していた している でしたか ですか ますか でした ました ません です ます
どこ どう なぜ いつ どの これ それ という したか する

어떻게 무엇을 무엇 어디에 어디 언제 입니까 습니까 합니다 입니다 인가요 하나요 나요 했나요
우리는 우리

เมื่อไหร่ อย่างไร เท่าไร เท่าไหร่ ที่ไหน ทำไม อะไร ครับ ค่ะ ไหม
"""


def is_stop_word(word: str) -> bool:
    """Tell whether a word, in any case, is one of them."""
    return word.casefold() in STOP_WORDS


def without_function_words(run: str) -> list[str]:
    """Return the parts of an unspaced run that such words leave."""
    return [part for part in _function_words().split(run) if part]


@cache
def _function_words() -> re.Pattern[str]:
    return re.compile("|".join(sorted(_RUNS.split(), key=len, reverse=True)))
