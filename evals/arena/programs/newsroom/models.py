"""A page of Wagtail, and the tables of Django's admin."""

from django.db import models
from wagtail.admin.panels import FieldPanel
from wagtail.fields import RichTextField
from wagtail.models import Page


class ArticlePage(Page):
    intro = models.CharField(max_length=200, blank=True)
    body = RichTextField(blank=True)
    content_panels = (*Page.content_panels, FieldPanel("intro"), FieldPanel("body"))


class Member(models.Model):
    name = models.CharField(max_length=80)
    city = models.CharField(max_length=80, blank=True)
    level = models.CharField(max_length=10, choices=[("basic", "Basic"), ("gold", "Gold")], default="basic")
    is_active = models.BooleanField(default=True)
    joined = models.DateField(null=True, blank=True)

    def __str__(self) -> str:
        return self.name
