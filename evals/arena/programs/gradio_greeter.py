"""A form, whose function writes down what it was called with."""

import json
import os
import sys
from pathlib import Path

import gradio


def greet(name: str, language: str, times: float, topics: list[str], tone: str, is_loud: bool, file: str) -> str:
    text = Path(file).read_text() if file else None
    report = {
        "name": name, "language": language, "times": times, "topics": topics, "tone": tone, "loud": is_loud,
        "file": text,
    }  # fmt: skip
    with Path(os.environ["ARENA_REPORT"]).open("a") as report_file:
        report_file.write(json.dumps(report) + "\n")
    return f"Greeted {name} {times:g} times"


demo = gradio.Interface(
    greet,
    [
        gradio.Textbox(label="Name"),
        gradio.Dropdown(["English", "French", "German", "Swahili"], label="Language", value="English"),
        gradio.Slider(1, 20, value=3, step=1, label="Times"),
        gradio.CheckboxGroup(["News", "Sports", "Weather"], label="Topics"),
        gradio.Radio(["Warm", "Formal"], label="Tone", value="Warm"),
        gradio.Checkbox(label="Loud"),
        gradio.File(label="Letter"),
    ],
    gradio.Textbox(label="Answer"),
    flagging_mode="never",
)
demo.launch(server_name="127.0.0.1", server_port=int(sys.argv[1]))
