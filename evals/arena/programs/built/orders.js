// A table of Tabulator that draws the rows in view; `window.table` is the widget.
import {TabulatorFull} from 'tabulator-tables';
import 'tabulator-tables/dist/css/tabulator.min.css';

const data = Array.from({length: 2000}, (_, id) => (
  {id, customer: `Customer ${id}`, amount: (id * 7919) % 1000, state: ['open', 'paid', 'late'][id % 3], ok: id % 4 === 0}));
document.getElementById('root').style.height = '400px';
window.table = new TabulatorFull('#root', {data, layout: 'fitColumns', columns: [
  {title: 'Id', field: 'id', width: 70},
  {title: 'Customer', field: 'customer', editor: 'input', headerFilter: 'input'},
  {title: 'Amount', field: 'amount', editor: 'number', sorter: 'number'},
  {title: 'State', field: 'state', editor: 'list', editorParams: {values: ['open', 'paid', 'late']}},
  {title: 'Ok', field: 'ok', formatter: 'tickCross', editor: true},
]});
