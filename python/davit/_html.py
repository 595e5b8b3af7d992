"""Tables for notebooks."""

from html import escape
from typing import Any, Iterable, List

MOST_ROWS = 20


def cell(value: Any) -> str:
    """A value as a reader wants it."""
    return escape(f"{value:.6g}" if isinstance(value, float) else str(value))


def table(caption: str, heads: Iterable[str], rows: List[Iterable[Any]]) -> str:
    """An HTML table of the first rows; notes how many more there are."""
    head = "".join(f"<th>{escape(text)}</th>" for text in heads)
    body = "".join("<tr>" + "".join(f"<td>{cell(value)}</td>" for value in row) + "</tr>" for row in rows[:MOST_ROWS])
    more = f"<p>and {len(rows) - MOST_ROWS} more</p>" if len(rows) > MOST_ROWS else ""
    return f"<table><caption>{escape(caption)}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"
