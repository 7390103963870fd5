"""An order form, which writes down its values at each run."""

import datetime
import json
import os
from pathlib import Path

import pandas
import streamlit as st

st.title("Orders")
plan = st.selectbox("Plan", ["Free", "Basic", "Pro", "Team"])
seats = st.slider("Seats", 0, 100, 20)
note = st.text_input("Note")
features = st.multiselect("Features", ["Audit", "Backup", "Chat", "Search"])
agreed = st.checkbox("I agree to the terms")
day = st.date_input("Start", datetime.date(2026, 3, 2))
count = st.number_input("Copies", 1, 50, 1)
size = st.radio("Size", ["Small", "Medium", "Large"])
upload = st.file_uploader("Contract")
if st.button("Reset the counter"):
    st.session_state.resets = st.session_state.get("resets", 0) + 1
first, second = st.tabs(["Summary", "Table"])
first.write(f"{seats} seats of {plan}")
second.dataframe(pandas.DataFrame({"plan": ["Free", "Pro"], "price": [0, 9]}))
report = {
    "plan": plan, "seats": seats, "note": note, "features": features, "agreed": agreed, "day": day.isoformat(),
    "count": count, "size": size, "resets": st.session_state.get("resets", 0),
    "upload": upload.read().decode() if upload else None,
}  # fmt: skip
with Path(os.environ["ARENA_REPORT"]).open("a") as file:
    file.write(json.dumps(report) + "\n")
