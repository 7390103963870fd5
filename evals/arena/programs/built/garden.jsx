// A form and a table of React Aria; `window.garden` is what was entered.
import React, {useState} from 'react';
import {createRoot} from 'react-dom/client';
import {
  Button, Calendar, CalendarCell, CalendarGrid, Cell, Checkbox, Column, ComboBox, DateInput, DatePicker, DateSegment,
  Dialog, Group, Heading, Input, Label, ListBox, ListBoxItem, NumberField, Popover, Row, Select, SelectValue, Table,
  TableBody, TableHeader,
} from 'react-aria-components';

const TREES = ['Ash', 'Beech', 'Cedar', 'Elm', 'Fir', 'Oak', 'Pine', 'Yew'].map((name, id) => ({name, height: 40 - 3 * id}));
const BOX = {border: '1px solid gray', padding: 4, background: 'white'};
const TICK = <Checkbox slot="selection"><div style={{width: 12, height: 12, border: '1px solid'}}/></Checkbox>;

const Choices = ({names}) => <Popover style={BOX}>
  <ListBox>{names.map(name => <ListBoxItem key={name} id={name}>{name}</ListBoxItem>)}</ListBox>
</Popover>;

function Garden() {
  const [garden, set] = useState({}), [chosen, choose] = useState(new Set());
  const [sort, setSort] = useState({column: 'name', direction: 'ascending'});
  const put = part => set(old => ({...old, ...part})), sign = sort.direction === 'ascending' ? 1 : -1;
  const sorted = [...TREES].sort((a, b) => (a[sort.column] < b[sort.column] ? -sign : sign));
  window.garden = {...garden, chosen: [...chosen], first: sorted[0].name};
  return <div style={{padding: 20}}>
    <Select onSelectionChange={tree => put({tree})}>
      <Label>Tree</Label><Button style={BOX}><SelectValue/></Button><Choices names={TREES.map(each => each.name)}/>
    </Select>
    <ComboBox onSelectionChange={soil => put({soil})}>
      <Label>Soil</Label><Group><Input style={BOX}/><Button>v</Button></Group>
      <Choices names={['Clay', 'Loam', 'Peat', 'Sand', 'Silt']}/>
    </ComboBox>
    <NumberField defaultValue={1} minValue={1} onChange={count => put({count})}>
      <Label>Count</Label>
      <Group><Button slot="decrement">-</Button><Input/><Button slot="increment">+</Button></Group>
    </NumberField>
    <DatePicker onChange={day => put({day: String(day)})}>
      <Label>Day</Label>
      <Group><DateInput>{segment => <DateSegment segment={segment}/>}</DateInput><Button>▼</Button></Group>
      <Popover style={BOX}><Dialog><Calendar>
        <Button slot="previous">◀</Button><Heading/><Button slot="next">▶</Button>
        <CalendarGrid>{day => <CalendarCell date={day}/>}</CalendarGrid>
      </Calendar></Dialog></Popover>
    </DatePicker>
    <Table aria-label="Trees" selectionMode="multiple" sortDescriptor={sort} onSortChange={setSort}
      selectedKeys={chosen} onSelectionChange={choose}>
      <TableHeader>
        <Column>{TICK}</Column><Column id="name" isRowHeader allowsSorting>Name</Column>
        <Column id="height" allowsSorting>Height</Column>
      </TableHeader>
      <TableBody>{sorted.map(({name, height}) =>
        <Row key={name} id={name}><Cell>{TICK}</Cell><Cell>{name}</Cell><Cell>{height}</Cell></Row>)}</TableBody>
    </Table>
  </div>;
}

createRoot(document.getElementById('root')).render(<Garden/>);
