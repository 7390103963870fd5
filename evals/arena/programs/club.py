"""A club's members in Flask-Admin, with a database in the folder that it starts in."""

import datetime
import sys
from pathlib import Path
from typing import ClassVar

from flask import Flask
from flask_admin import Admin
from flask_admin.contrib.sqla import ModelView
from flask_sqlalchemy import SQLAlchemy

app = Flask(__name__)
app.config |= {"SECRET_KEY": "club", "SQLALCHEMY_DATABASE_URI": f"sqlite:///{Path('db.sqlite3').absolute()}"}
db = SQLAlchemy(app)


class Town(db.Model):
    id = db.Column(db.Integer, primary_key=True)
    name = db.Column(db.String(50))

    def __str__(self) -> str:
        return self.name


class Member(db.Model):
    id = db.Column(db.Integer, primary_key=True)
    name = db.Column(db.String(50), nullable=False)
    joined = db.Column(db.Date)
    fee = db.Column(db.Integer)
    town_id = db.Column(db.ForeignKey("town.id"))
    town = db.relationship(Town)


class Members(ModelView):
    column_list: ClassVar = ["name", "joined", "fee", "town"]
    column_editable_list: ClassVar = ["name", "fee"]
    column_searchable_list: ClassVar = ["name"]
    column_filters: ClassVar = ["fee"]
    column_default_sort = "name"


admin = Admin(app, name="Club")
admin.add_view(Members(Member, db))
with app.app_context():
    db.create_all()
    towns = [Town(name=name) for name in ("Oslo", "Bergen", "Molde")]
    db.session.add_all([
        *towns,
        *(
            Member(name=f"Member {number:02}", joined=datetime.date(2020, 1 + number % 12, 1), fee=10 * (number % 7),
                   town=towns[number % 3])
            for number in range(45)
        ),
    ])  # fmt: skip
    db.session.commit()
app.run(port=int(sys.argv[1]))
