from maththera.korean.morphemes import content_words


def test_endings_and_particles_do_not_count() -> None:
    assert content_words("받아올림이 있는 덧셈을") == content_words("받아올림 덧셈")


def test_verbs_name_what_their_nouns_name() -> None:
    assert content_words("곱하고 나눈다") == ("곱셈", "나눗셈")


def test_words_of_every_school_text_tell_nothing() -> None:
    assert content_words("문제를 공부할 때") == ()
