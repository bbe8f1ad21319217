"""The page of help for each code: what it means, how it is found, an example, and what to do about it.

The pages are Markdown files beside this one; title and meaning come from the table of codes.
"""

from importlib import resources

from lexbelli.codes import Code


def help_page(code: Code) -> str:
    """Return the page of a code as Markdown."""
    text = (resources.files("lexbelli") / "help" / f"{code.code}.md").read_text("utf-8")
    return f"# {code.code} {code.name} ({code.severity})\n\n{code.meaning}\n\n{text.strip()}\n"
