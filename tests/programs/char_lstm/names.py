"""Four files of invented names, one class each."""

import random


def make(folder):
    source = random.Random(0)
    (folder / "names").mkdir()
    for language, letters in {"One": "abcdefg", "Two": "hijklmn", "Three": "opqrst", "Four": "uvwxyz"}.items():
        names = ["".join(source.choices(letters, k=source.randint(3, 9))).title() for _ in range(40)]
        (folder / "names" / f"{language}.txt").write_text("\n".join(names))
