"""A shop made with django-oscar, on a database in the folder that it is started in."""

from pathlib import Path

from oscar import INSTALLED_APPS as OF_OSCAR
from oscar.defaults import *  # noqa: F403

HERE = Path.cwd()
SECRET_KEY = "of the arena"
DEBUG = True
ALLOWED_HOSTS = ["127.0.0.1"]
ROOT_URLCONF = "shop.urls"
SITE_ID = 1
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": HERE / "db.sqlite3", "ATOMIC_REQUESTS": True}}
HAYSTACK_CONNECTIONS = {
    "default": {"ENGINE": "haystack.backends.whoosh_backend.WhooshEngine", "PATH": str(HERE / "index")}
}
EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"
MEDIA_ROOT = HERE / "media"
MEDIA_URL = "/media/"
STATIC_URL = "/static/"
USE_TZ = True
OSCAR_SHOP_NAME = "Corner shop"
OSCAR_ALLOW_ANON_CHECKOUT = True
OSCAR_INITIAL_ORDER_STATUS = "Pending"
INSTALLED_APPS = [*OF_OSCAR, "sorl.thumbnail"]
AUTHENTICATION_BACKENDS = ["oscar.apps.customer.auth_backends.EmailBackend"]
MIDDLEWARE = [
    "django.contrib.sessions.middleware.SessionMiddleware", "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware", "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware", "oscar.apps.basket.middleware.BasketMiddleware",
]  # fmt: skip
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request", "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages", "oscar.core.context_processors.metadata",
                "oscar.apps.search.context_processors.search_form", "oscar.apps.checkout.context_processors.checkout",
                "oscar.apps.communication.notifications.context_processors.notifications",
            ]
        },
    }
]  # fmt: skip
# Tables are made from the models, without hundreds of migrations.
MIGRATION_MODULES = dict.fromkeys(
    (
        "admin", "auth", "contenttypes", "sessions", "sites", "flatpages", "analytics", "address", "shipping",
        "catalogue", "reviews", "communication", "partner", "basket", "payment", "offer", "order", "customer",
        "voucher", "wishlists", "thumbnail",
    )
)  # fmt: skip
