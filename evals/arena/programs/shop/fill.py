"""Makes the database, with products of two categories."""

from decimal import Decimal

import django
from django.core.management import call_command

django.setup()

from oscar.apps.address.models import Country  # noqa: E402
from oscar.apps.catalogue.categories import create_from_breadcrumbs  # noqa: E402
from oscar.apps.catalogue.models import Product, ProductClass  # noqa: E402
from oscar.apps.partner.models import Partner, StockRecord  # noqa: E402

PRODUCTS = {
    "Kitchen": ("Bread knife", "Copper pan", "Egg timer", "Grater", "Pepper mill", "Tea towel"),
    "Garden": ("Bird house", "Garden hose", "Rake", "Seed box", "Spade", "Watering can"),
}

call_command("migrate", run_syncdb=True, verbosity=0)
for code, name in (("CH", "Switzerland"), ("FR", "France"), ("GB", "United Kingdom")):
    Country.objects.create(iso_3166_1_a2=code, printable_name=name, name=name, is_shipping_country=True)
goods = ProductClass.objects.create(name="Goods", track_stock=False)
partner = Partner.objects.create(name="Warehouse")
for category, titles in PRODUCTS.items():
    shelf = create_from_breadcrumbs(category)
    for number, title in enumerate(titles, 5):
        product = Product.objects.create(title=title, product_class=goods, description=f"{title}, made to last.")
        product.categories.add(shelf)
        sku = title.lower().replace(" ", "-")
        StockRecord.objects.create(product=product, partner=partner, partner_sku=sku, price=Decimal(number))
call_command("update_index", verbosity=0)
