"""Write all questions with their answers for learning platforms: python -m assets.deploy.questions OUT

OUT gets a file per lesson in each format: Moodle XML, GIFT and QTI 2.1. The models compute the answers.
"""

import argparse
from pathlib import Path

from lessons import LESSONS
from lessons.kit.question_bank import FORMATS, question_file


def main() -> None:
    parser = argparse.ArgumentParser(description="Write the questions of all lessons for learning platforms.")
    parser.add_argument("out", type=Path, help="folder for the files")
    parser.add_argument("--address", default="", help="address of the course, for links to the experiments")
    parser.add_argument("--lesson", choices=[lesson.slug for lesson in LESSONS], help="only this lesson")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    for lesson in LESSONS:
        if args.lesson in (None, lesson.slug):
            for ending in FORMATS:
                path = args.out / f"{lesson.slug}.{ending}"
                path.write_bytes(question_file(lesson, LESSONS, ending, args.address.rstrip("/")))
                print(path)


if __name__ == "__main__":
    main()
