"""Describe what a page teaches as schema.org JSON-LD, for search engines and catalogues."""

import json
from collections.abc import Sequence
from typing import Any

from markupsafe import Markup

from lessons.kit import VERSION
from lessons.kit.contract import Experiment, Lesson, lesson_numbers
from lessons.kit.language import keep_language, translate
from lessons.kit.plan import read_plan
from lessons.kit.web.layout import CHECK
from lessons.kit.web.social_preview import SITE_DESCRIPTION, SITE_NAME

TEXT_LICENCE = "https://creativecommons.org/licenses/by/4.0/"
AUTHOR = {"@type": "Organization", "name": "The Seq2See authors"}
COMMON = {
    "inLanguage": "en",
    "isAccessibleForFree": True,
    "license": TEXT_LICENCE,
    "author": AUTHOR,
    "version": VERSION,
    "educationalLevel": "university",
}
COURSE_NAME = f"{SITE_NAME}: an interactive course on sequence models"


def structured_data(
    lessons: Sequence[Lesson], root: str, lesson: Lesson | None, experiment: Experiment | None
) -> Markup:
    """The JSON-LD of the map (no lesson), of an experiment, or of “Check yourself” (no experiment)."""
    if lesson is None:
        content = course_data(lessons, root)
    else:
        about = experiment_resource(lesson, experiment, root) if experiment else check(lesson, root)
        content = about | {"isPartOf": lesson_resource(lessons, lesson, root)}
    text = json.dumps({"@context": "https://schema.org"} | content, ensure_ascii=False, separators=(",", ":"))
    return Markup('<script type="application/ld+json">{}</script>').format(
        Markup(text.replace("<", "\\u003c"))
    )


def course_data(lessons: Sequence[Lesson], root: str) -> dict[str, Any]:
    minutes = sum(step.minutes_of_90 for lesson in lessons for step in read_plan(lesson.folder / "plan.md"))
    return (
        {"@type": "Course", "@id": f"{root}/", "url": f"{root}/", "name": COURSE_NAME}
        | {"description": SITE_DESCRIPTION, "provider": AUTHOR}
        | COMMON
        | {
            "teaches": [lesson.text.question for lesson in lessons],
            "hasPart": [lesson_resource(lessons, lesson, root, is_part=False) for lesson in lessons],
            "hasCourseInstance": {
                "@type": "CourseInstance",
                "courseMode": "online",
                "courseWorkload": f"PT{minutes}M",
            },
        }
    )


def lesson_resource(
    lessons: Sequence[Lesson], lesson: Lesson, root: str, is_part: bool = True
) -> dict[str, Any]:
    about = {
        "@type": "LearningResource",
        "@id": f"{root}/{lesson.slug}",
        "url": f"{root}/{lesson.slug}",
        "name": lesson.title,
        "description": lesson.summary,
        "teaches": lesson.text.question,
        "learningResourceType": "lesson",
        "position": lesson_numbers(lessons)[lesson.slug],
    }
    part = {"isPartOf": {"@type": "Course", "@id": f"{root}/", "name": COURSE_NAME}}
    return about | (part if is_part else {})


def experiment_resource(lesson: Lesson, experiment: Experiment, root: str) -> dict[str, Any]:
    address = f"{root}/{keep_language(f'{lesson.slug}?experiment={experiment.slug}')}"
    minutes = {step.slug: step.minutes_of_90 for step in read_plan(lesson.folder / "plan.md")}
    about = {
        "@type": "LearningResource",
        "@id": address,
        "url": address,
        "name": lesson.text.experiments[experiment.slug].question,
        "alternateName": experiment.title,
        "learningResourceType": "interactive experiment",
        "interactivityType": "active",
        "image": f"{root}/preview/{lesson.slug}/{experiment.slug}.png",
    }
    time = {"timeRequired": f"PT{minutes[experiment.slug]}M"} if minutes.get(experiment.slug) else {}
    return about | time | COMMON | {"inLanguage": lesson.text.language}


def check(lesson: Lesson, root: str) -> dict[str, Any]:
    address = f"{root}/{keep_language(f'{lesson.slug}?experiment={CHECK}')}"
    return {
        "@type": ["LearningResource", "Quiz"],
        "@id": address,
        "url": address,
        "name": translate("Check yourself: {title}", title=translate(lesson.title)),
        "learningResourceType": "quiz",
        "interactivityType": "active",
        **COMMON,
        "inLanguage": lesson.text.language,
    }
