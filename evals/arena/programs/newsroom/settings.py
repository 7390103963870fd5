"""Wagtail and Django's own admin, on a database in the folder that it is started in."""

from pathlib import Path

HERE = Path.cwd()
SECRET_KEY = "of the arena"
DEBUG = True
ALLOWED_HOSTS = ["127.0.0.1"]
ROOT_URLCONF = "newsroom.urls"
WAGTAIL_SITE_NAME = "Newsroom"
WAGTAILADMIN_BASE_URL = "http://127.0.0.1"
WAGTAIL_ENABLE_UPDATE_CHECK = False
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": HERE / "db.sqlite3"}}
MEDIA_ROOT = HERE / "media"
MEDIA_URL = "/media/"
STATIC_URL = "/static/"
USE_TZ = True
AUTH_PASSWORD_VALIDATORS: list[dict[str, str]] = []
INSTALLED_APPS = [
    "newsroom", "wagtail.contrib.redirects", "wagtail.embeds", "wagtail.sites", "wagtail.users", "wagtail.snippets",
    "wagtail.documents", "wagtail.images", "wagtail.search", "wagtail.admin", "wagtail", "modelcluster", "taggit",
    "django_filters", "django.contrib.admin", "django.contrib.auth", "django.contrib.contenttypes",
    "django.contrib.sessions", "django.contrib.messages", "django.contrib.staticfiles",
]  # fmt: skip
MIDDLEWARE = [
    "django.contrib.sessions.middleware.SessionMiddleware", "django.middleware.common.CommonMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware", "newsroom.signed_in.SignedIn",
    "django.contrib.messages.middleware.MessageMiddleware",
]  # fmt: skip
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.debug", "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth", "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]  # fmt: skip
# Tables are made from the models: the hundreds of migrations take a minute. They also make the index of the search.
MIGRATION_MODULES = dict.fromkeys(
    (
        "newsroom", "wagtailredirects", "wagtailembeds", "wagtailsites", "wagtailusers", "wagtailsnippets",
        "wagtaildocs", "wagtailimages", "wagtailadmin", "wagtailcore", "wagtailsearch", "taggit", "admin", "auth",
        "sessions",
    )
)  # fmt: skip
WAGTAILSEARCH_BACKENDS = {"default": {"BACKEND": "wagtail.search.backends.database", "AUTO_UPDATE": False}}
