// A grid of RevoGrid that draws the rows and columns in view; `window.grid` is its element.
import {defineCustomElements} from '@revolist/revogrid/loader';

defineCustomElements();
window.grid = document.getElementById('root').appendChild(document.createElement('revo-grid'));
Object.assign(grid.style, {height: '400px', width: '800px'});
grid.columns = [{prop: 'item', name: 'Item'}, {prop: 'price', name: 'Price', sortable: true}, {prop: 'state', name: 'State'}];
grid.source = Array.from({length: 3000}, (_, id) => (
  {item: `Item ${id}`, price: (id * 7919) % 1009, state: ['open', 'paid'][id % 2]}));
