"""The tables of Django's admin."""

from django.contrib import admin

from .models import Member


@admin.register(Member)
class MemberAdmin(admin.ModelAdmin):
    list_display = ("name", "city", "level", "is_active")
    list_filter = ("level", "is_active")
    search_fields = ("name",)
