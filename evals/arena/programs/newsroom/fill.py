"""Makes the database, with an editor, pages and members."""

import datetime

import django
from django.core.management import call_command

django.setup()

from django.contrib.auth import get_user_model  # noqa: E402
from wagtail.models import Collection, Locale, Page, Site  # noqa: E402

from newsroom.models import ArticlePage, Member  # noqa: E402

NAMES = ("Ann", "Ben", "Cleo", "Dora", "Emil", "Finn", "Gina", "Hugo", "Ida", "Jon", "Kim", "Lea")

call_command("migrate", run_syncdb=True, verbosity=0)
get_user_model().objects.create_superuser("editor", "editor@example.org", "secret")
Locale.objects.create(language_code="en")
Collection.add_root(name="Root")
root = Page.add_root(instance=Page(title="Root", slug="root"))
home = root.add_child(instance=Page(title="Home", slug="home"))
Site.objects.create(hostname="127.0.0.1", root_page=home, is_default_site=True)
for title in ("Autumn fair", "Bus routes", "City budget", "Old notice"):
    home.add_child(instance=ArticlePage(title=title, intro=f"About: {title}", body=f"<p>{title}.</p>"))
for number, name in enumerate(NAMES):
    joined = datetime.date(2025, 1, 1 + number)
    Member.objects.create(name=name, city="Bern" if number % 2 else "Basel", joined=joined)
