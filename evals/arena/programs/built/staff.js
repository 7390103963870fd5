// Web Components of Vaadin: fields, and a grid that draws the rows in view.
import '@vaadin/combo-box';
import '@vaadin/multi-select-combo-box';
import '@vaadin/grid';
import '@vaadin/grid/vaadin-grid-filter-column.js';
import '@vaadin/grid/vaadin-grid-selection-column.js';
import '@vaadin/grid/vaadin-grid-sort-column.js';

document.getElementById('root').innerHTML = `
  <vaadin-combo-box id=town label=Town></vaadin-combo-box>
  <vaadin-multi-select-combo-box id=skills label=Skills></vaadin-multi-select-combo-box>
  <vaadin-grid id=grid style="height: 300px">
    <vaadin-grid-selection-column></vaadin-grid-selection-column>
    <vaadin-grid-filter-column path=name></vaadin-grid-filter-column>
    <vaadin-grid-sort-column path=age></vaadin-grid-sort-column>
  </vaadin-grid>`;
town.items = ['Bergen', 'Hamar', 'Molde', 'Oslo'];
skills.items = ['Cooking', 'Driving', 'Sailing', 'Sewing'];
grid.items = Array.from({length: 2000}, (_, id) => ({name: `Person ${id}`, age: 20 + (id * 37) % 50}));
